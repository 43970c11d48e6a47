import { TAB } from '../../bytes/code-points.ts';
import type { Records } from '../rows/open-framing.ts';
import { givenIn } from '../rows/values.ts';
import type { LookedUp, Match } from '../stage/lookups.ts';
import type { Row } from '../stage/stage.ts';
import { type Format, RowByRow } from './format.ts';
import { type AddedField, RecordFormat } from './record-format.ts';

const NOTHING = new Uint8Array(0);

/** The rows that are on a list: lines of list, expression and the line as given, or records with two more fields. */
export function openMatchFormat(lineEnd: number, records: Records | undefined): Format<LookedUp> {
  return records === undefined ? new MatchLines(lineEnd) : new MatchRecords(records);
}

class MatchLines extends RowByRow<LookedUp> {
  constructor(lineEnd: number) {
    super((out, { rows, matches }, { row, start, end }) => {
      const match = matches.get(row);
      if (match === undefined) return;
      const given = givenIn(rows, row, start, end);
      out.text(match.list);
      out.byte(TAB);
      out.text(match.expression);
      out.byte(TAB);
      out.bytes(given, 0, given.length);
      out.byte(lineEnd);
    }, lineEnd);
  }

  /** Most blocks have nothing to write. */
  block({ matches }: LookedUp): Uint8Array | undefined {
    return matches.size === 0 ? NOTHING : undefined;
  }
}

class MatchRecords implements Format<LookedUp> {
  readonly #records: RecordFormat<LookedUp>;

  constructor(records: Records) {
    this.#records = new RecordFormat(records, [field('list'), field('expression')]);
  }

  header(header: Uint8Array): Uint8Array {
    return this.#records.header(header);
  }

  row(results: LookedUp, row: Row, hasResult: boolean): void {
    if (row.isCaption || results.matches.has(row.row)) this.#records.row(results, row, hasResult);
  }

  take(): Uint8Array {
    return this.#records.take();
  }

  end(): Iterable<Uint8Array> {
    return this.#records.end();
  }
}

function field(name: keyof Match): AddedField<LookedUp> {
  return { name, write: (out, { matches }, { row }, spell) => out.text(spell(matches.get(row)![name])) };
}
