import { HEADING, MALFORMED_RECORD, NO_BRACE, valueText } from '../../src/command/read/batch.ts';
import { type Framing, quotedNames } from '../../src/command/read/framing.ts';
import { jsonLines } from '../../src/command/read/json-lines.ts';
import { fieldTexts, TableFraming } from '../../src/command/read/table.ts';
import { CSV, EVERY, TableRecords } from '../../src/command/read/table-records.ts';
import type { FileOptions } from '../state.ts';

/** The records of a block, by the command's own reader: row r is [starts[r], ends[r]) of its bytes. */
export interface Records {
  readonly starts: number[];
  readonly ends: number[];
  /** Where the field goes that a record gains. */
  readonly places: number[];
  /** What is hashed of each. */
  readonly values: string[];
  /** Rows that are not records, and why. */
  readonly malformed: Map<number, string>;
  /** Of a table, on its first block. */
  readonly header: Uint8Array | undefined;
}

/** What a record gains. */
const HASH = { column: 'urlsum', member: 'urlsum', remedy: 'the command names the hash by --hash-name' };

/** Not a URL under any base: it stands for the value of what is not a record. */
const NO_URL = 'https://';

const REASON_SUFFIX = ` (${MALFORMED_RECORD})`;

/** How a file is cut into records. */
export function framingOf({ rows, column }: FileOptions): Framing {
  if (rows === 'json') return jsonLines(column, false, [HASH]);
  return new TableFraming(CSV, column, { skipsBlank: false, comment: 0x23, keepsComments: false, added: [HASH] });
}

/** Reads a block in a state of its framing. */
export function recordsIn(framing: Framing, block: Uint8Array, state: unknown): Records {
  const starts: number[] = [];
  const ends: number[] = [];
  const places: number[] = [];
  const values: string[] = [];
  const malformed = new Map<number, string>();
  let hasHeader = false;
  for (const batch of framing.batches(block, state)) {
    const { rows, kinds, closingBraces, length } = batch;
    const problems = new Map(batch.problems.map(({ row, message }) => [row, message.replace(REASON_SUFFIX, '')]));
    for (let row = 0; row < length; row++) {
      const isHeader = kinds[row] === HEADING;
      hasHeader ||= isHeader;
      if (isHeader) continue;
      const problem = problems.get(row);
      if (problem !== undefined) malformed.set(starts.length, problem);
      starts.push(rows.starts[row]!);
      ends.push(rows.ends[row]!);
      places.push(closingBraces[row] === NO_BRACE ? rows.ends[row]! : closingBraces[row]!);
      values.push(valueText(batch, row) ?? NO_URL);
    }
  }
  const header = hasHeader ? block.subarray(0, starts[0] ?? block.length) : undefined;
  return { starts, ends, places, values, malformed, header };
}

/** The fields of the first record of a table; none where it is malformed, or not there. */
export function firstFields(block: Uint8Array): string[] {
  const records = new TableRecords(CSV, EVERY);
  if (!records.next(block, true) || records.malformation !== undefined) return [];
  return fieldTexts(block, records);
}

/** Says why a table cannot be read without a column. */
export function columnMissing(block: Uint8Array): Error {
  return new Error(`CSV needs the name or number of a column; it has ${quotedNames(firstFields(block))}`);
}
