import type { Answer, SafeBrowsingChecker } from '../../service/check/index.ts';
import { DeferredProblem, givenIn, type RowBatch, type RowProblem, VALUE } from '../read/row-batch.ts';
import { allProblems, NO_DIGESTS, type ResultBatch, type Stage } from './stage.ts';

export interface Verdicts extends ResultBatch {
  /** By row; a row without a value has none. */
  readonly answers: readonly (Answer | undefined)[];
}

/**
 * Checks the values of rows. The pipeline does not wait for a stage, so all values of a block are asked for before its
 * rows are worked on: that takes few requests, too.
 */
export class VerdictStage {
  readonly #checker: SafeBrowsingChecker;
  readonly #withAdvice: (detail: string) => string;
  /** Of the values of the block, in order. */
  #answers: readonly Answer[] = [];
  #next = 0;

  /** @param withAdvice adds to what is wrong what can be done */
  constructor(checker: SafeBrowsingChecker, withAdvice: (detail: string) => string) {
    this.#checker = checker;
    this.#withAdvice = withAdvice;
  }

  readonly prepare = async (batches: Iterable<RowBatch>): Promise<void> => {
    const urls: Uint8Array[] = [];
    for (const rows of batches)
      for (let row = 0; row < rows.length; row++)
        if (rows.kinds[row] === VALUE) urls.push(Uint8Array.from(givenIn(rows, row)));
    this.#answers = await this.#checker.checkMany(urls);
    this.#next = 0;
  };

  /** An unsure row is a problem; it is written all the same. */
  readonly run: Stage<Verdicts> = (rows) => {
    const counts = { unsafe: 0, unsure: 0 };
    const unsure: RowProblem[] = [];
    const answers = Array.from({ length: rows.length }, (_, row) => {
      const answer = rows.kinds[row] === VALUE ? this.#answers[this.#next++]! : undefined;
      if (answer?.verdict === 'unsafe') counts.unsafe++;
      if (answer?.verdict === 'unsure') {
        counts.unsure++;
        const text = () => this.#withAdvice(`${answer.reason}: ${answer.detail}`);
        unsure.push(new DeferredProblem(row, answer.reason, text));
      }
      return answer;
    });
    return { rows, problems: allProblems(rows, unsure), digests: NO_DIGESTS, width: 0, counts, answers };
  };
}
