import { constants } from 'node:buffer';
import { HEX, LINE, WORDS } from '../../../assembly/lines/layout.ts';
import type { GrowingBytes } from '../../core/bytes/growing-bytes.ts';
import { appendHex, hexOfBytes } from '../../core/bytes/hex.ts';
import { decodeLine } from '../../core/bytes/text.ts';
import { wordsOfBytes } from '../../core/digest/digest.ts';
import type { Failure } from '../../core/url/failure.ts';
import type { PlaceName } from '../../specs/sites/site.ts';
import type { AddedName } from '../read/names.ts';
import { givenIn, NULL, type RowBatch } from '../read/row-batch.ts';
import { EMPTY, type ResultBatch } from '../work/stage.ts';
import type { RowFormat } from './format.ts';
import { type LineFormatName, lineFields } from './line-writer.ts';

/** Bytes of a line that fit in a string however they are escaped: six characters per byte at most. */
export const WHOLE_BYTES = Math.floor(constants.MAX_STRING_LENGTH / 6);
const CUT_BYTES = 1 << 10;

/** The canonical forms that structured formats show with each hash. */
export interface CanonicalForms {
  /** The name of the canonical form. */
  readonly profile: string;
  formOf(url: string): string | Failure;
}

/** A text that rows gain besides their hash. */
export interface AddedText {
  readonly name: AddedName;
  /** Undefined for the canonical form itself. */
  readonly place: PlaceName | undefined;
  /** Returns the text for a URL, or undefined if there is none. */
  of(url: string): string | undefined;
}

/** The formats of one line per row, by name. */
export const ROW_FORMATS: Readonly<
  Record<LineFormatName, (forms: CanonicalForms, lineEnd: number, texts?: readonly AddedText[]) => RowFormat>
> = {
  text: fieldByField('text'),
  hex: fieldByField('hex'),
  u64: fieldByField('u64'),
  tsv:
    ({ profile, formOf }, lineEnd, texts = []) =>
    (out, results, row, field) => {
      const line = textOf(results.rows, row);
      const canonical = formOf(line);
      out.text(`${escapeTsv(line)}\t${typeof canonical === 'string' ? escapeTsv(canonical) : ''}\t`);
      if (field !== EMPTY) writeHex(out, results, row);
      out.text(`\t${profile}`);
      for (const { of } of texts) out.text(`\t${escapeTsv(of(line) ?? '')}`);
      out.byte(lineEnd);
    },
  ndjson:
    ({ profile, formOf }, lineEnd, texts = []) =>
    (out, results, row, field) => {
      const url = textOf(results.rows, row);
      const isNull = results.rows.kinds[row] === NULL;
      const canonical = formOf(url);
      const hash = digestOf(results, row);
      const record = {
        url: isNull ? null : url,
        canonical: typeof canonical === 'string' ? canonical : null,
        hash: field === EMPTY ? null : hexOfBytes(hash),
        u64: field === EMPTY ? null : wordsOfBytes(hash).map(String),
        profile,
        ...Object.fromEntries(texts.map(({ name, of }) => [name.column, of(url) ?? null])),
        ...(typeof canonical === 'string' || isNull ? {} : { error: canonical.reason }),
      };
      out.text(JSON.stringify(record));
      out.byte(lineEnd);
    },
};

/** The fields that need no escapes. That of the hash is empty where the row has none. */
const FIELDS: Readonly<Record<number, RowFormat>> = {
  [HEX](out, results, row, field) {
    if (field !== EMPTY) writeHex(out, results, row);
  },
  [WORDS](out, results, row, field) {
    if (field !== EMPTY) writeWords(out, results, row);
  },
  [LINE](out, { rows: { rows } }, row) {
    out.bytes(rows.bytes, rows.starts[row]!, rows.ends[row]!);
  },
};

function fieldByField(name: LineFormatName) {
  return ({ profile }: CanonicalForms, lineEnd: number): RowFormat => {
    const fields = lineFields(name, profile);
    return (out, results, row, field) => {
      for (const each of fields) {
        if (typeof each === 'string') out.text(each);
        else FIELDS[each]!(out, results, row, field);
      }
      out.byte(lineEnd);
    };
  };
}

/** Returns a row's value as text, or all of a malformed row; cut, with an ellipsis, if it may not fit in a string. */
export function textOf(rows: RowBatch, row: number): string {
  const given = givenIn(rows, row);
  return given.length <= WHOLE_BYTES ? decodeLine(given) : `${decodeLine(given.subarray(0, CUT_BYTES))}…`;
}

export function writeHex(out: GrowingBytes, { digests, width }: ResultBatch, row: number): void {
  appendHex(out, digests, row * width, (row + 1) * width);
}

export function writeWords(out: GrowingBytes, results: ResultBatch, row: number): void {
  out.text(wordsOfBytes(digestOf(results, row)).join('-'));
}

export function digestOf({ digests, width }: ResultBatch, row: number): Uint8Array {
  return digests.subarray(row * width, (row + 1) * width);
}

const TSV_ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function escapeTsv(line: string): string {
  return line.replace(/[\\\t\n\r]/g, (character) => TSV_ESCAPES[character]!);
}
