import { constants } from 'node:buffer';
import type { Canonicalizing } from '../../bulk/row-sink.ts';
import { SPACE } from '../../bytes/code-points.ts';
import { hexOfBytes } from '../../bytes/hex.ts';
import { decodeLine } from '../../bytes/utf8.ts';
import type { HashColumn } from '../../digest/column.ts';
import { wordsOfBytes } from '../../digest/words.ts';
import type { Failure } from '../../url/failure.ts';
import type { Rows } from '../rows/framing.ts';
import { givenIn } from '../rows/values.ts';
import type { ByteWriter } from '../stage/byte-writer.ts';
import type { HashedRows } from '../stage/hashes.ts';
import type { Row } from '../stage/stage.ts';
import type { RowFormat } from './format.ts';
import type { LineFormatName } from './line-template.ts';

/** Bytes of a line that fit in a string however they are escaped: six characters per byte at most. */
export const WHOLE_BYTES = Math.floor(constants.MAX_STRING_LENGTH / 6);
const CUT_BYTES = 1 << 10;

/** What structured formats say of a URL beside its hash. */
export interface CanonicalForms extends Pick<Canonicalizing, 'base' | 'form'> {
  /** The name of the canonical form. */
  readonly profile: string;
  formOf(url: string): string | Failure;
}

function text(out: ByteWriter, { rows, column }: HashedRows, row: Row, hasResult: boolean, lineEnd: number): void {
  if (hasResult) writeHex(out, column, row);
  out.byte(SPACE);
  out.byte(SPACE);
  out.bytes(rows.bytes, row.start, row.end);
  out.byte(lineEnd);
}

function hex(out: ByteWriter, { column }: HashedRows, row: Row, hasResult: boolean, lineEnd: number): void {
  if (hasResult) writeHex(out, column, row);
  out.byte(lineEnd);
}

function u64(out: ByteWriter, { column }: HashedRows, row: Row, hasResult: boolean, lineEnd: number): void {
  if (hasResult) out.text(wordsOfBytes(digestOf(column, row)).join('-'));
  out.byte(lineEnd);
}

export function bin(out: ByteWriter, { column: { bytes, width } }: HashedRows, { row }: Row): void {
  out.bytes(bytes, row * width, (row + 1) * width);
}

function tsv({ profile, formOf }: CanonicalForms): RowFormat<HashedRows> {
  return (out, { rows, column }, row, hasResult, lineEnd) => {
    const line = textOf(rows, row);
    const canonical = formOf(line);
    out.text(`${escapeTsv(line)}\t${typeof canonical === 'string' ? escapeTsv(canonical) : ''}\t`);
    if (hasResult) writeHex(out, column, row);
    out.text(`\t${profile}`);
    out.byte(lineEnd);
  };
}

function ndjson({ profile, formOf }: CanonicalForms): RowFormat<HashedRows> {
  return (out, { rows, column }, row, hasResult, lineEnd) => {
    const url = textOf(rows, row);
    const canonical = formOf(url);
    const hash = digestOf(column, row);
    const record = {
      url,
      canonical: typeof canonical === 'string' ? canonical : null,
      hash: hasResult ? hexOfBytes(hash, 0, hash.length) : null,
      u64: hasResult ? wordsOfBytes(hash).map(String) : null,
      profile,
      ...(typeof canonical === 'string' ? {} : { error: canonical.reason }),
    };
    out.text(JSON.stringify(record));
    out.byte(lineEnd);
  };
}

/** The row as text; cut, with an ellipsis, where it may not fit in a string. */
export function textOf(rows: Rows, { row, start, end }: Pick<Row, 'row' | 'start' | 'end'>): string {
  const given = givenIn(rows, row, start, end);
  return given.length <= WHOLE_BYTES ? decodeLine(given) : `${decodeLine(given.subarray(0, CUT_BYTES))}…`;
}

export function writeHex(out: ByteWriter, { bytes, width }: HashColumn, { row }: Row): void {
  out.hex(bytes, row * width, (row + 1) * width);
}

export function digestOf({ bytes, width }: HashColumn, { row }: Row): Uint8Array {
  return bytes.subarray(row * width, (row + 1) * width);
}

const TSV_ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function escapeTsv(line: string): string {
  return line.replace(/[\\\t\n\r]/g, (character) => TSV_ESCAPES[character]!);
}

/** The formats of one line per row, by name. */
export const ROW_FORMATS: Readonly<Record<LineFormatName, (forms: CanonicalForms) => RowFormat<HashedRows>>> = {
  text: () => text,
  hex: () => hex,
  u64: () => u64,
  tsv,
  ndjson,
};
