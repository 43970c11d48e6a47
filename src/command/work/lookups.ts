import { DIGESTS } from '../../../assembly/layout.ts';
import { asciiText } from '../../core/bytes/ascii.ts';
import { indexOfLeast } from '../../core/bytes/sorted.ts';
import type { Kernel } from '../../core/kernel/kernel.ts';
import type { HashList } from '../../service/lists/hash-list.ts';
import type { PrefixSet } from '../../service/lists/prefix-set.ts';
import { type ExpressionBatch, ExpressionReader } from '../../specs/safe-browsing/batch.ts';
import type { Settings } from '../../specs/safe-browsing/settings.ts';
import type { RowProblem } from '../read/row-batch.ts';
import { HeadFilter } from './head-filter.ts';
import { logLinesIn, type ValueKind } from './log-lines.ts';
import { safeBrowsingProblem } from './safe-browsing.ts';
import { allProblems, NO_DIGESTS, type ResultBatch, type Stage } from './stage.ts';

/** A list, and its name in the output. */
export interface NamedList {
  readonly name: string;
  readonly list: HashList;
}

/** A list that has an entry for a row, and the most specific of the row's expressions there. */
export interface Listing {
  readonly list: string;
  readonly expression: string;
}

export interface LookedUp extends ResultBatch {
  /** By listed row, ascending: each list that has it, in the order given. */
  readonly listings: ReadonlyMap<number, readonly Listing[]>;
}

export interface LookupOptions {
  readonly settings: Settings;
  readonly valueKind: ValueKind;
  /** Whether lines of logs are looked up as they are. */
  readonly allowsLogLines: boolean;
}

/** A set, with room for a hash as long as its prefixes: a view of the memory would cost as much as two look-ups. */
interface LookedIn {
  readonly set: PrefixSet;
  readonly head: Uint8Array;
}

/** Looks each URL up in lists of one profile; the hashes of its expressions stay in the kernel's memory. */
export class LookupStage {
  readonly #lists: readonly { readonly name: string; readonly sets: readonly LookedIn[] }[];
  readonly #filter: HeadFilter;
  readonly #reader: ExpressionReader;
  readonly #memory: Uint8Array;
  readonly #options: LookupOptions;

  constructor(kernel: Kernel, lists: readonly NamedList[], options: LookupOptions) {
    this.#options = options;
    this.#lists = lists.map(({ name, list }) => ({
      name,
      sets: list.prefixSets.map((set) => ({ set, head: new Uint8Array(set.width) })),
    }));
    this.#filter = new HeadFilter(lists.flatMap(({ list }) => list.groups));
    const longest = Math.max(1, ...this.#lists.flatMap(({ sets }) => sets.map(({ set }) => set.width)));
    this.#reader = new ExpressionReader(kernel, longest, options.settings);
    this.#memory = kernel.memory.bytes;
  }

  readonly run: Stage<LookedUp> = (rows) => {
    const listings = new Map<number, Listing[]>();
    const { allowsLogLines, valueKind } = this.#options;
    const logLines = allowsLogLines ? undefined : logLinesIn(rows, valueKind);
    const found: RowProblem[] = [];
    for (const batch of this.#reader.rows(rows.values, rows.length, logLines?.kinds ?? rows.kinds)) {
      this.#lookUp(batch, listings);
      for (const { row, input, failure } of batch.rejected) found.push(safeBrowsingProblem(row, input, failure));
    }
    const { problems, separatorCount = 0 } = logLines ?? { problems: [] };
    return {
      rows,
      problems: allProblems(rows, problems, found),
      digests: NO_DIGESTS,
      width: 0,
      counts: { matched: listings.size, ...(separatorCount > 0 && { fieldsBeforeScheme: separatorCount }) },
      listings,
    };
  };

  #lookUp(batch: ExpressionBatch, listings: Map<number, Listing[]>): void {
    const width = this.#reader.kernelWidth;
    const bytes = this.#memory.subarray(DIGESTS, DIGESTS + batch.count * width);
    for (const span of this.#filter.hashesIn({ bytes, width })) {
      if (!this.#lists.some(({ sets }) => this.#isIn(sets, span))) continue;
      const row = indexOfLeast(batch.spanEnds, span + 1);
      const number = batch.firstRow + row;
      if (!listings.has(number)) listings.set(number, this.#listingsFrom(span, batch, row));
    }
  }

  /** Returns the listings of a row; `first` is the first of its expressions that is on any list. */
  #listingsFrom(first: number, { bytes, spans, spanEnds }: ExpressionBatch, row: number): Listing[] {
    return this.#lists.flatMap(({ name, sets }) => {
      let span = first;
      while (span < spanEnds[row]! && !this.#isIn(sets, span)) span++;
      if (span === spanEnds[row]!) return [];
      const start = spans[2 * span]!;
      return [{ list: name, expression: asciiText(bytes.subarray(start, start + spans[2 * span + 1]!)) }];
    });
  }

  #isIn(sets: readonly LookedIn[], span: number): boolean {
    const start = DIGESTS + span * this.#reader.kernelWidth;
    return sets.some(({ set, head }) => {
      for (let at = 0; at < head.length; at++) head[at] = this.#memory[start + at]!;
      return set.has(head);
    });
  }
}
