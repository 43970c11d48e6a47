import type { HashColumn } from '../../src/index.ts';
import type { Line, LineQueue } from './line-queue.ts';

export type RowFormatName = 'text' | 'hex' | 'bin';

const LINE_FEED = 0x0a;
const SPACE = 0x20;
const DIGITS = Uint8Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0));

/**
 * The bytes of a column's rows in a format of the command; `lines` gives their lines, in order, where it writes them.
 */
export function formatted(column: HashColumn, format: RowFormatName, lines: LineQueue): Uint8Array<ArrayBuffer> {
  if (format === 'bin') return column.bytes;
  const output = new Uint8Array(column.length * (2 * column.width + 3) + lines.byteLength);
  let length = 0;
  let nextInvalid = 0;
  for (let row = 0; row < column.length; row++) {
    if (column.invalid[nextInvalid] === row) nextInvalid++;
    else length = writeHex(output, length, column, row);
    if (format === 'text') length = writeLine(output, length, lines.next());
    output[length++] = LINE_FEED;
  }
  return output.subarray(0, length);
}

function writeHex(output: Uint8Array, at: number, { bytes, width }: HashColumn, row: number): number {
  let to = at;
  for (let from = row * width; from < (row + 1) * width; from++) {
    output[to++] = DIGITS[bytes[from]! >> 4]!;
    output[to++] = DIGITS[bytes[from]! & 15]!;
  }
  return to;
}

/** Two spaces and the line as it was given. */
function writeLine(output: Uint8Array, at: number, { bytes, start, end }: Line): number {
  output[at] = output[at + 1] = SPACE;
  let to = at + 2;
  for (let from = start; from < end; from++) output[to++] = bytes[from]!;
  return to;
}
