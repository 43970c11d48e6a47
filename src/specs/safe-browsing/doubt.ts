import {
  afterLast,
  BACKSLASH,
  COLON,
  COMMERCIAL_AT,
  isAsciiDigit,
  LEFT_BRACKET,
  NUMBER_SIGN,
  PERCENT,
  QUESTION_MARK,
  QUOTE,
  SLASH,
  SPACE,
  TAB,
} from '../../core/bytes/code-points.ts';
import { decodeLine } from '../../core/bytes/text.ts';
import { copyStripped, schemeEnd, unescape } from './canonicalize.ts';
import { failure, type SafeBrowsingFailure } from './failure.ts';

/** The origin of a text to look up: a line may hold more than a URL, a value is one text. */
export type TextSource = 'line' | 'value';

/**
 * Returns why bytes [start, end) may hide a URL that nothing looks up, or undefined. The page's steps find a host in
 * any text: that of `GET http://a.example/ HTTP/1.1` begins with `get `, is on no list, and the text would pass for
 * clean.
 *
 * A value is in doubt where it neither is an absolute URL nor begins with a host; a space or a quotation mark after the
 * host belongs to it. A line is in doubt also where it holds more than a URL.
 */
export function doubtOf(
  bytes: Uint8Array,
  start: number,
  end: number,
  source: TextSource,
): SafeBrowsingFailure | undefined {
  let [first, last] = [start, end];
  while (first < last && bytes[first]! <= SPACE) first++;
  while (first < last && bytes[last - 1]! <= SPACE) last--;
  const { hasTab, hasLineEnd, hasSpace, hasDividedUrls, hasFields } = dividersIn(bytes, first, last);
  const { hasScheme, doubt } = beginningOf(bytes, first, last);
  const isDivided = !hasScheme || hasDividedUrls; // else tabs and line ends are left out, as browsers do
  const isLine = source === 'line';
  if (hasLineEnd && isDivided) return failure('line-end-in-line');
  if (hasTab && (isLine || isDivided)) return failure('tab-in-line');
  if (!isLine) return doubt;
  if (hasSpace) return failure('space-in-line');
  if (!hasScheme && hasFields) return failure('text-before-scheme');
  return doubt ?? (bytes[last - 1] === QUOTE ? failure('quotation-mark') : undefined);
}

/**
 * Whether a text in doubt is not looked up even where one of its expressions is listed: a line that is several texts.
 */
export function isBarred({ place }: SafeBrowsingFailure, source: TextSource | undefined): boolean {
  return source === 'line' && place === 'input';
}

/** Bytes of what RFC 3986 §3.2.2 calls a name, those of them that DNS has, and those that may divide a text. */
const [IN_NAME, IN_DNS_NAME, DIVIDING] = [1, 2, 4];
const CLASSES: Uint8Array = /* @__PURE__ */ Uint8Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  const isInDns = byte >= 0x80 || /[\w.~-]/.test(character);
  const isDividing = /[\0\t\n\r ,;|]/.test(character);
  const isInName = isInDns || /[!$&'()*+,;=]/.test(character);
  return (isInName ? IN_NAME : 0) | (isInDns ? IN_DNS_NAME : 0) | (isDividing ? DIVIDING : 0);
});

/** Finds the characters that may divide a text in two. */
function dividersIn(bytes: Uint8Array, start: number, end: number) {
  const found = { hasTab: false, hasLineEnd: false, hasSpace: false, hasDividedUrls: false, hasFields: false };
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    if ((CLASSES[byte]! & DIVIDING) === 0) continue;
    const isBeforeUrl = beginsAsUrl(bytes, at + 1, end);
    if (byte > SPACE) {
      found.hasFields ||= isBeforeUrl; // 2026/11/24,http://a.example/
    } else if (byte === SPACE) {
      found.hasSpace = true;
    } else {
      if (byte === TAB) found.hasTab = true;
      else found.hasLineEnd = true;
      found.hasDividedUrls ||= isBeforeUrl;
    }
  }
  return found;
}

function beginsAsUrl(bytes: Uint8Array, start: number, end: number): boolean {
  const colon = schemeEnd(bytes, start, end);
  return colon !== -1 && bytes[colon + 1] === SLASH && bytes[colon + 2] === SLASH;
}

/** The beginning of a text: whether it is a scheme, and the doubt about the host. */
interface Beginning {
  readonly hasScheme: boolean;
  readonly doubt: SafeBrowsingFailure | undefined;
}

/** Reads scheme and host where the page's steps find them: in the text without tabs, line ends and escapes. */
function beginningOf(bytes: Uint8Array, start: number, end: number, isDecoded = false): Beginning {
  const colon = schemeEnd(bytes, start, end);
  const hasSpecial = colon !== -1 && isSpecial(bytes, start, colon);
  const hasScheme = hasSpecial || (colon !== -1 && hasSlashes(bytes, colon + 1, end));
  let authority = hasScheme ? colon + 1 : start;
  if (hasSpecial) while (authority < end && isSlash(bytes[authority]!)) authority++;
  else if (hasScheme) authority += 2;
  let hostEnd = authority;
  while (hostEnd < end && !isDelimiter(bytes[hostEnd]!, hasSpecial || !hasScheme)) hostEnd++;
  if (!isDecoded && changes(bytes, start, hostEnd)) {
    const text = new Uint8Array(end - start);
    return beginningOf(text, 0, unescape(text, 0, copyStripped(bytes, start, end, text)), true);
  }
  const host = afterLast(COMMERCIAL_AT, bytes, authority, hostEnd);
  const isBeforeScheme =
    !hasScheme && hostEnd > start && bytes[hostEnd - 1] === COLON && hasSlashes(bytes, hostEnd, end);
  if (isBeforeScheme) return { hasScheme, doubt: failure('text-before-scheme') };
  if (isHost(bytes, host, hostEnd, hasScheme)) return { hasScheme, doubt: undefined };
  const isDefanged = DEFANGED.test(decodeLine(bytes.subarray(host, Math.min(hostEnd, host + HOST_BYTES))));
  return { hasScheme, doubt: failure(isDefanged ? 'bracket-in-host' : 'neither-url-nor-host') };
}

/** Whether the steps may change bytes [start, end) before they look for a scheme. */
function changes(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] === PERCENT || bytes[at]! < SPACE) return true;
  return false;
}

function hasSlashes(bytes: Uint8Array, at: number, end: number): boolean {
  return at + 1 < end && bytes[at] === SLASH && bytes[at + 1] === SLASH;
}

function isSlash(byte: number): boolean {
  return byte === SLASH || byte === BACKSLASH;
}

function isDelimiter(byte: number, isBackslash: boolean): boolean {
  return byte === SLASH || byte === QUESTION_MARK || byte === NUMBER_SIGN || (isBackslash && byte === BACKSLASH);
}

/** Schemes after which browsers take any number of slashes, and backslashes for slashes, as their bytes spell them. */
const SPECIAL_SCHEMES: ReadonlySet<number> = /* @__PURE__ */ new Set(['http', 'https', 'ws', 'wss', 'ftp'].map(wordOf));

function wordOf(scheme: string): number {
  return Array.from(scheme).reduce((word, letter) => 256 * word + letter.charCodeAt(0), 0);
}

function isSpecial(bytes: Uint8Array, start: number, colon: number): boolean {
  if (colon - start > 'https'.length) return false;
  let word = 0;
  for (let at = start; at < colon; at++) word = 256 * word + (bytes[at]! | 0x20);
  return SPECIAL_SCHEMES.has(word);
}

/** The most bytes of a host: DNS has up to 253 (RFC 1035 §2.3.4), and other scripts take more for a name. */
const HOST_BYTES = 1 << 10;

/** An IPv6 address, which may have a zone, and a port. */
const ADDRESS = /^\[[0-9a-f:.]+(?:%[^\]]*)?\](?::\d*)?$/i;
/** Marks of a defanged URL, which is written so that nobody opens it by a click. */
const DEFANGED = /\[(?:[.:]|dot)\]/i;
/** Separators, brackets and quotation marks beyond ASCII. */
const AROUND_HOSTS = /(?![\0-\x7f])[\p{Z}\p{Ps}\p{Pe}\p{Pi}\p{Pf}]/u;

/** Whether bytes [start, end) are a host, with a port or without. */
function isHost(bytes: Uint8Array, start: number, end: number, hasScheme: boolean): boolean {
  if (end - start > HOST_BYTES) return false;
  if (bytes[start] === LEFT_BRACKET) return ADDRESS.test(decodeLine(bytes.subarray(start, end)));
  const known = hasScheme ? IN_NAME : IN_DNS_NAME;
  let seen = 0;
  let at = start;
  for (; at < end && (CLASSES[bytes[at]!]! & known) !== 0; at++) seen |= bytes[at]!;
  const nameEnd = at;
  if (at < end && bytes[at] === COLON)
    do at++;
    while (at < end && isAsciiDigit(bytes[at]!));
  if (at < end || nameEnd === start) return false;
  return seen < 0x80 || !AROUND_HOSTS.test(decodeLine(bytes.subarray(start, nameEnd)));
}
