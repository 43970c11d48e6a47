import {
  CARRIAGE_RETURN,
  COLON,
  COMMA,
  FULL_STOP,
  isAsciiAlpha,
  isAsciiDigit,
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
import { decodeLine } from '../../core/bytes/text.ts';
import { quote } from '../../core/quote.ts';
import { afterByteOrderMark } from '../../specs/safe-browsing/url-bytes.ts';
import { type Batch, MALFORMED, type RowProblem, VALUE } from '../read/batch.ts';
import { latin1Of, shownBytes } from './urls.ts';

// Values that hold more than a URL and yet have expressions: the page takes `GET http://a.example/ HTTP/1.1` for a host
// that begins with `get `, which is on no list.

/** A mark of a value that holds more than a URL. */
interface Sign {
  readonly reason: string;
  isIn(text: string): boolean;
  /** What is wrong, where the whole value is not to be looked up either. */
  readonly fault?: string;
}

/** The steps of the page undo escapes, again and again, before they look for a scheme. */
const ESCAPED_LETTER = '%(?:25)*(?:[46][1-9a-f]|[57][0-9a])';
const SCHEME = new RegExp(`^(?:[a-z]|${ESCAPED_LETTER})(?:[a-z0-9+.-]|${ESCAPED_LETTER})*://`, 'i');
const SCHEME_AND_AUTHORITY = /^((?:[^/?#\\]*:\]?[/\\]{2})?)([^/?#\\]*)/;

/** The first that is in a value counts. */
const SIGNS: readonly Sign[] = [
  {
    reason: 'json',
    isIn: (text) => /^(?:\{|\[[{"])/.test(text),
  },
  {
    reason: 'line-end-in-line', // but not one URL that is broken in two
    isIn: (text) => /[\0\n\r]/.test(text) && (!SCHEME.test(text) || /[\0\n\r][a-z][a-z0-9+.-]*:\/\//i.test(text)),
  },
  { reason: 'comment', isIn: (text) => /^#.*[ \t]/s.test(text) },
  { reason: 'tab-in-line', isIn: (text) => text.includes('\t') },
  {
    reason: 'quotation-mark',
    isIn: (text) => text.startsWith('"') && (!text.includes(' ') || text.includes('",')),
  },
  {
    reason: 'space-in-line',
    isIn: (text) => text.includes(' '),
  },
  { reason: 'quotation-mark', isIn: (text) => /^(?:['<`]|\xc2\xab|\xe2\x80[\x98\x9c\x9e\xb9])/.test(text) },
  {
    reason: 'text-before-scheme', // as logfmt has, and grep -n: it would be the host
    isIn: (text) => /^[^/?#\\]+:\/\//.test(text) && !SCHEME.test(text),
  },
  {
    reason: 'bracket-in-host',
    isIn: isDefanged,
    fault: 'its host is in brackets, as [.] for a dot, so nothing lists it',
  },
  {
    reason: 'quotation-mark',
    isIn: (text) => text.startsWith('"') || text.endsWith('"'),
  },
];

/** URLs are written so that nobody clicks them. Brackets in userinfo hide nothing. */
function isDefanged(text: string): boolean {
  const [, scheme, authority] = SCHEME_AND_AUTHORITY.exec(text)!;
  return /\[(?:[.:]|dot)\]/i.test(scheme! + authority!.slice(authority!.lastIndexOf('@') + 1));
}

/** Bytes without which a value holds no more than a URL, if it begins as one and does not end in a quotation mark. */
const IS_DIVIDING = new Uint8Array(256);
for (const byte of [0, LINE_FEED, CARRIAGE_RETURN, SPACE, TAB, COMMA, 0x3b, VERTICAL_BAR, LEFT_BRACKET])
  IS_DIVIDING[byte] = 1;

/** Bytes of a value that tell what it is. */
const START_BYTES = 1 << 16;

export interface MoreThanUrls {
  /** Ascending. */
  readonly problems: readonly RowProblem[];
  /** The kinds of the rows of the batch, in which these are not values. */
  readonly kinds: Uint8Array;
  /** Rows that are looked up although what separates fields, before a scheme, makes them look like records. */
  readonly separatorCount: number;
}

/** Finds the values that hold more than a URL. `areLines` tells whether values are whole lines. */
export function moreThanUrls({ values, kinds, length }: Batch, areLines: boolean): MoreThanUrls {
  const { bytes, starts, ends } = values;
  const problems: RowProblem[] = [];
  const ownKinds = kinds.slice(0, length);
  let separatorCount = 0;
  for (let row = 0; row < length; row++) {
    if (kinds[row] !== VALUE) continue;
    let [start, end] = [starts[row]!, ends[row]!];
    while (start < end && bytes[start]! <= SPACE) start++;
    while (start < end && bytes[end - 1]! <= SPACE) end--;
    if (isPlainUrl(bytes, start, end)) continue; // a view of each value would take a tenth of the run
    const value = bytes.subarray(Math.max(start, afterByteOrderMark(bytes, starts[row]!, end)), end);
    const text = latin1Of(value, START_BYTES);
    const found = SIGNS.find((sign) => sign.isIn(text));
    if (found !== undefined) {
      problems.push(problemOf(row, shownBytes(value), found, areLines));
      ownKinds[row] = MALFORMED;
    } else if (areLines && !SCHEME.test(text) && /[,;|][a-z][a-z0-9+.-]*:\/\//i.test(text)) {
      separatorCount++;
    }
  }
  return { problems, kinds: ownKinds, separatorCount };
}

/** Whether the value begins with a scheme, or with a host that has none in it, and has no dividing byte. */
function isPlainUrl(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start;
  while (at < end && isOfHost(bytes[at]!)) at++;
  const byte = at < end ? bytes[at]! : SLASH;
  const beginsAsUrl =
    byte === COLON
      ? at > start && bytes[at + 1] === SLASH && isAsciiAlpha(bytes[start]!)
      : byte === SLASH || byte === QUESTION_MARK || byte === NUMBER_SIGN;
  if (!beginsAsUrl || bytes[end - 1] === QUOTE) return false;
  while (at < end && IS_DIVIDING[bytes[at]!] === 0) at++;
  return at === end;
}

function isOfHost(byte: number): boolean {
  return isAsciiAlpha(byte) || isAsciiDigit(byte) || byte === FULL_STOP || byte === 0x2d;
}

function problemOf(row: number, shown: Uint8Array, { reason, fault }: Sign, areLines: boolean): RowProblem {
  return {
    row,
    reason,
    isUnlike: true,
    get message() {
      const whole = areLines
        ? 'it is more than a URL; --spaces allow looks up the whole line'
        : 'the field holds more than a URL; --spaces allow looks it up as it is';
      return `not looked up: ${quote(decodeLine(shown))}: ${fault ?? whole} (${reason})`;
    },
  };
}
