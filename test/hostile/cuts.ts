import * as assert from 'uvu/assert';
import type { Batch } from '../../src/command/read/batch.ts';
import { TableFraming } from '../../src/command/read/table.ts';
import { CSV } from '../../src/command/read/table-records.ts';
import { LineBlocks } from '../../src/core/bytes/lines.ts';
import { openKernel } from '../../src/core/kernel/open.ts';
import { batchesOf, spanAt } from '../command/rows.ts';
import { definedRecords } from '../support/csv-definition.ts';
import { random } from '../support/seed.ts';

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
  const framing = new TableFraming(CSV, '1', {
    kernel: openKernel(),
    skipsBlank: false,
    comment: undefined,
    keepsComments: false,
    added: [],
  });
  return Array.from(batchesOf(framing, cut(framing, bytes, byteLength, next)), valuesIn).flat();
}

/** Blocks of whole rows, as the command cuts them where its input comes in such pieces. */
function cut(
  framing: TableFraming,
  bytes: Uint8Array,
  byteLength: number,
  next: ReturnType<typeof random>,
): Uint8Array[] {
  const lines = new LineBlocks(framing.cutter());
  const blocks: Uint8Array[] = [];
  for (let at = 0, end = 0; at < bytes.length; at = end) {
    end = at + 1 + next(byteLength);
    blocks.push(lines.push(bytes.slice(at, end)).slice());
  }
  return [...blocks, lines.end().slice()].filter(({ length }) => length > 0);
}

function valuesIn({ values, length, problems }: Batch): (string | undefined)[] {
  const lost = new Set(problems.flatMap(({ row, message }) => (message.startsWith('not a record:') ? [row] : [])));
  return Array.from({ length }, (_, row) => (lost.has(row) ? undefined : spanAt(values, row).toString()));
}
