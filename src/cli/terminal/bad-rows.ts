import type { BlockReport } from '../stage/stage.ts';
import type { Diagnostics } from './diagnostics.ts';

/** Which bad rows are shown: the first few of each input, none, or all. The others are counted by reason. */
export type Shown = 'few' | 'none' | 'all';

const FEW = 10;

/** How many bad rows of one input, and so of one block, may be shown. */
export function shownLimit(shown: Shown): number {
  return { few: FEW, none: 0, all: Number.POSITIVE_INFINITY }[shown];
}

/** Says what is wrong with bad rows, as far as a person wants to read it. */
export class BadRows {
  readonly #diagnostics: Diagnostics;
  readonly #limit: number;
  readonly #hidden = new Map<string, number>();
  #inputName: string | undefined;
  #shownCount = 0;

  constructor(diagnostics: Diagnostics, shown: Shown) {
    this.#diagnostics = diagnostics;
    this.#limit = shownLimit(shown);
  }

  /** Those of a block whose first row has the number `firstRow` in its input; settles when they are read. */
  async add(inputName: string, firstRow: number, { problems }: Pick<BlockReport, 'problems'>): Promise<void> {
    if (this.#inputName !== inputName) this.#shownCount = 0;
    this.#inputName = inputName;
    const shown = problems.slice(0, this.#limit - this.#shownCount);
    this.#shownCount += shown.length;
    for (const { reason } of problems.slice(shown.length))
      this.#hidden.set(reason, (this.#hidden.get(reason) ?? 0) + 1);
    if (shown.length > 0)
      await this.#diagnostics.tell(shown.map(({ number, message }) => `${inputName}:${firstRow + number}: ${message}`));
  }

  /** How many were not shown, for each reason. */
  async end(): Promise<void> {
    if (this.#hidden.size === 0) return;
    const counts = [...this.#hidden].sort(([, one], [, other]) => other - one);
    const total = counts.reduce((sum, [, count]) => sum + count, 0);
    const lines = `bad line${total === 1 ? '' : 's'}`;
    const head = this.#limit === 0 ? `${total} ${lines}:` : `${total} more ${lines} (--all-errors shows each):`;
    await this.#diagnostics.tell([head, ...counts.map(([reason, count]) => `${String(count).padStart(10)} ${reason}`)]);
  }
}
