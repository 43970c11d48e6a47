import type { DataPage, LeafForm, PageLayout } from './page-check.ts';

/** Bytes and rows that are decoded together, about. */
export const RUN_BYTES = 1 << 20;
export const RUN_ROWS = 1 << 16;

/** Bytes of four that hold a length, the lowest first. */
export function lengthBytes(byteLength: number): Uint8Array {
  return new Uint8Array(Uint32Array.of(byteLength).buffer);
}

/**
 * Cuts a page of plain texts into pages of RUN_BYTES or RUN_ROWS: DuckDB puts a whole row group in a page, up to 100 MB,
 * and each text takes 150 bytes more while it is decoded.
 */
export function* partsOf(page: DataPage, { valuesStart, levels }: PageLayout, leaf: LeafForm): Generator<DataPage> {
  const { valueCount, encoding, bytes } = page;
  const isCut = leaf.type === 'BYTE_ARRAY' && encoding === 'PLAIN' && leaf.maxRepetition === 0;
  if (!isCut || bytes.length < 2 * RUN_BYTES) return yield page;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let row = 0, at = valuesStart; row < valueCount; ) {
    const [firstRow, start] = [row, at];
    for (; row < valueCount && row - firstRow < RUN_ROWS && at - start < RUN_BYTES; row++)
      if (levels === undefined || levels[row] === leaf.maxDefinition) at += 4 + view.getUint32(at, true);
    const own = levels === undefined ? [] : runsOf(levels.subarray(firstRow, row));
    const parts = levels === undefined ? [] : [lengthBytes(own.length), Uint8Array.from(own)];
    yield { valueCount: row - firstRow, encoding, bytes: Buffer.concat([...parts, bytes.subarray(start, at)]) };
  }
}

/** Encodes levels as runs of one repeated value each (the RLE/bit-packing hybrid). */
function runsOf(levels: Uint8Array): number[] {
  const bytes: number[] = [];
  for (let row = 0, first = 0; row < levels.length; first = row) {
    while (row < levels.length && levels[row] === levels[first]) row++;
    let head = 2 * (row - first);
    for (; head >= 128; head = Math.floor(head / 128)) bytes.push((head % 128) | 128);
    bytes.push(head, levels[first]!);
  }
  return bytes;
}
