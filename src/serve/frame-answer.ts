import type { Column } from './rows.ts';

const HEADER_WORDS = 2;

/** The answer to a request, in pieces: row count and byte count, offsets where rows vary; values; validity. */
export function frameAnswer({ length, bytes, offsets, invalid }: Column): readonly Uint8Array[] {
  const head = new Uint32Array(HEADER_WORDS + (offsets?.length ?? 0));
  head[0] = length;
  head[1] = bytes.length;
  if (offsets !== undefined) head.set(offsets, HEADER_WORDS);
  return [new Uint8Array(head.buffer), bytes, validity(length, invalid)];
}

/** One bit per row, least significant first: 1 where the row has a value. The bits after the last row are 0. */
function validity(rowCount: number, invalid: Uint32Array): Uint8Array {
  const bitmap = new Uint8Array(Math.ceil(rowCount / 8)).fill(0xff);
  if (rowCount % 8 > 0) bitmap[bitmap.length - 1] = 0xff >> (8 - (rowCount % 8));
  for (const row of invalid) bitmap[row >> 3]! &= ~(1 << (row & 7));
  return bitmap;
}
