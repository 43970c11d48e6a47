import {
  CARRIAGE_RETURN,
  COLON,
  COMMA,
  FULL_STOP,
  isAsciiAlpha,
  isAsciiDigit,
  LEFT_BRACE,
  LEFT_BRACKET,
  LINE_FEED,
  NUMBER_SIGN,
  QUESTION_MARK,
  QUOTE,
  SLASH,
  SPACE,
  TAB,
  VERTICAL_BAR,
} from '../../core/bytes/code-points.ts';
import type { Spans } from '../../core/bytes/lines.ts';
import { decodeLine } from '../../core/bytes/text.ts';
import { quote } from '../../core/quote.ts';
import { afterByteOrderMark } from '../../specs/safe-browsing/url-bytes.ts';
import { type Batch, DeferredProblem, MALFORMED, type RowProblem, VALUE } from '../read/batch.ts';
import { latin1Of, shownBytes } from './safe-browsing.ts';

// Lines that are not a URL and yet have expressions: the page takes `GET http://a.example/ HTTP/1.1` for a host that
// begins with `get `, which is on no list.

const APOSTROPHE = 0x27;
const HYPHEN = 0x2d;
const SEMICOLON = 0x3b;
const LESS_THAN = 0x3c;
const LINE_ENDS = [0x00, LINE_FEED, CARRIAGE_RETURN] as const;

/** What values are: lines, fields of lines without quoting, or of other records. */
export type ValueKind = 'lines' | 'fields' | 'records';

/** What such a line has, and what reads the URL in it. */
interface LogLine {
  readonly reason: string;
  remedyFor(line: string): string;
  /** What leaves the URL in a field that is like that, in lines without quoting. */
  fieldRemedyFor?(field: string): string | undefined;
}

const WITH_TABS: LogLine = {
  reason: 'tab-in-line',
  remedyFor: (line) => fieldOption('--tsv', "awk -F '\\t'", line.split('\t')),
};
const WITH_SPACES: LogLine = {
  reason: 'space-in-line',
  remedyFor: (line) => fieldOption("--delimiter ' '", 'awk', line.split(/ +/)),
};
const QUOTED: LogLine = {
  reason: 'quotation-mark',
  remedyFor(line) {
    const fields = line.split(',').map((field) => field.replace('"', ''));
    return fieldOption('--csv', "awk -F ','", fields);
  },
  fieldRemedyFor: () => `tr -d '"' < FILE leaves out the quotation marks`,
};
/** No URL begins so, but a list in the syntax of a language may; RFC 3986, appendix C, has <> around URLs. */
const ENCLOSED: LogLine = {
  reason: 'quotation-mark',
  remedyFor: () => `sed "s/^['<]//; s/['>]$//" leaves what it encloses`,
};
/** As RFC 3986 has <>, texts have these. */
const IN_TYPOGRAPHIC_MARKS: LogLine = {
  reason: 'quotation-mark',
  remedyFor: () => "LC_ALL=C sed -E 's#^[^[:alnum:]]+##; s#[^[:alnum:]/]+$##' leaves what it encloses",
};
/** Of the W3C's extended format, before the records. */
const DIRECTIVE: LogLine = {
  reason: 'comment',
  remedyFor: () => "sed '/^#/d' FILE leaves out lines that begin with #",
};
/** Of lines that end in another way than the option says: they would be one URL, without what ends them. */
const WITH_LINE_ENDS: LogLine = {
  reason: 'line-end-in-line',
  remedyFor(line) {
    if (line.includes('\0')) return '-z reads lines that end in NUL';
    return line.includes('\n') ? 'without -z, lines end in LF' : "tr '\\r' '\\n' < FILE makes lines of it";
  },
};
/** As logfmt and the numbers of grep -n: what stands before the scheme would be the host. */
const AFTER_TEXT: LogLine = {
  reason: 'text-before-scheme',
  remedyFor(line) {
    const separator = /^[^,;|:]*([,;|])/.exec(line)?.[1];
    if (separator === undefined)
      return `grep -oE '[A-Za-z][A-Za-z0-9+.-]*://[^"]*' FILE leaves what begins with a scheme`;
    const option = separator === ',' ? '--csv' : `--delimiter '${separator}'`;
    return fieldOption(option, `awk -F '${separator}'`, line.split(separator));
  },
  fieldRemedyFor(field) {
    const isNamed = /^[\w.-]+=[a-z][a-z0-9+.-]*:\/\//i.test(field);
    const command = "sed -E 's/(^|[[:blank:],;|])[A-Za-z0-9_.-]+=([A-Za-z][A-Za-z0-9+.-]*:\\/\\/)/\\1\\2/g' FILE";
    return isNamed ? `${command} leaves out the names` : undefined;
  },
};
/** As those write URLs who do not want them to be clicked. */
const DEFANGED: LogLine = {
  reason: 'bracket-in-host',
  remedyFor: () => "sed 's/\\[[Dd][Oo][Tt]]/./g; s/\\[\\([.:]\\)]/\\1/g' FILE leaves out the brackets",
};
const JSON_TEXT: LogLine = { reason: 'json', remedyFor: () => '--json FIELD reads a field of such lines' };

/** The steps of the page undo escapes, again and again, before they look for a scheme. */
const ESCAPED_LETTER = '%(?:25)*(?:[46][1-9a-f]|[57][0-9a])';
const SCHEME = new RegExp(`^(?:[a-z]|${ESCAPED_LETTER})(?:[a-z0-9+.-]|${ESCAPED_LETTER})*://`, 'i');
const METHOD = /^"?(?:GET|HEAD|POST|PUT|PATCH|DELETE|CONNECT|OPTIONS|TRACE|PROPFIND)$/;
/** No host has a scheme in it. */
const HOST_WITH_SCHEME = /^[^/?#\\]+:\/\//;
const SCHEME_AND_AUTHORITY = /^((?:[^/?#\\]*:\]?[/\\]{2})?)([^/?#\\]*)/;
/** Two lines, unless one URL is broken in two. */
const LINES = /^(?![a-z][a-z0-9+.-]*:\/\/)|[\0\n\r][a-z][a-z0-9+.-]*:\/\//i;

/** Names the field with a URL, or the one after a method, which may be a path alone; N if there is neither. */
function fieldOption(kind: string, awk: string, fields: readonly string[]): string {
  const found = fields.findIndex((field, at) => SCHEME.test(field) || METHOD.test(fields[at - 1] ?? ''));
  if (fields[found]?.startsWith('/') === true)
    return `${awk} '{ print "http://HOST" $${found + 1} }' FILE makes URLs of its paths`;
  return `${kind} -f ${found === -1 ? 'N' : found + 1} reads a field of such lines`;
}

export interface FoundLogLines {
  /** Ascending. */
  readonly problems: readonly RowProblem[];
  /** The kinds of the rows of the batch, in which these are not values. */
  readonly kinds: Uint8Array;
  /** Rows that are looked up although what separates fields, before a scheme, makes them look like records. */
  readonly separatorCount: number;
}

/** What most values have that are more than a URL. */
const DIVIDING = [SPACE, TAB, COMMA, SEMICOLON, VERTICAL_BAR, LEFT_BRACKET, ...LINE_ENDS];

/** Looks for these bytes in values one after another, by few calls for those that are rare. */
class DividingBytes {
  readonly #bytes: Buffer;
  readonly #rare: { readonly byte: number; at: number }[];
  /** The place of the first of those. */
  #first = -1;
  /** The byte after each value, if it may be inside as well. */
  readonly #after: number | undefined;

  constructor({ bytes, ends }: Spans, length: number, kind: ValueKind) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, ends[length - 1]); // its indexOf is several times as fast
    const after = bytes[ends[0]!]; // none after a last line without its end
    const areCrLf = kind === 'lines' && after === CARRIAGE_RETURN;
    this.#after = kind === 'lines' && !areCrLf ? undefined : after;
    const rare = DIVIDING.filter((byte) => byte !== after && !(areCrLf && byte === LINE_FEED));
    this.#rare = rare.map((byte) => ({ byte, at: -1 }));
  }

  /** Whether one of them is in [start, end), and `start` not less than in the call before. */
  areIn(start: number, end: number): boolean {
    if (this.#first < start) this.#first = this.#firstFrom(start);
    return this.#first < end || (this.#after !== undefined && this.#placeOf(this.#after, start) < end);
  }

  #firstFrom(start: number): number {
    let first = this.#bytes.length;
    for (const place of this.#rare) {
      if (place.at < start) place.at = this.#placeOf(place.byte, start);
      first = Math.min(first, place.at);
    }
    return first;
  }

  #placeOf(byte: number, start: number): number {
    const found = this.#bytes.indexOf(byte, start);
    return found === -1 ? this.#bytes.length : found;
  }
}

/** Finds values with white space inside, with a quotation mark at either end, of JSON, or with text before a scheme. */
export function logLinesIn({ values, kinds, length }: Batch, kind: ValueKind): FoundLogLines {
  const { bytes } = values;
  const dividing = new DividingBytes(values, length, kind);
  const problems: RowProblem[] = [];
  const ownKinds = kinds.slice(0, length);
  let separatorCount = 0;
  for (let row = 0; row < length; row++) {
    if (kinds[row] !== VALUE) continue;
    let start = values.starts[row]!;
    let end = values.ends[row]!;
    while (start < end && bytes[start]! <= SPACE) start++;
    while (start < end && bytes[end - 1]! <= SPACE) end--;
    // a view of each value would take a tenth of the run
    if (!dividing.areIn(start, end) && bytes[end - 1] !== QUOTE && startsAsUrl(bytes, start, end)) continue;
    const afterMark = afterByteOrderMark(bytes, values.starts[row]!, end); // joined files have several
    const value = bytes.subarray(Math.max(start, afterMark), end);
    const found = logLineOf(value);
    if (found !== undefined) {
      problems.push(problemOf(row, value, found, kind));
      ownKinds[row] = MALFORMED;
    } else if (kind === 'lines' && hasSeparatorBeforeScheme(value)) {
      separatorCount++;
    }
  }
  return { problems, kinds: ownKinds, separatorCount };
}

/** Whether the value begins with a scheme, or with a host that has none in it, by a look at few bytes. */
function startsAsUrl(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start;
  while (at < end && isOfHost(bytes[at]!)) at++;
  if (bytes[at] === COLON) return at > start && bytes[at + 1] === SLASH && isAsciiAlpha(bytes[start]!);
  return at === end || bytes[at] === SLASH || bytes[at] === QUESTION_MARK || bytes[at] === NUMBER_SIGN;
}

function isOfHost(byte: number): boolean {
  return isAsciiAlpha(byte) || isAsciiDigit(byte) || byte === FULL_STOP || byte === HYPHEN;
}

/** Bytes of a value that tell what it is. */
const START_BYTES = 1 << 16;

function logLineOf(value: Uint8Array): LogLine | undefined {
  const [first, last] = [value[0], value[value.length - 1]];
  if (first === LEFT_BRACE || (first === LEFT_BRACKET && (value[1] === LEFT_BRACE || value[1] === QUOTE)))
    return JSON_TEXT;
  if (LINE_ENDS.some((end) => value.includes(end)) && LINES.test(latin1Of(value, START_BYTES))) return WITH_LINE_ENDS;
  const hasSpace = value.includes(SPACE);
  const hasTab = value.includes(TAB);
  if (first === NUMBER_SIGN && (hasSpace || hasTab)) return DIRECTIVE;
  if (hasTab) return WITH_TABS;
  if (first === QUOTE && (!hasSpace || latin1Of(value, START_BYTES).includes('",'))) return QUOTED;
  if (hasSpace) return WITH_SPACES;
  if (first === APOSTROPHE || first === LESS_THAN) return ENCLOSED;
  if (/^[`«“‘„‹]/.test(decodeLine(value.subarray(0, 3)))) return IN_TYPOGRAPHIC_MARKS;
  const text = latin1Of(value, START_BYTES);
  if (HOST_WITH_SCHEME.test(text) && !SCHEME.test(text)) return AFTER_TEXT;
  if (isDefanged(text)) return DEFANGED;
  return first === QUOTE || last === QUOTE ? QUOTED : undefined;
}

/** Brackets in userinfo hide nothing. */
function isDefanged(text: string): boolean {
  const [, scheme, authority] = SCHEME_AND_AUTHORITY.exec(text)!;
  const host = authority!.slice(authority!.lastIndexOf('@') + 1);
  return /\[(?:[.:]|dot)\]/i.test(scheme! + host);
}

/** `2026/01/02,http://a.example/` has one host as a line, and another as a record. */
function hasSeparatorBeforeScheme(value: Uint8Array): boolean {
  const text = latin1Of(value, START_BYTES);
  return !SCHEME.test(text) && /[,;|][a-z][a-z0-9+.-]*:\/\//i.test(text);
}

function problemOf(row: number, value: Uint8Array, found: LogLine, kind: ValueKind): RowProblem {
  const shown = shownBytes(value);
  return new DeferredProblem(row, found.reason, () => {
    const text = decodeLine(shown);
    return `not looked up: ${quote(text)}: ${faultOf(text, found, kind)} (${found.reason})`;
  });
}

function faultOf(text: string, { remedyFor, fieldRemedyFor }: LogLine, kind: ValueKind): string {
  if (kind === 'lines') return `it is more than a URL; ${remedyFor(text)}, --spaces allow looks up the whole line`;
  const remedy = kind === 'fields' ? fieldRemedyFor?.(text) : undefined;
  const first = remedy === undefined ? '' : `${remedy}, `;
  return `the field holds more than a URL; ${first}--spaces allow looks it up as it is`;
}
