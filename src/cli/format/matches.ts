import { TAB } from '../../bytes/code-points.ts';
import type { OnError } from '../rows/on-error.ts';
import type { Records } from '../rows/open-framing.ts';
import { givenIn } from '../rows/values.ts';
import { ByteWriter } from '../stage/byte-writer.ts';
import type { Listing, LookedUp, Match } from '../stage/lookups.ts';
import type { Row } from '../stage/stage.ts';
import { type Format, RowByRow } from './format.ts';
import { type AddedField, RecordFormat } from './record-format.ts';

/**
 * The rows that are listed, once for each list that has them: lines of list, expression and the line as given, or
 * records with two more fields.
 */
export function openMatchFormat(lineEnd: number, records: Records | undefined): Format<LookedUp> {
  return records === undefined ? new MatchLines(lineEnd) : new MatchRecords(records);
}

class MatchLines extends RowByRow<LookedUp> {
  readonly #lineEnd: number;
  readonly #writer = new ByteWriter();

  constructor(lineEnd: number) {
    super((out, { rows, matches }, { row, start, end }) => {
      const match = matches.get(row);
      if (match !== undefined) writeMatch(out, match, givenIn(rows, row, start, end), lineEnd);
    }, lineEnd);
    this.#lineEnd = lineEnd;
  }

  /** Most blocks have little to write: their other lines are not looked at. */
  block({ rows, matches, problems }: LookedUp, onError: OnError): Uint8Array | undefined {
    if (!('lines' in rows.values) || (onError === 'fail' && problems.length > 0)) return undefined;
    for (const match of matches.values())
      writeMatch(this.#writer, match, rows.values.lines.subarray(match.start, match.end), this.#lineEnd);
    return this.#writer.take();
  }
}

function writeMatch(out: ByteWriter, { listings }: Match, given: Uint8Array, lineEnd: number): void {
  for (const { list, expression } of listings) {
    out.text(list);
    out.byte(TAB);
    out.text(expression);
    out.byte(TAB);
    out.bytes(given, 0, given.length);
    out.byte(lineEnd);
  }
}

class MatchRecords implements Format<LookedUp> {
  readonly #records: RecordFormat<LookedUp>;
  /** What the record that is being written gains. */
  #listing: Listing | undefined;

  constructor(records: Records) {
    this.#records = new RecordFormat(records, [this.#field('list'), this.#field('expression')]);
  }

  header(header: Uint8Array): Uint8Array {
    return this.#records.header(header);
  }

  row(results: LookedUp, row: Row, hasResult: boolean): void {
    if (row.isCaption) return this.#records.row(results, row, hasResult);
    for (this.#listing of results.matches.get(row.row)?.listings ?? []) this.#records.row(results, row, hasResult);
  }

  take(): Uint8Array {
    return this.#records.take();
  }

  end(): Iterable<Uint8Array> {
    return this.#records.end();
  }

  #field(name: keyof Listing): AddedField<LookedUp> {
    return { name, write: (out, _results, _row, spell) => out.text(spell(this.#listing![name])) };
  }
}
