import type { ExpressionColumn } from '../../safe-browsing/column.ts';
import { expressionList } from '../../safe-browsing/expressions.ts';
import { hashLinesExpressions, hashManyExpressions } from '../../safe-browsing/hash-many.ts';
import type { HashList } from '../../safe-browsing/lists/hash-list.ts';
import type { Settings } from '../../safe-browsing/settings.ts';
import type { PackedValues, Rows, Values } from '../rows/framing.ts';
import { eachValue } from '../rows/values.ts';
import { type Counts, type Results, type RowProblem, type Stage, withMalformed } from './stage.ts';

/** A list, and how it is called in the output. */
export interface NamedList {
  readonly name: string;
  readonly list: HashList;
}

/** Where a row was found: on the first of the lists that have it, and its first expression there. */
export interface Match {
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
  /** Bytes of the hashes: as many as the longest prefix has. */
  readonly #width: number;

  constructor(lists: readonly NamedList[], settings: Settings) {
    this.#lists = lists;
    this.#settings = settings;
    this.#width = Math.max(4, ...lists.flatMap(({ list }) => list.groups.map(({ length }) => length)));
  }

  run(rows: Rows): LookedUp {
    const column = this.#columnOf(rows.values);
    const matches = this.#matchesIn(rows, column);
    const counts: Counts = { matched: matches.size };
    return { rows, length: column.length, problems: withMalformed(rows, problemsIn(column)), counts, matches };
  }

  #columnOf(values: Values): ExpressionColumn {
    const options = { ...this.#settings, width: this.#width };
    return 'lines' in values
      ? hashLinesExpressions(values.lines, options)
      : hashManyExpressions(urlsIn(values), options);
  }

  #matchesIn({ values, malformed, captions }: Rows, column: ExpressionColumn): Map<number, Match> {
    const listOf = new Map<number, NamedList>();
    for (const named of this.#lists)
      for (const row of named.list.matches(column)) if (!listOf.has(row)) listOf.set(row, named);
    const matches = new Map<number, Match>();
    if (listOf.size === 0) return matches;
    eachValue(values, (bytes, start, end, row) => {
      const named = listOf.get(row);
      if (named === undefined || malformed.has(row) || captions?.has(row)) return;
      const expressions = expressionList(bytes.subarray(start, end), this.#settings) as string[];
      matches.set(row, { list: named.name, expression: expressions[named.list.matchesOf(row, column)[0]!]! });
    });
    return matches;
  }
}

function urlsIn({ bytes, offsets }: PackedValues): Uint8Array[] {
  return Array.from({ length: offsets.length - 1 }, (_, row) => bytes.subarray(offsets[row], offsets[row + 1]));
}

function problemsIn(column: ExpressionColumn): RowProblem[] {
  return Array.from(column.invalid, (row) => new LookupProblem(row, column));
}

/** Its message is made when it is asked for: few are shown. */
class LookupProblem implements RowProblem {
  readonly row: number;
  readonly #column: ExpressionColumn;

  constructor(row: number, column: ExpressionColumn) {
    this.row = row;
    this.#column = column;
  }

  get reason(): string {
    return this.#column.errorAt(this.row)!.reason;
  }

  get message(): string {
    return this.#column.errorAt(this.row)!.message;
  }
}
