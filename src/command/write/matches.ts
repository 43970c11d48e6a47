import { TAB } from '../../core/bytes/code-points.ts';
import type { GrowingBytes } from '../../core/bytes/growing-bytes.ts';
import type { Listing } from '../../service/lists/list-search.ts';
import type { Records, RowForm } from '../read/framing.ts';
import { type AddedName, addedName } from '../read/names.ts';
import { givenIn } from '../read/row-batch.ts';
import type { LookedUp } from '../work/lookups.ts';
import { isHeading, type KeptRows } from '../work/stage.ts';
import type { Format } from './format.ts';
import { type AddedField, RecordFormat } from './records.ts';

/**
 * Writes each listed row once for each list that has it: as a line of list, expression and the line as given, or as a
 * record with two more fields.
 */
export function openMatchFormat({ lineEnd, records }: RowForm): Format<LookedUp> {
  return records === undefined ? matchLines(lineEnd) : new MatchRecords(records);
}

const REMEDY = 'one run looks lines up in several lists, --list LIST --list LIST';

/** The fields that listed records gain. */
export const MATCH_NAMES = [addedName('list', REMEDY), addedName('expression', REMEDY)] as const;

function matchLines(lineEnd: number): Format<LookedUp> {
  return {
    write({ rows, listings }, { rows: kept, count }, out) {
      if (listings.size === 0) return;
      for (let index = 0; index < count; index++) {
        const row = kept[index]!;
        for (const listing of listings.get(row) ?? []) writeMatch(out, listing, givenIn(rows, row), lineEnd);
      }
    },
  };
}

function writeMatch(out: GrowingBytes, { list, expression }: Listing, given: Uint8Array, lineEnd: number): void {
  out.text(list);
  out.byte(TAB);
  out.text(expression);
  out.byte(TAB);
  out.bytes(given);
  out.byte(lineEnd);
}

class MatchRecords implements Format<LookedUp> {
  readonly #records: RecordFormat;
  /** The one row that is being written. */
  readonly #one: KeptRows = { rows: new Uint32Array(1), count: 1, fields: new Uint8Array(0) };
  #listing: Listing | undefined;

  constructor(records: Records) {
    this.#records = new RecordFormat(records, [
      this.#field('list', MATCH_NAMES[0]),
      this.#field('expression', MATCH_NAMES[1]),
    ]);
  }

  write(results: LookedUp, { rows: kept, count, fields }: KeptRows, out: GrowingBytes): void {
    for (let index = 0; index < count; index++) {
      const row = kept[index]!;
      this.#one.rows[0] = row;
      if (isHeading(results.rows.kinds[row]!)) this.#records.write(results, { ...this.#one, fields }, out);
      for (this.#listing of results.listings.get(row) ?? [])
        this.#records.write(results, { ...this.#one, fields }, out);
    }
  }

  #field(key: keyof Listing, name: AddedName): AddedField {
    return { name, textOf: () => this.#listing![key] };
  }
}
