import { hexOfBytes } from '../../bytes/hex.ts';
import { decodeLine } from '../../bytes/utf8.ts';
import type { HashColumn } from '../../digest/column.ts';
import { wordsOfBytes } from '../../digest/words.ts';
import { canonicalForm } from '../../url/canonicalize.ts';
import { PROFILE } from '../../url/profile.ts';
import type { Row } from '../rows/each-row.ts';
import type { HashedRows } from '../stage/hashes.ts';
import type { ByteWriter } from './byte-writer.ts';

const SPACE = 0x20;

export const FORMATS = ['text', 'hex', 'u64', 'tsv', 'ndjson', 'bin'] as const;
type FormatName = (typeof FORMATS)[number];

/** Writes one row, and `lineEnd` behind it. `isHashed` is false for an invalid row whose hash field stays empty. */
export type Format = (out: ByteWriter, rows: HashedRows, row: Row, isHashed: boolean, lineEnd: number) => void;

export function formatOf(name: FormatName): Format {
  return { text, hex, u64, tsv, ndjson, bin }[name];
}

function text(out: ByteWriter, { bytes, column }: HashedRows, row: Row, isHashed: boolean, lineEnd: number): void {
  if (isHashed) writeHex(out, column, row);
  out.byte(SPACE);
  out.byte(SPACE);
  out.bytes(bytes, row.start, row.end);
  out.byte(lineEnd);
}

function hex(out: ByteWriter, { column }: HashedRows, row: Row, isHashed: boolean, lineEnd: number): void {
  if (isHashed) writeHex(out, column, row);
  out.byte(lineEnd);
}

function writeHex(out: ByteWriter, { bytes, width }: HashColumn, { row }: Row): void {
  out.hex(bytes, row * width, (row + 1) * width);
}

function u64(out: ByteWriter, { column }: HashedRows, row: Row, isHashed: boolean, lineEnd: number): void {
  if (isHashed) out.text(wordsOfBytes(digest(column, row)).join('-'));
  out.byte(lineEnd);
}

function bin(out: ByteWriter, { column: { bytes, width } }: HashedRows, { row }: Row): void {
  out.bytes(bytes, row * width, (row + 1) * width);
}

function tsv(out: ByteWriter, { bytes, column }: HashedRows, row: Row, isHashed: boolean, lineEnd: number): void {
  const line = decodeLine(bytes.subarray(row.start, row.end));
  const canonical = canonicalForm(line);
  out.text(`${escapeTsv(line)}\t${typeof canonical === 'string' ? escapeTsv(canonical) : ''}\t`);
  if (isHashed) writeHex(out, column, row);
  out.text(`\t${PROFILE}`);
  out.byte(lineEnd);
}

const TSV_ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function escapeTsv(line: string): string {
  return line.replace(/[\\\t\n\r]/g, (character) => TSV_ESCAPES[character]!);
}

function ndjson(out: ByteWriter, { bytes, column }: HashedRows, row: Row, isHashed: boolean, lineEnd: number): void {
  const url = decodeLine(bytes.subarray(row.start, row.end));
  const canonical = canonicalForm(url);
  const hash = digest(column, row);
  const record = {
    url,
    canonical: typeof canonical === 'string' ? canonical : null,
    hash: isHashed ? hexOfBytes(hash, 0, hash.length) : null,
    u64: isHashed ? wordsOfBytes(hash).map(String) : null,
    profile: PROFILE,
    ...(typeof canonical === 'string' ? {} : { error: canonical.reason }),
  };
  out.text(JSON.stringify(record));
  out.byte(lineEnd);
}

function digest({ bytes, width }: HashColumn, { row }: Row): Uint8Array {
  return bytes.subarray(row * width, (row + 1) * width);
}
