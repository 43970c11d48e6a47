import { CARRIAGE_RETURN } from '../../bytes/code-points.ts';
import { wordsOfBytes } from '../../digest/words.ts';
import type { Format } from './formats.ts';

/** The record as it stands, the hash behind it as one more field, and the record's own line end. */
export function tableFormat(delimiter: string, isDecimal: boolean): Format {
  return (out, { bytes, column }, { row, start, end }, isHashed, lineEnd) => {
    const [first, next] = [row * column.width, (row + 1) * column.width];
    out.bytes(bytes, start, end);
    out.text(delimiter);
    if (isHashed && isDecimal) out.text(wordsOfBytes(column.bytes.subarray(first, next)).join('-'));
    if (isHashed && !isDecimal) out.hex(column.bytes, first, next);
    if (bytes[end] === CARRIAGE_RETURN) out.byte(CARRIAGE_RETURN);
    out.byte(lineEnd);
  };
}
