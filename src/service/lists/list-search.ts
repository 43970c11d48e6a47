import { DIGESTS } from '../../../assembly/layout.ts';
import type { Spans } from '../../core/bytes/lines.ts';
import { asciiText } from '../../core/bytes/text.ts';
import type { Kernel } from '../../core/kernel/kernel.ts';
import { type ExpressionBatch, ExpressionReader, type RejectedRow } from '../../specs/safe-browsing/batch.ts';
import { isBarred, type TextSource } from '../../specs/safe-browsing/doubt.ts';
import type { Settings } from '../../specs/safe-browsing/settings.ts';
import type { HashList } from './hash-list.ts';

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

/** The lists that have a row, in the order given, by the number of the row; only of listed rows, ascending. */
export type Listings = ReadonlyMap<number, readonly Listing[]>;

/** Looks rows up in lists of one profile; the hashes of their expressions stay in the kernel's memory. */
export class ListSearch {
  readonly #reader: ExpressionReader;
  readonly #source: TextSource;
  readonly #lists: readonly NamedList[];
  readonly #memory: Uint8Array;

  constructor(kernel: Kernel, lists: readonly NamedList[], settings: Settings, source: TextSource) {
    this.#lists = lists;
    const longest = Math.max(1, ...lists.flatMap(({ list }) => list.groups.map(({ width }) => width)));
    this.#source = source;
    this.#reader = new ExpressionReader(kernel, longest, settings, source);
    this.#memory = kernel.memory.bytes;
  }

  /**
   * Looks up the first `rowCount` rows: one is listed, or refused, that is not looked up, or else not listed. `refuse` is
   * called for each that is refused, in their order; its input is valid until it returns. Rows of a kind other than 0
   * have no value.
   */
  lookUp(rows: Spans, rowCount: number, refuse: (row: RejectedRow<Uint8Array>) => void, kinds?: Uint8Array): Listings {
    const listings = new Map<number, readonly Listing[]>();
    for (const batch of this.#reader.rows(rows, rowCount, kinds)) {
      this.#addListings(batch, listings);
      for (const { row, failure } of batch.doubtful) if (isBarred(failure, this.#source)) listings.delete(row);
      const refused = [...batch.rejected, ...batch.doubtful.filter(({ row }) => !listings.has(row))];
      for (const each of refused.sort((one, other) => one.row - other.row)) refuse(each);
    }
    return listings;
  }

  /** Adds the listings of a batch's rows, by their number among all rows: each list that has a row, in order. */
  #addListings(batch: ExpressionBatch, listings: Map<number, readonly Listing[]>): void {
    const { firstRow, spanEnds, count } = batch;
    const width = this.#reader.kernelWidth;
    const digests = this.#memory.subarray(DIGESTS, DIGESTS + count * width);
    const sets = this.#lists.flatMap(({ list }) => list.prefixSets);
    const listed = new Set(sets.flatMap((set) => [...set.rowsOf(digests, width, spanEnds)]));
    for (const row of [...listed].sort((one, other) => one - other)) {
      const [first, end] = [spanEnds[row - 1] ?? 0, spanEnds[row]!];
      const found = this.#lists.flatMap((named) => this.#listingsIn(named, batch, first, end));
      listings.set(firstRow + row, found);
    }
  }

  /** Returns the first of the expressions from `first` to `end` that is on a list. */
  #listingsIn({ name, list }: NamedList, { bytes, spans }: ExpressionBatch, first: number, end: number): Listing[] {
    const width = this.#reader.kernelWidth;
    let span = first;
    while (span < end && !list.hasAt(this.#memory, DIGESTS + span * width)) span++;
    if (span === end) return [];
    const start = spans[2 * span]!;
    return [{ list: name, expression: asciiText(bytes.subarray(start, start + spans[2 * span + 1]!)) }];
  }
}
