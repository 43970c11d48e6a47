import { objectIn } from '../../src/command/read/json-lines.ts';
import { LINE_FEED } from '../../src/core/bytes/code-points.ts';
import { hexOfBytes } from '../../src/core/bytes/hex.ts';
import { decodeLine } from '../../src/core/bytes/text.ts';
import type { FileOptions } from '../state.ts';
import { type ChunkStream, chunksIn } from './chunks.ts';
import { textOf } from './file-text.ts';
import { firstFields, type HashedBlock, hashedBlocks } from './hashed-block.ts';

const SHOWN_ROWS = 8;

/** Read at a time: more than the first rows take, and soon hashed. */
const PIECE_BYTES = 1 << 14;

/** The longest first row: one that is longer is not looked at. */
const LONGEST_ROW_BYTES = 1 << 20;

/** The output for the first rows of a file. */
export interface Preview {
  readonly header: string | undefined;
  readonly rows: readonly PreviewRow[];
  /** A hint on what to choose where this is likely not how the file is meant. */
  readonly hint: string | undefined;
}

export interface PreviewRow {
  /** From 1, the header counted. */
  readonly row: number;
  readonly output: string;
  /** Why it has no hash. */
  readonly problem: string | undefined;
}

/** @throws {Error} where the file is not text, or options do not fit to it */
export async function previewOf(file: File, options: FileOptions): Promise<Preview> {
  try {
    const shown = { rows: SHOWN_ROWS + 1, badRows: SHOWN_ROWS }; // and a header
    for await (const block of hashedBlocks(startOf(file), options, shown)) return previewOfBlock(block, options);
  } catch (error) {
    throw options.rows === 'csv' ? await withHint(error, file) : error;
  }
  return { header: undefined, rows: [], hint: undefined };
}

/** An error on a table, with what its first record hints at. */
async function withHint(error: unknown, file: File): Promise<unknown> {
  if (error instanceof DOMException || !(error instanceof Error)) return error;
  const hint = columnsHint(await firstPieceOf(file).then(firstFields, () => []));
  return hint === undefined ? error : new Error(`${error.message}. ${hint}`);
}

async function firstPieceOf(file: File): Promise<Uint8Array> {
  for await (const piece of startOf(file)) return piece;
  return new Uint8Array(0);
}

function previewOfBlock(hashed: HashedBlock, options: FileOptions): Preview {
  const problems = new Map(hashed.badRows.map(({ row, sentence }) => [row, sentence]));
  const heading = hashed.shownRows.find(({ isHeading }) => isHeading);
  const rows = hashed.shownRows
    .filter((shown) => shown !== heading)
    .slice(0, SHOWN_ROWS)
    .map(({ number, output }) => ({ row: number, output: shown(output, options), problem: problems.get(number) }));
  return { header: heading && decodeLine(heading.output).trimEnd(), rows, hint: hintOf(hashed, options) };
}

/** Returns a hint for a file of which no row shown has a hash, and for a table of one column. */
function hintOf({ block, report }: HashedBlock, { rows }: FileOptions): string | undefined {
  if (rows === 'csv') return columnsHint(firstFields(block));
  const isBad = report.rowCount > 0 && report.problems.length >= Math.min(SHOWN_ROWS, report.rowCount);
  if (!isBad) return undefined;
  const first = firstLine(block);
  if (rows === 'json') return objectIn(first) === undefined ? CHOOSE_LINES : undefined;
  return /[,;\t]/.test(decodeLine(first)) ? 'If it is a table, choose CSV.' : undefined;
}

const CHOOSE_LINES = 'If it has one URL per line, choose lines.';

/** Says what to do where a table has one column: its columns may be parted by another character, or it is none. */
function columnsHint([only, second]: readonly string[]): string | undefined {
  if (only === undefined || second !== undefined) return undefined;
  const [delimiter] = /[;\t|]/.exec(only) ?? [];
  if (delimiter === undefined) return /^[a-z][a-z0-9+.-]*:/i.test(only) ? CHOOSE_LINES : undefined;
  const named = delimiter === '\t' ? 'tabs' : `"${delimiter}"`;
  return `Its columns seem to be separated by ${named}, not commas: urlsum --delimiter reads such a file.`;
}

/** From the start to the first line feed, or the end. */
function firstLine(bytes: Uint8Array): Uint8Array {
  const feed = bytes.indexOf(LINE_FEED);
  return bytes.subarray(0, feed === -1 ? bytes.length : feed);
}

function shown(output: Uint8Array, { rows, format }: FileOptions): string {
  const isBinary = rows === 'lines' && format === 'bin';
  return isBinary ? hexOfBytes(output, 0, output.length) : decodeLine(output).replace(/\r?\n$/, '');
}

/** Text of the beginning, in small pieces. */
async function* startOf(file: File): ChunkStream {
  let byteLength = 0;
  for await (const chunk of textOf(chunksIn(file.stream()))) {
    if (byteLength === 0) mustBeText(chunk.subarray(0, PIECE_BYTES));
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) yield chunk.subarray(at, at + PIECE_BYTES);
    byteLength += chunk.length;
    if (byteLength > LONGEST_ROW_BYTES) throw new Error('its first row is longer than 1 MiB: is it text?');
  }
}

/** Characters that text does not have, or has where it is not UTF-8. */
const NOT_TEXT = /[\0-\x08\x0e-\x1f\x7f-\x9f\ufffd]/g;
/**
 * The share of such characters in text: of compressed data nearly half is such; of lists with names in another
 * encoding, less than this.
 */
const NOT_TEXT_SHARE = 0.1;

/** @throws {Error} on the start of a file in which nothing could be read */
function mustBeText(start: Uint8Array): void {
  const text = decodeLine(start);
  const count = text.match(NOT_TEXT)?.length ?? 0;
  if (count > 1 && count > NOT_TEXT_SHARE * text.length) throw new Error('it is not text in UTF-8');
}

/** How a file is to be read, by its name and its first bytes: a table's columns, or an object's fields. */
export interface Guess {
  readonly rows: FileOptions['rows'];
  readonly names: readonly string[];
}

/** @throws {Error} where the file is not text */
export async function guessOf(file: File): Promise<Guess> {
  const rows = rowsByName(file.name);
  if (rows === 'lines') return { rows, names: [] };
  const start = await firstPieceOf(file);
  return { rows, names: rows === 'csv' ? firstFields(start) : stringsIn(objectIn(firstLine(start)) ?? {}, '') };
}

function rowsByName(name: string): FileOptions['rows'] {
  const text = textName(name).toLowerCase();
  if (text.endsWith('.csv')) return 'csv';
  return /\.(?:jsonl|ndjson|json)$/.test(text) ? 'json' : 'lines';
}

/** The fields of an object that are strings, those of the objects in it as `a.b`. */
function stringsIn(value: object, path: string): string[] {
  return Object.entries(value).flatMap(([name, member]) => {
    if (typeof member === 'string') return [`${path}${name}`];
    return isObject(member) ? stringsIn(member, `${path}${name}.`) : [];
  });
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The name of the text in a file. */
export function textName(name: string): string {
  return name.replace(/\.(?:gz|zst)$/i, '');
}
