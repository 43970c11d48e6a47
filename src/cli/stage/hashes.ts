import { isAscii } from 'node:buffer';
import { hashLines } from '../../bulk/lines.ts';
import { hashStrings } from '../../bulk/strings.ts';
import { CARRIAGE_RETURN, LINE_FEED } from '../../bytes/code-points.ts';
import { decodeLine } from '../../bytes/utf8.ts';
import type { HashColumn } from '../../digest/column.ts';
import { digestOfBytes } from '../../digest/digest.ts';
import type { Kernel, Width } from '../../kernel/kernel.ts';
import { eachRow } from '../rows/each-row.ts';
import type { LineValues, PackedValues, Rows, Values } from '../rows/framing.ts';
import { eachValue, givenIn } from '../rows/values.ts';

/** A block's rows beside the hashes of their values. */
export interface HashedRows {
  readonly rows: Rows;
  readonly bytes: Uint8Array;
  readonly column: HashColumn;
}

/** The hashes of a block's values. */
export function hashesOf(kernel: Kernel, values: Values, width: Width): HashColumn {
  if (!('lines' in values)) return hashStrings(kernel, stringsOf(values), width);
  if (values.lineEnd === LINE_FEED) return hashLines(kernel, values.lines, width);
  return hashZeroLines(kernel, values, width);
}

/** As lines, in a copy, where that is the same; the kernel splits at LF and takes a CR before it away. */
function hashZeroLines(kernel: Kernel, values: LineValues, width: Width): HashColumn {
  if (values.lines.includes(LINE_FEED) || values.lines.includes(CARRIAGE_RETURN))
    return hashStrings(kernel, decoded(values), width);
  const lines = Uint8Array.from(values.lines); // a Buffer's slice is no copy
  for (let at = 0; at < lines.length; at++) if (lines[at] === values.lineEnd) lines[at] = LINE_FEED;
  return hashLines(kernel, lines, width);
}

/** ASCII is decoded at once and cut as a string. */
function stringsOf(values: PackedValues): string[] {
  const { bytes, offsets } = values;
  if (!isAscii(bytes)) return decoded(values);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  return Array.from({ length: offsets.length - 1 }, (_, row) => text.slice(offsets[row], offsets[row + 1]));
}

function decoded(values: Values): string[] {
  const texts: string[] = [];
  eachValue(values, (bytes, start, end) => void texts.push(decodeLine(bytes.subarray(start, end))));
  return texts;
}

/** Gives the invalid rows the hash of what is in place of their URL, as it stands: `--on-error keep`. */
export function keepInvalid(kernel: Kernel, rows: Rows, { bytes, invalid, width }: HashColumn): void {
  if (invalid.length === 0) return;
  eachRow(rows, invalid, ({ row, start, end, isInvalid }) => {
    if (isInvalid) bytes.set(digestOfBytes(kernel, givenIn(rows, row, start, end), width), row * width);
  });
}
