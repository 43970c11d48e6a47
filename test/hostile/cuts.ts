import * as assert from 'uvu/assert';
import { LineBlocks } from '../../src/bulk/line-blocks.ts';
import { CSV } from '../../src/cli/rows/csv.ts';
import { TableFraming } from '../../src/cli/rows/table-framing.ts';
import type { TableRows } from '../../src/cli/rows/table-rows.ts';
import { definedRecords } from '../cli/rows/csv-definition.ts';
import { random } from '../seed.ts';

const ALPHABET = ['"', '"', '"', ',', ',', '\n', '\r', 'a', 'é', '\ufeff'];

/** The rows of `count` small texts of CSV, each cut in its own way: those that the definition gives. */
export function cuts(count: number): string {
  const next = random();
  let [rowCount, malformedCount] = [0, 0];
  for (let round = 0; round < count; round++) {
    const text = Array.from({ length: next(48) }, () => ALPHABET[next(ALPHABET.length)]).join('');
    const rows = rowsOf(Buffer.from(text), 1 + next(12), next);
    const expected = expectedRows(text.replace(/^\ufeff/, ''));
    if (JSON.stringify(rows) !== JSON.stringify(expected)) assert.equal(rows, expected, JSON.stringify(text));
    rowCount += rows.length;
    malformedCount += rows.filter((row) => row === undefined).length;
  }
  assert.ok(malformedCount > count / 10);
  return `${count} texts, ${rowCount} rows, ${malformedCount} of them malformed`;
}

/**
 * The value of the first column of each row: empty where it has not as many as the first, undefined where it has none.
 */
function expectedRows(text: string): (string | undefined)[] {
  const records = definedRecords(text).map((record) => ('fields' in record ? record.fields : undefined));
  const fieldCount = records.find((fields) => fields !== undefined)?.length;
  return records.map((fields) => fields && (fields.length === fieldCount ? fields[0]! : ''));
}

function rowsOf(bytes: Uint8Array, byteLength: number, next: ReturnType<typeof random>): (string | undefined)[] {
  const framing = new TableFraming(CSV, '1');
  const blocks = new LineBlocks(framing.cutter());
  const rows: (string | undefined)[] = [];
  for (let at = 0, end = 0; at < bytes.length; at = end) {
    end = at + 1 + next(byteLength);
    rows.push(...valuesIn(framing.rows(blocks.push(bytes.slice(at, end)))));
  }
  return rows.concat(valuesIn(framing.rows(blocks.end())));
}

function valuesIn({ values: { bytes, offsets }, malformed }: TableRows): (string | undefined)[] {
  return Array.from({ length: offsets.length - 1 }, (_, row) => {
    const isLost = malformed.get(row)?.message.startsWith('not a record:');
    return isLost === true ? undefined : Buffer.from(bytes.subarray(offsets[row], offsets[row + 1])).toString();
  });
}
