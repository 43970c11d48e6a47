import { indexOfLeast } from '../../bytes/sorted.ts';
import type { ExpressionColumn } from '../../safe-browsing/column.ts';
import { expressionList } from '../../safe-browsing/expressions.ts';
import { ExpressionHasher } from '../../safe-browsing/hasher.ts';
import type { HashList } from '../../safe-browsing/lists/hash-list.ts';
import type { PrefixSet } from '../../safe-browsing/prefix-set/prefix-set.ts';
import type { Settings } from '../../safe-browsing/settings.ts';
import type { Rows, Values } from '../rows/framing.ts';
import { eachValue } from '../rows/values.ts';
import { HeadFilter } from './head-filter.ts';
import { type Counts, type Results, type RowProblem, type Stage, withMalformed } from './stage.ts';

/** A list, and how it is called in the output. */
export interface NamedList {
  readonly name: string;
  readonly list: HashList;
}

/** A row that is listed. */
export interface Match {
  /** Each list that has it, in the order given. */
  readonly listings: readonly Listing[];
  /** Where the row's value lies among the block's values. */
  readonly start: number;
  readonly end: number;
}

/** A list that has a row, and the most exact of the row's expressions there. */
export interface Listing {
  readonly list: string;
  readonly expression: string;
}

export interface LookedUp extends Results {
  /** By row, ascending. */
  readonly matches: ReadonlyMap<number, Match>;
}

/** Looks each URL up in lists of one profile. */
export class LookupStage implements Stage<LookedUp> {
  readonly #lists: readonly NamedList[];
  readonly #settings: Settings;
  /** Each with room for a hash as long as its prefixes: a view of the column costs as much as two look-ups. */
  readonly #sets: readonly { readonly set: PrefixSet; readonly head: Uint8Array }[];
  readonly #filter: HeadFilter;
  /** Of hashes with as many bytes as the longest prefix has, and a multiple of 4 for the filter. */
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

  run(rows: Rows): LookedUp {
    const column = this.#columnOf(rows.values);
    const matches = this.#matchesIn(rows, column);
    const counts: Counts = { matched: matches.size };
    return { rows, length: column.length, problems: withMalformed(rows, problemsIn(column)), counts, matches };
  }

  #columnOf(values: Values): ExpressionColumn {
    if ('lines' in values) return this.#hasher.hashLines(values.lines);
    return this.#hasher.hashRows(values.bytes, values.offsets);
  }

  #matchesIn({ values, malformed, captions }: Rows, column: ExpressionColumn): Map<number, Match> {
    const matches = new Map<number, Match>();
    const found = this.#foundIn(column);
    if (found.length === 0) return matches;
    let next = 0;
    eachValue(values, (bytes, start, end, row) => {
      if (found[next]!.row !== row) return true;
      const { positions } = found[next++]!;
      if (!malformed.has(row) && !captions?.has(row)) {
        const expressions = expressionList(bytes.subarray(start, end), this.#settings) as string[];
        const listings = positions.map(({ list, position }) => ({ list, expression: expressions[position]! }));
        matches.set(row, { listings, start, end });
      }
      return next < found.length;
    });
    return matches;
  }

  /** The rows that are listed, ascending. */
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

  /** Of each list that has an expression of a row, the position of the first that it has. */
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

function problemsIn(column: ExpressionColumn): RowProblem[] {
  return Array.from(column.invalid, (row) => {
    const { reason, message } = column.errorAt(row)!;
    return { row, reason, message };
  });
}
