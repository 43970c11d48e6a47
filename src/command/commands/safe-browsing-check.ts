import { decodeLine } from '../../core/bytes/text.ts';
import type { Answer } from '../../service/check/answer.ts';
import type { SafeBrowsingChecker } from '../../service/check/checker.ts';
import { counted, TROUBLE } from '../arguments/diagnostics.ts';
import { choice, group } from '../arguments/flag.ts';
import { usageFault } from '../fault.ts';
import { type Batch, DeferredProblem, givenIn, type RowProblem, VALUE } from '../read/batch.ts';
import { addedName, type RowForm } from '../read/framing.ts';
import { allProblems, type Format, NO_DIGESTS, type Results, rowByRow, type Stage } from '../work/results.ts';
import { RecordFormat } from '../write/records.ts';
import { lineCommand } from './command.ts';
import { COMPLAINT_FLAGS, linePlan, ROW_FLAGS, RUN_FLAGS } from './line-flags.ts';
import { CHECKER_FLAGS, checkOptions, openChecker, PROCEDURE_FLAGS, withAdvice } from './safe-browsing.ts';

const FLAGS = {
  ...CHECKER_FLAGS,
  ...PROCEDURE_FLAGS,
  ...group('Output', {
    format: choice(
      'FORMAT',
      { tsv: 'verdict, threats, URL (default)', ndjson: 'all that is known, as a JSON object per line' },
      'tsv',
      'output for each line:',
    ),
  }),
  ...ROW_FLAGS,
  ...group('Bad lines', { quiet: COMPLAINT_FLAGS.quiet, allErrors: COMPLAINT_FLAGS.allErrors }),
  ...group('Run', { out: RUN_FLAGS.out, stats: RUN_FLAGS.stats, kernel: RUN_FLAGS.kernel }),
};

/** `urlsum safe-browsing check`: whether each URL is listed. */
export const CHECK = lineCommand({
  examples: [
    ['--store lists --when-unsure block urls.txt', 'with lists'],
    ['--procedure no-storage --when-unsure block urls.txt', 'without'],
  ],
  operands: '[URL|FILE…]',
  about: [
    'Checks each URL by Safe Browsing v5 and prints its verdict (safe, unsafe or unsure), its threats and the URL. The ' +
      'lists are those that urlsum safe-browsing update keeps in --store. Exit status: 0, all are safe; 1, one is ' +
      'unsafe; 2, one is unsure, or usage or file errors. --when-unsure is said by isAllowed in ndjson.',
  ],
  flags: FLAGS,
  async plan(values, operands, diagnostics) {
    const options = await checkOptions(values);
    const lines = await linePlan({ ...values, exitZero: true, onError: 'keep', jobs: 1 }, operands, {
      added: VERDICT_NAMES,
    });
    if (lines.records !== undefined && values.format === 'ndjson')
      throw usageFault('--format ndjson is for lines; records keep their form and gain verdict and threats');
    const stage = new VerdictStage(await openChecker(options, diagnostics), withAdvice);
    return {
      ...lines,
      prepare: stage.prepare,
      stage: stage.run,
      openFormat: () => openVerdictFormat(lines, values.format),
      facts: () => ({ profile: 'safe-browsing' }),
      closedPipeStatus: TROUBLE,
      conclude({ unsafe = 0 }, diagnostics, invalidCount) {
        if (unsafe > 0) diagnostics.failed();
        if (invalidCount > 0) diagnostics.trouble(`${counted(invalidCount, 'line is', 'lines are')} unsure`);
      },
    };
  },
});

export interface Verdicts extends Results {
  /** The answer for each row; a row without a value has none. */
  readonly answers: readonly (Answer | undefined)[];
}

/**
 * Checks the values of rows. The pipeline does not wait for a stage, so all values of a block are asked for before its
 * rows are worked on: that takes few requests, too.
 */
export class VerdictStage {
  readonly #checker: SafeBrowsingChecker;
  readonly #withAdvice: (detail: string) => string;
  /** The answers for the values of the block, in order. */
  #answers: readonly Answer[] = [];
  #next = 0;

  /** @param withAdvice adds to a problem what the user can do about it */
  constructor(checker: SafeBrowsingChecker, withAdvice: (detail: string) => string) {
    this.#checker = checker;
    this.#withAdvice = withAdvice;
  }

  readonly prepare = async (batches: Iterable<Batch>): Promise<void> => {
    const urls: Uint8Array[] = [];
    for (const batch of batches)
      for (let row = 0; row < batch.length; row++)
        if (batch.kinds[row] === VALUE) urls.push(Uint8Array.from(givenIn(batch, row)));
    this.#answers = await this.#checker.checkMany(urls);
    this.#next = 0;
  };

  /** An unsure row is a problem; it is written all the same. */
  readonly run: Stage<Verdicts> = (batch) => {
    const counts = { unsafe: 0, unsure: 0 };
    const unsure: RowProblem[] = [];
    const answers = Array.from({ length: batch.length }, (_, row) => {
      const answer = batch.kinds[row] === VALUE ? this.#answers[this.#next++]! : undefined;
      if (answer?.verdict === 'unsafe') counts.unsafe++;
      if (answer?.verdict === 'unsure') {
        counts.unsure++;
        const text = () => this.#withAdvice(`${answer.reason}: ${answer.detail}`);
        unsure.push(new DeferredProblem(row, answer.reason, text));
      }
      return answer;
    });
    return { batch, problems: allProblems(batch, unsure), digests: NO_DIGESTS, width: 0, counts, answers };
  };
}

export const VERDICT_NAMES = [addedName('verdict'), addedName('threats')] as const;

/** Writes verdict, threats and the URL of each row, or adds the first two to records. */
export function openVerdictFormat({ lineEnd, records }: RowForm, format: 'tsv' | 'ndjson'): Format<Verdicts> {
  if (records !== undefined)
    return new RecordFormat(records, [
      { name: VERDICT_NAMES[0], textOf: (results, row) => verdictOf(answerOf(results, row)) },
      { name: VERDICT_NAMES[1], textOf: (results, row) => threatsText(answerOf(results, row)) },
    ]) as Format<Verdicts>;
  return rowByRow((out, results, row) => {
    const url = givenIn(results.batch, row);
    const answer = answerOf(results, row);
    if (format === 'ndjson') out.text(JSON.stringify(recordOf(decodeLine(url), answer)));
    else {
      out.text(`${verdictOf(answer)}\t${threatsText(answer)}\t`);
      out.bytes(url);
    }
    out.byte(lineEnd);
  }) as Format<Verdicts>;
}

function answerOf(results: Results, row: number): Answer | undefined {
  return (results as Verdicts).answers[row];
}

/** A row without a URL is unsure, too. */
function verdictOf(answer: Answer | undefined): Answer['verdict'] {
  return answer?.verdict ?? 'unsure';
}

/** Returns each type once; one that counts in frames alone says so. */
function threatsText(answer: Answer | undefined): string {
  const threats = answer?.threats ?? [];
  return [...new Set(threats.map(({ type, isFrameOnly }) => (isFrameOnly ? `${type}:FRAME_ONLY` : type)))].join(',');
}

function recordOf(url: string, answer: Answer | undefined): object {
  if (answer === undefined) return { url, verdict: verdictOf(answer) };
  const { verdict, reason, isAllowed, matched, detail } = answer;
  const threats = answer.threats.map(({ type, isFrameOnly, expression }) => ({ type, isFrameOnly, expression }));
  const expiresAt = new Date(answer.expiresAt).toISOString();
  return { url, verdict, reason, isAllowed, threats, matched, detail, expiresAt };
}
