import { indexOfLeast } from '../../bytes/sorted.ts';
import {
  type ExpressionColumn,
  ExpressionHasher,
  expressionList,
  type PrefixSet,
  type Settings,
} from '../../safe-browsing/index.ts';
import type { HashList } from '../../safe-browsing/lists/index.ts';
import type { RowBatch, RowProblem } from '../rows/row-batch.ts';
import { HeadFilter } from './head-filter.ts';
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

/** Looks each URL up in lists of one profile. */
export function lookupStage(lists: readonly NamedList[], settings: Settings): Stage<LookedUp> {
  const stage = new LookupStage(lists, settings);
  return (rows) => stage.run(rows);
}

class LookupStage {
  readonly #lists: readonly NamedList[];
  readonly #settings: Settings;
  /** Each set has room for a hash as long as its prefixes: a view of the column would cost as much as two look-ups. */
  readonly #sets: readonly { readonly set: PrefixSet; readonly head: Uint8Array }[];
  readonly #filter: HeadFilter;
  /** Makes hashes as long as the longest prefix, rounded up to a multiple of 4 for the filter. */
  readonly #hasher: ExpressionHasher;

  constructor(lists: readonly NamedList[], settings: Settings) {
    this.#lists = lists;
    this.#settings = settings;
    const sets = lists.flatMap(({ list }) => list.prefixSets);
    this.#sets = sets.map((set) => ({ set, head: new Uint8Array(set.width) }));
    this.#filter = new HeadFilter(lists.flatMap(({ list }) => list.groups));
    const width = Math.max(4, ...sets.map((set) => 4 * Math.ceil(set.width / 4)));
    this.#hasher = new ExpressionHasher({ ...settings, width });
  }

  run(rows: RowBatch): LookedUp {
    const column = this.#hasher.hashSpans(rows.values, rows.length, rows.kinds);
    const listings = this.#listingsIn(rows, column);
    const problems = allProblems(rows, problemsIn(column));
    return { rows, problems, digests: NO_DIGESTS, width: 0, counts: { matched: listings.size }, listings };
  }

  #listingsIn({ values }: RowBatch, column: ExpressionColumn): Map<number, Listing[]> {
    const listings = new Map<number, Listing[]>();
    for (const { row, positions } of this.#foundIn(column)) {
      const value = values.bytes.subarray(values.starts[row], values.ends[row]);
      const expressions = expressionList(value, this.#settings) as string[];
      listings.set(
        row,
        positions.map(({ list, position }) => ({ list, expression: expressions[position]! })),
      );
    }
    return listings;
  }

  /** Returns the listed rows, ascending. */
  #foundIn(column: ExpressionColumn): Found[] {
    const found: Found[] = [];
    for (const hash of this.#filter.hashesIn(column)) {
      if (!this.#isListed(column, hash)) continue;
      const row = indexOfLeast(column.offsets, hash + 1) - 1;
      if (found.at(-1)?.row !== row) found.push({ row, positions: this.#positionsOf(column, row) });
    }
    return found;
  }

  #isListed({ bytes, width }: ExpressionColumn, hash: number): boolean {
    const start = hash * width;
    return this.#sets.some(({ set, head }) => {
      for (let at = 0; at < head.length; at++) head[at] = bytes[start + at]!;
      return set.has(head);
    });
  }

  /** Returns, for each list with an expression of a row, the position of the first one. */
  #positionsOf(column: ExpressionColumn, row: number): ListPosition[] {
    return this.#lists.flatMap(({ name, list }) => {
      const [position] = list.matchesOf(row, column);
      return position === undefined ? [] : [{ list: name, position }];
    });
  }
}

interface Found {
  readonly row: number;
  readonly positions: readonly ListPosition[];
}

/** A list, and the position of an expression among those of its row. */
interface ListPosition {
  readonly list: string;
  readonly position: number;
}

/** Reasons and messages are made on demand: few are shown. */
function problemsIn(column: ExpressionColumn): RowProblem[] {
  return Array.from(column.invalid, (row) => ({
    row,
    get reason() {
      return column.errorAt(row)!.reason;
    },
    get message() {
      return column.errorAt(row)!.message;
    },
  }));
}
