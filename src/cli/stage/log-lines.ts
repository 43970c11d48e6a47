import { LEFT_BRACKET, SPACE, TAB } from '../../bytes/code-points.ts';
import { decodeLine } from '../../bytes/utf8.ts';
import { quote } from '../../url/index.ts';
import { DeferredProblem, MALFORMED, type RowBatch, type RowProblem, VALUE } from '../rows/row-batch.ts';
import { shownBytes } from './safe-browsing.ts';

// Lines that are not a URL and yet have expressions: the page takes `GET http://a.example/ HTTP/1.1` for a host that
// begins with `get `, which is on no list.

const QUOTE = 0x22;
const COMMA = 0x2c;
const LEFT_BRACE = 0x7b;

/** What such a line has, and the option that reads a field of it. */
interface LogLine {
  readonly reason: string;
  optionFor(line: string): string;
}

const WITH_TABS: LogLine = {
  reason: 'tab-in-line',
  optionFor: (line) => `--tsv -f ${fieldNumber(line.split('\t'))}`,
};
const WITH_SPACES: LogLine = {
  reason: 'space-in-line',
  optionFor: (line) => `--delimiter ' ' -f ${fieldNumber(line.split(/ +/))}`,
};
const QUOTED: LogLine = {
  reason: 'quotation-mark',
  optionFor: (line) => `--csv -f ${fieldNumber(line.split(',').map((field) => field.replace('"', '')))}`,
};
const JSON_TEXT: LogLine = { reason: 'json', optionFor: () => '--json FIELD' };

const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;
const METHOD = /^"?[A-Z]{3,}$/;

/** Returns the number of the field with a URL, or of the one after a method; N if there is neither. */
function fieldNumber(fields: readonly string[]): number | 'N' {
  const found = fields.findIndex((field, at) => SCHEME.test(field) || METHOD.test(fields[at - 1] ?? ''));
  return found === -1 ? 'N' : found + 1;
}

export interface FoundLogLines {
  /** Ascending. */
  readonly problems: readonly RowProblem[];
  /** The kinds of the rows of the batch, in which these are not values. */
  readonly kinds: Uint8Array;
  /** Rows that are looked up although a comma before a scheme makes them look like records. */
  readonly commaCount: number;
}

/** Finds values with white space inside, with a quotation mark at either end, or of JSON. */
export function logLinesIn({ values, kinds, length }: RowBatch, areRecords: boolean): FoundLogLines {
  const bytes = values.bytes.subarray(0, values.ends[length - 1]);
  let [space, tab, comma] = [-1, -1, -1]; // the next of each, so that few calls find them if they are rare
  const problems: RowProblem[] = [];
  const ownKinds = kinds.slice(0, length);
  let commaCount = 0;
  for (let row = 0; row < length; row++) {
    if (kinds[row] !== VALUE) continue;
    let start = values.starts[row]!;
    let end = values.ends[row]!;
    while (start < end && bytes[start]! <= SPACE) start++;
    while (start < end && bytes[end - 1]! <= SPACE) end--;
    if (space < start) space = placeOf(SPACE, bytes, start);
    if (tab < start) tab = placeOf(TAB, bytes, start);
    if (comma < start) comma = placeOf(COMMA, bytes, start);
    // a view of each value would take a tenth of the run
    if (Math.min(space, tab, comma) >= end && !isMark(bytes[start]!) && bytes[end - 1] !== QUOTE) continue;
    const value = bytes.subarray(start, end);
    const found = logLineOf(value, space < end, tab < end);
    if (found !== undefined) {
      problems.push(problemOf(row, value, found, areRecords));
      ownKinds[row] = MALFORMED;
    } else if (!areRecords && comma < end && hasCommaBeforeScheme(value)) {
      commaCount++;
    }
  }
  return { problems, kinds: ownKinds, commaCount };
}

function isMark(byte: number): boolean {
  return byte === QUOTE || byte === LEFT_BRACE || byte === LEFT_BRACKET;
}

/** Returns the place of the first such byte from `start` on, or the end. */
function placeOf(byte: number, bytes: Uint8Array, start: number): number {
  const found = bytes.indexOf(byte, start);
  return found === -1 ? bytes.length : found;
}

function logLineOf(value: Uint8Array, hasSpace: boolean, hasTab: boolean): LogLine | undefined {
  const [first, last] = [value[0], value[value.length - 1]];
  if (first === LEFT_BRACE || (first === LEFT_BRACKET && (value[1] === LEFT_BRACE || value[1] === QUOTE)))
    return JSON_TEXT;
  if (hasTab) return WITH_TABS;
  if (first === QUOTE && (!hasSpace || latin1Of(value).includes('",'))) return QUOTED;
  if (hasSpace) return WITH_SPACES;
  return first === QUOTE || last === QUOTE ? QUOTED : undefined;
}

/** `2026-01-02,http://a.example/` has one host as a line, and another as a record. */
function hasCommaBeforeScheme(value: Uint8Array): boolean {
  const text = latin1Of(value);
  return !SCHEME.test(text) && /,[a-z][a-z0-9+.-]*:\/\//i.test(text);
}

/** Bytes of a value that tell what it is. */
const START_BYTES = 1 << 10;

function latin1Of({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, Math.min(length, START_BYTES)).toString('latin1');
}

function problemOf(row: number, value: Uint8Array, { reason, optionFor }: LogLine, isRecord: boolean): RowProblem {
  const shown = shownBytes(value);
  return new DeferredProblem(row, reason, () => {
    const line = decodeLine(shown);
    const fault = isRecord
      ? 'the field holds more than a URL; --spaces allow looks it up as it is'
      : `it is more than a URL; ${optionFor(line)} reads a field of such lines, --spaces allow the whole line`;
    return `not looked up: ${quote(line)}: ${fault} (${reason})`;
  });
}
