import { LINE_FEED } from '../../core/bytes/code-points.ts';
import { asciiText } from '../../core/bytes/text.ts';
import { canonicalForm } from '../../core/url/canonicalize.ts';
import { isLogLine } from './access-log/known-formats.ts';
import { INPUT_KINDS, type InputKind, wrongKind } from './input-kind.ts';

/** The most bytes of a text that tell its kind. */
export const TEXT_START_BYTES = 1 << 16;

function startText(bytes: Uint8Array): string {
  return asciiText(bytes.subarray(0, TEXT_START_BYTES));
}

/** Whether a text begins as a URL with a host does, which is the same against every base. */
export function beginsAsUrl(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
}

/**
 * Whether a text begins as lines of URLs do; false if it takes more of the text to tell.
 *
 * @param mayHaveTabs whether the command itself looks at tabs inside of lines
 * @throws where it is of another kind
 */
export function isLinesOfUrls(start: Uint8Array, lineEnd: number, mayHaveTabs: boolean): boolean {
  const isKnown = lineEnd !== LINE_FEED || (isNoJson(start) && isNoTable(start) && (mayHaveTabs || hasNoRows(start)));
  mustEndIn(lineEnd, start);
  return isKnown;
}

function isNoJson(start: Uint8Array): boolean {
  if (!isNotWholeJson(start)) return false;
  const isJson = isJsonLines(start);
  if (isJson === true) throw wrongKind(INPUT_KINDS.jsonLines);
  return isJson === false;
}

/**
 * Whether a text that begins with these bytes is not JSON but perhaps lines of it; false if it takes more of the text to
 * tell.
 *
 * @throws where it is one array or object
 */
export function isNotWholeJson(start: Uint8Array): boolean {
  const text = startText(start).replace(/^[ \t\r\n]+/, '');
  const isEnough = start.length >= TEXT_START_BYTES;
  if (text === '') return isEnough;
  if (/^\{\s*"log"\s*:\s*\{/.test(text)) throw wrongKind(INPUT_KINDS.har);
  if (text.startsWith('[')) {
    const element = /^\[\s*(\S)/.exec(text)?.[1];
    if (element === undefined) return isEnough;
    if (element === '"') throw wrongKind(INPUT_KINDS.jsonStrings);
    if (element === '[') throw wrongKind(INPUT_KINDS.jsonRows);
    if (element === '{') throw wrongKind(INPUT_KINDS.jsonArray);
    return true;
  }
  const [, first, next] = /^(\{[^\n]*)\n\s*(\S?)/.exec(text) ?? [];
  if (first === undefined) return isEnough || !text.startsWith('{');
  if (!/[{[,]\s*$/.test(first)) return true;
  if (next === '') return isEnough;
  if (next !== '"') return true;
  throw wrongKind(INPUT_KINDS.json);
}

/** The start of an object with a first name, or of an empty one. No scheme begins with a brace. */
const OBJECT_START = /^[ \t]*\{[ \t]*(?:"(?:[^"\\]|\\.)*"[ \t]*:|\})/;
const POSSIBLE_START = /^[ \t]*(?:\{|$)/;

/**
 * Whether the first two lines of a text both begin a JSON object: one could be the first line of a list of URLs.
 * Undefined if it takes more of the text to tell.
 */
export function isJsonLines(start: Uint8Array): boolean | undefined {
  const text = startText(start);
  const lines = text.split('\n', 3);
  const isFirstWhole = lines.length > 1 || text.length === TEXT_START_BYTES;
  if (!(isFirstWhole ? OBJECT_START : POSSIBLE_START).test(lines[0]!)) return false;
  if (lines.length < 3 && text.length < TEXT_START_BYTES) return undefined;
  return lines.slice(0, 2).every((line) => OBJECT_START.test(line));
}

const SEPARATORS = [',', '\t', ';', '|'];

function fieldsOf(line: string, separator: string): string[] {
  return line.split(separator).map((field) => field.replaceAll('"', ''));
}

/** Whether a column is named as those of URLs are. */
function isNameOfUrls(name: string): boolean {
  return /^[\w -]+$/.test(name) && /url|uri|link|href|address|page/i.test(name);
}

/**
 * Returns false if it takes more of the text to tell whether it is a table: its first line has the name of a column in
 * whose place the second has a URL. @throws where it is one
 */
function isNoTable(start: Uint8Array): boolean {
  const [first, second, ...others] = startText(start).split(/\r?\n/, 3) as [string, ...string[]];
  for (const separator of SEPARATORS) {
    const names = fieldsOf(first, separator);
    if (names.length < 2 || !names.some(isNameOfUrls)) continue;
    if (second === undefined || (others.length === 0 && start.length < TEXT_START_BYTES)) return false;
    const values = fieldsOf(second, separator);
    if (names.some((name, at) => isNameOfUrls(name) && beginsAsUrl(values[at] ?? '')))
      throw wrongKind(INPUT_KINDS.table);
  }
  return true;
}

/** A URL with another field of a table after it: the URL Standard removes the tab, and would key both as one URL. */
const URL_AND_FIELD = /^"?[a-z][a-z0-9+.-]*:\/\/[^\t]*\t.*\S/i;

/**
 * Returns false if it takes more of the text to tell whether it is a table without a header, or with one that names no
 * URL: two of its first three lines have a field after a URL. @throws where it is one
 */
function hasNoRows(start: Uint8Array): boolean {
  const text = startText(start);
  const lines = text.split(/\r?\n/, 4);
  const isFirstWhole = lines.length > 1 || text.length === TEXT_START_BYTES;
  if (isFirstWhole && !lines[0]!.includes('\t')) return true;
  if (lines.slice(0, 3).filter((line) => URL_AND_FIELD.test(line)).length > 1) throw wrongKind(INPUT_KINDS.table);
  return lines.length > 3 || text.length === TEXT_START_BYTES;
}

/** Ends that lines may have in place of those that the options say. */
const OTHER_ENDS = [
  ['\n', INPUT_KINDS.endsInLf],
  ['\0', INPUT_KINDS.endsInNul],
  ['\r', INPUT_KINDS.endsInCr],
] as const;

/**
 * Looks at the first line, or at what is there of it: several URLs would become one, as the URL Standard removes CR and
 * LF. A line with a quotation mark may be a record with such a field.
 *
 * @throws where other ends are between several URLs
 */
export function mustEndIn(lineEnd: number, start: Uint8Array): void {
  const [first] = startText(start).split(String.fromCharCode(lineEnd), 1) as [string];
  const other = OTHER_ENDS.find(([each]) => first.split(each).filter((part) => part.includes('://')).length > 1);
  if (other !== undefined && !first.includes('"')) throw wrongKind(other[1]);
}

/** The header of a CDX file, or its first field, a sort key, with a time after it. */
const CDX_LINE = /^ ?CDX [A-Za-z] |^[^ /]+\)\/\S* \d{4,14} /;

/** A separator before a URL. */
const TABLE_LINE = /[\t ,;|]"?[a-z][a-z0-9+.-]*:\/\//i;

/** Returns the kind of input that a line seems to be of, if an option reads it. */
export function kindOfLine(line: string): InputKind | undefined {
  const other = OTHER_ENDS.find(([end]) => line.includes(end));
  if (other !== undefined) return other[1];
  if (OBJECT_START.test(line)) return INPUT_KINDS.jsonLines;
  if (CDX_LINE.test(line)) return INPUT_KINDS.cdx;
  if (isLogLine(line)) return INPUT_KINDS.log;
  if (beginsAsUrl(line)) return INPUT_KINDS.urls;
  return TABLE_LINE.test(line) || isHeader(line) ? INPUT_KINDS.table : undefined;
}

function isHeader(line: string): boolean {
  return SEPARATORS.some((separator) => line.includes(separator) && fieldsOf(line, separator).some(isNameOfUrls));
}

/** A text that has no host, whatever the scheme: a path, a query or a fragment. */
const RELATIVE = /^(?:\.{1,2}(?:\/|$)|[?#]|\/(?!\/))/;

/** Whether a scheme, or a base with one, makes a URL of a text. */
export function lacksScheme(text: string): boolean {
  return RELATIVE.test(text) || typeof canonicalForm(text, 'https') === 'string';
}
