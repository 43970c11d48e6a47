import { decodeLine } from '../bulk/text.ts';
import type { HashColumn } from '../digest/column.ts';
import { hexOfBytes } from '../digest/hex.ts';
import { wordsOfBytes } from '../digest/words.ts';
import { canonicalForm } from '../url/canonicalize.ts';
import { PROFILE } from '../url/profile.ts';
import type { ByteWriter } from './byte-writer.ts';
import type { Row } from './rows.ts';

export const FORMATS = ['text', 'hex', 'u64', 'tsv', 'ndjson', 'bin'] as const;
export type FormatName = (typeof FORMATS)[number];

/** Writes one row. `isHashed` is false for an invalid row whose hash field stays empty. */
export type Format = (out: ByteWriter, block: Uint8Array, column: HashColumn, row: Row, isHashed: boolean) => void;

const LINE_FEED = 0x0a;

export function formatOf(name: FormatName): Format {
  return { text, hex, u64, tsv, ndjson, bin }[name];
}

function text(out: ByteWriter, block: Uint8Array, column: HashColumn, row: Row, isHashed: boolean): void {
  if (isHashed) writeHex(out, column, row);
  out.text('  ');
  out.bytes(block, row.start, row.end);
  out.byte(LINE_FEED);
}

function hex(out: ByteWriter, _block: Uint8Array, column: HashColumn, row: Row, isHashed: boolean): void {
  if (isHashed) writeHex(out, column, row);
  out.byte(LINE_FEED);
}

function writeHex(out: ByteWriter, { bytes, width }: HashColumn, { row }: Row): void {
  out.hex(bytes, row * width, (row + 1) * width);
}

function u64(out: ByteWriter, _block: Uint8Array, column: HashColumn, row: Row, isHashed: boolean): void {
  if (isHashed) out.text(wordsOfBytes(digest(column, row)).join('-'));
  out.byte(LINE_FEED);
}

function bin(out: ByteWriter, _block: Uint8Array, { bytes, width }: HashColumn, { row }: Row): void {
  out.bytes(bytes, row * width, (row + 1) * width);
}

function tsv(out: ByteWriter, block: Uint8Array, column: HashColumn, row: Row, isHashed: boolean): void {
  const line = decodeLine(block.subarray(row.start, row.end));
  const canonical = canonicalForm(line);
  out.text(`${escapeTsv(line)}\t${typeof canonical === 'string' ? canonical : ''}\t`);
  if (isHashed) writeHex(out, column, row);
  out.text(`\t${PROFILE}\n`);
}

const TSV_ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function escapeTsv(line: string): string {
  return line.replace(/[\\\t\n\r]/g, (character) => TSV_ESCAPES[character]!);
}

function ndjson(out: ByteWriter, block: Uint8Array, column: HashColumn, row: Row, isHashed: boolean): void {
  const url = decodeLine(block.subarray(row.start, row.end));
  const canonical = canonicalForm(url);
  const bytes = digest(column, row);
  const record = {
    url,
    canonical: typeof canonical === 'string' ? canonical : null,
    hash: isHashed ? hexOfBytes(bytes, 0, bytes.length) : null,
    u64: isHashed ? wordsOfBytes(bytes).map(String) : null,
    profile: PROFILE,
    ...(typeof canonical === 'string' ? {} : { error: canonical.reason }),
  };
  out.text(`${JSON.stringify(record)}\n`);
}

function digest({ bytes, width }: HashColumn, { row }: Row): Uint8Array {
  return bytes.subarray(row * width, (row + 1) * width);
}
