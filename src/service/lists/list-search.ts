import { DIGESTS } from '../../../assembly/layout.ts';
import { indexOfLeast } from '../../core/bytes/order.ts';
import { asciiText } from '../../core/bytes/text.ts';
import type { Kernel } from '../../core/kernel/kernel.ts';
import { type ExpressionBatch, ExpressionReader } from '../../specs/safe-browsing/batch.ts';
import type { Settings } from '../../specs/safe-browsing/settings.ts';
import type { HashList } from './hash-list.ts';
import { HeadFilter } from './head-filter.ts';
import type { PrefixSet } from './prefix-set.ts';

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

/** A set, with room for a hash as long as its prefixes: a view of the memory would cost as much as two look-ups. */
interface LookedIn {
  readonly set: PrefixSet;
  readonly head: Uint8Array;
}

/** Looks rows up in lists of one profile; the hashes of their expressions stay in the kernel's memory. */
export class ListSearch {
  /** Gives the batches that are looked up, one after another. */
  readonly reader: ExpressionReader;
  readonly #lists: readonly { readonly name: string; readonly sets: readonly LookedIn[] }[];
  readonly #filter: HeadFilter;
  readonly #memory: Uint8Array;

  constructor(kernel: Kernel, lists: readonly NamedList[], settings: Settings) {
    this.#lists = lists.map(({ name, list }) => ({
      name,
      sets: list.prefixSets.map((set) => ({ set, head: new Uint8Array(set.width) })),
    }));
    this.#filter = new HeadFilter(lists.flatMap(({ list }) => list.groups));
    const longest = Math.max(1, ...this.#lists.flatMap(({ sets }) => sets.map(({ set }) => set.width)));
    this.reader = new ExpressionReader(kernel, longest, settings);
    this.#memory = kernel.memory.bytes;
  }

  /** Adds the listings of a batch's rows, by their number among all rows: each list that has a row, in order. */
  lookUp(batch: ExpressionBatch, listings: Map<number, readonly Listing[]>): void {
    const width = this.reader.kernelWidth;
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
    const start = DIGESTS + span * this.reader.kernelWidth;
    return sets.some(({ set, head }) => {
      for (let at = 0; at < head.length; at++) head[at] = this.#memory[start + at]!;
      return set.has(head);
    });
  }
}
