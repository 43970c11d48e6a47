import { mustBeOneOf, mustBeOptions, mustBeString, mustBeUrl } from '../../core/argument.ts';
import { base64OfBytes, bytesOfBase64, isBase64Character } from '../../core/bytes/base64.ts';
import { asciiLowercase } from '../../core/bytes/code-points.ts';
import { bytesOfHex, hexOfBytes } from '../../core/bytes/hex.ts';
import { quote } from '../../core/quote.ts';
import { HashUriError } from './failure.ts';

/** A module: the content it works on and its version, as the two characters of an identifier part. */
export type ModuleName = 'FA' | 'RA' | 'RB';

/** The characters of a code: two of its module, and 43 of a SHA-256, which every module takes. */
export const CODE_LENGTH = 45;

function isModule(identifier: string): identifier is ModuleName {
  return identifier === 'FA' || identifier === 'RA' || identifier === 'RB';
}

/** The least number of Base64 characters that end a potential hash-URI. */
const POTENTIAL_LENGTH = 25;

/** The parts of a potential hash-URI, as `parse` gives them. */
export interface HashUri {
  /** The hash-URI, without its extension. */
  readonly uri: string;
  /** The two characters after the last non-Base64 character. */
  readonly identifier: string;
  /** The first of them: the type of content. */
  readonly type: string;
  /** The second of them: the version of the algorithm. */
  readonly version: string;
  /** The characters after the identifier part: 23 or more. */
  readonly data: string;
  /** The hash part, 43 characters; only of FA, RA and RB, and where it can be a hash: its last two bits are zero. */
  readonly hash?: string | undefined;
  /** The extension that was stripped, its first dot included: `.txt`, `.nq.gz`. */
  readonly extension?: string | undefined;
}

/**
 * Are the last 25 characters of `uri` Base64 characters? No more is asked: no URI syntax, no known module.
 *
 * @param uri any text, or a `URL`; an extension is not stripped
 * @throws {TypeError} where it is neither a string nor a `URL`
 * @example
 * isPotentialHashUri('http://example.org/abcdefghijklmnopqrstuvwxy'); //=> true
 * isPotentialHashUri('http://example.org/'); //=> false
 */
export function isPotentialHashUri(uri: string | URL): boolean {
  return isPotential(mustBeUrl('uri', uri));
}

/**
 * The narrower question of the trusty URI specification (version 1, definition 3): is it 45 Base64 characters that
 * `uri` ends in, of module FA, RA or RB, and is the last one possible? The data part must be "consistent with the
 * structural restrictions of the given module", and those append "two zero-bits" to the hash (Module FA; the others
 * are "identical to Module F"): 16 of 64 characters can stand last. With an extension appended it is "technically no
 * trusty URI anymore".
 *
 * @param uri any text, or a `URL`
 * @param options `reading: 'java'`: as the trusty URI tools read it, an extension may follow, and the last character
 *   may be any
 * @throws {TypeError} where it is neither a string nor a `URL`
 * @throws {RangeError} on an option, or a value of one, that does not exist
 * @example
 * isPotentialTrustyUri('http://example.org/hello.FALPJNul-wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ'); //=> true
 * isPotentialTrustyUri('http://example.org/abcdefghijklmnopqrstuvwxy'); //=> false
 */
export function isPotentialTrustyUri(
  uri: string | URL,
  options: {
    /** Default: 'specification'; 'java' is how the trusty URI tools read it. */
    readonly reading?: 'specification' | 'java' | undefined;
  } = {},
): boolean {
  const { reading = 'specification' } = mustBeOptions('options', options, ['reading']);
  if (mustBeOneOf('reading', reading, ['specification', 'java']) === 'java') return isTrustyUriInJava(uri);
  const parts = partsOf(uri);
  return parts?.hash !== undefined && !Object.hasOwn(parts, 'extension');
}

/** Whether the trusty URI tools take it for one: an extension may follow, and any character may be the last. */
export function isTrustyUriInJava(uri: string | URL): boolean {
  const parts = partsOf(uri);
  return parts !== undefined && isModule(parts.identifier) && parts.data.length === CODE_LENGTH - 2;
}

/**
 * The parts of a potential hash-URI, with or without an extension.
 *
 * @param uri one for which `isPotentialHashUri(stripExtension(uri))` holds
 * @throws {TypeError} where it is neither a string nor a `URL`
 * @throws {HashUriError} where it is not a potential hash-URI
 * @example
 * const parts = parse('http://example.org/hello.FALPJNul-wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ.txt');
 * parts.identifier; //=> 'FA'
 * parts.extension; //=> '.txt'
 */
export function parseHashUri(uri: string | URL): HashUri {
  const parts = partsOf(uri);
  if (parts === undefined) throw new HashUriError('hash-URI', `${uri}`, 'not-a-hash-uri');
  return parts;
}

/** Returns the parts, or undefined where the text is not a potential hash-URI. */
export function partsOf(uri: string | URL): HashUri | undefined {
  const text = mustBeUrl('uri', uri);
  const stripped = stripExtension(text);
  if (!isPotential(stripped)) return undefined;
  const start = runStart(stripped, stripped.length);
  const identifier = stripped.slice(start, start + 2);
  const data = stripped.slice(start + 2);
  const isHash = isModule(identifier) && isBase64Of32Bytes(data);
  const extension = text.slice(stripped.length);
  return {
    uri: stripped,
    identifier,
    type: identifier[0]!,
    version: identifier[1]!,
    data,
    ...(isHash ? { hash: data } : {}),
    ...(extension === '' ? {} : { extension }),
  };
}

/** A dot and up to 20 more characters, which may include dots: `.nq.gz`. */
const EXTENSION = /\.[A-Za-z0-9_.-]{0,20}$/;
const EXTENSION_LENGTH = 21;

/**
 * `uri` without the extension that follows a potential hash-URI; as it is, where there is none. A fragment, a query
 * and a path after the code are not an extension: `findCodes` finds codes before them.
 *
 * @param uri any text, or a `URL`
 * @throws {TypeError} where it is neither a string nor a `URL`
 * @example
 * stripExtension('http://example.org/hello.FALPJNul-wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ.txt');
 * //=> 'http://example.org/hello.FALPJNul-wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ'
 */
export function stripExtension(uri: string | URL): string {
  const text = mustBeUrl('uri', uri);
  const endStart = Math.max(0, text.length - EXTENSION_LENGTH);
  const dot = text.slice(endStart).search(EXTENSION);
  if (dot === -1) return text;
  const stripped = text.slice(0, endStart + dot);
  return isPotential(stripped) ? stripped : text;
}

function isPotential(uri: string): boolean {
  return uri.length >= POTENTIAL_LENGTH && runStart(uri.slice(-POTENTIAL_LENGTH), POTENTIAL_LENGTH) === 0;
}

/** A code inside a text: an identifier part and a data part. */
export interface FoundCode {
  /** 45 characters. */
  readonly code: string;
  /** The module: the first two characters of the code. */
  readonly module: ModuleName;
  /** The UTF-16 unit of the text it begins at. */
  readonly position: number;
}

const RUNS = /[A-Za-z0-9_-]+/g;

/**
 * The codes anywhere in a text, as in a hash-URI with a suffix (`…RA5Abx#Part1`): runs of exactly 45 Base64
 * characters that begin with FA, RA or RB. What only ends in 25 of them is not looked for.
 *
 * @param text any text
 * @returns the codes in the order of the text
 * @throws {TypeError} on anything but a string
 * @example
 * const [found] = findCodes('http://example.org/hello.FALPJNul-wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ#Part1');
 * found?.code; //=> 'FALPJNul-wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ'
 * found?.position; //=> 25
 */
export function findCodes(text: string): FoundCode[] {
  const found: FoundCode[] = [];
  for (const { 0: code, index } of mustBeString('text', text).matchAll(RUNS)) {
    const module = code.slice(0, 2);
    if (code.length === CODE_LENGTH && isModule(module)) found.push({ code, module, position: index });
  }
  return found;
}

const LAST_EXTENSION = /\.[A-Za-z0-9_-]{0,20}$/;

/**
 * The name of the file that holds the content of `code`, as the trusty URI tools form it: the code stands
 * before the last extension, after a dot, so that `file1.txt` becomes `file1.FA….txt`. What begins a name is
 * not an extension, and folders stay before it.
 *
 * @param name the name of a file, with or without its folders
 * @param code 45 characters
 * @returns the name with the code in it
 * @throws {TypeError} where `name` or `code` is not a string
 * @throws {RangeError} where `code` is not 45 Base64 characters that begin with FA, RA or RB
 * @example
 * fileNameOf('hello.txt', 'FALPJNul-wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ');
 * //=> 'hello.FALPJNul-wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ.txt'
 */
export function fileNameOf(name: string, code: string): string {
  const folderEnd = mustBeString('name', name).lastIndexOf('/') + 1;
  if (!isPotentialTrustyUri(mustBeString('code', code)) || code.length !== CODE_LENGTH)
    throw new RangeError(
      `code must be 45 Base64 characters that begin with FA, RA or RB, got ${quote(code.slice(0, 100))}`,
    );
  const dot = name.search(LAST_EXTENSION);
  const stemEnd = dot > folderEnd ? dot : name.length;
  const stem = name.slice(folderEnd, stemEnd);
  const separator = stem === '' || stem.endsWith('.') ? '' : '.';
  return name.slice(0, stemEnd) + separator + code + name.slice(stemEnd);
}

/** Returns where the run of Base64 characters that ends at `end` begins. */
function runStart(text: string, end: number): number {
  let start = end;
  while (start > 0 && isBase64Character(text.charCodeAt(start - 1))) start--;
  return start;
}

/** Whether the text is the only spelling of 32 bytes: the two low bits of its 43rd character, 2 of 258, are zero. */
function isBase64Of32Bytes(text: string): boolean {
  return /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/.test(text);
}

/** RFC 6920, section 3. The query says how to read the content, not which content it is. */
const NI = /^ni:\/\/[^/?#]*\/([^;/?#]+);([^;/?#]*)(?:\?[^#]*)?$/i;
/** Section 4: the same under a host, where only the path matters. */
const WELL_KNOWN = /^(?:https?:\/\/[^/?#]*)?\/\.well-known\/ni\/([^/?#]+)\/([^/?#]*)(?:\?[^#]*)?$/i;
/** Section 7: for people to read out; a check digit may follow, and hyphens only help the eye. */
const NIH = /^nih:([^;]+);([^;]*)(?:;([^;]*))?$/i;
const SHA_256 = 'sha-256';
/** Section 9.4: the number of sha-256 in the registry, which section 7 allows. */
const SHA_256_NUMBER = '1';

/**
 * The `ni:` URI of the same bytes: both carry the 43 characters of one SHA-256.
 *
 * @param uri a hash-URI of module FA, its code alone, or the name of its file
 * @param options `authority`: a host that may know the content; none is the default
 * @throws {HashUriError} where `uri` is not a hash-URI of bytes
 * @throws {RangeError} where the authority holds what ends one
 * @see RFC 6920, section 3
 * @example
 * toNi('FALPJNul-wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ');
 * //=> 'ni:///sha-256;LPJNul-wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ'
 */
export function toNi(
  uri: string | URL,
  options: {
    /** A host that may know the content. Default: none. */
    readonly authority?: string | undefined;
  } = {},
): string {
  const { authority = '' } = mustBeOptions('options', options, ['authority']);
  mustBeString('authority', authority);
  if (!/^[^/?#\s]*$/.test(authority))
    throw new RangeError(`authority must not contain /, ?, # or white space, got ${quote(authority)}`);
  return `ni://${authority}/sha-256;${hashOf(uri)}`;
}

/**
 * The `nih:` URI of the same bytes, which can be read out: hex in groups of four, and a check digit.
 *
 * @param uri a hash-URI of module FA, its code alone, or the name of its file
 * @throws {HashUriError} where `uri` is not a hash-URI of bytes
 * @see RFC 6920, section 7
 * @example
 * toNih('FAf4OxZX_x_FO5LcGBSKHWXfwtSx-j1ncoSt3SABJtkGk').slice(0, 26); //=> 'nih:sha-256;7f83-b165-7ff1'
 */
export function toNih(uri: string | URL): string {
  const hex = hexOfBytes(bytesOfBase64(hashOf(uri)));
  return `nih:sha-256;${hex.match(/.{4}/g)!.join('-')};${checkDigit(hex)}`;
}

/**
 * The code of module FA that an `ni:` URI stands for: 45 characters, to append to a base. Also of a `nih:` URI, and of
 * a URL or path under `/.well-known/ni/`. Names of algorithms may be in upper case.
 *
 * @param ni an `ni:` or `nih:` URI, or a `/.well-known/ni/` one, of algorithm sha-256
 * @throws {TypeError} where it is neither a string nor a `URL`
 * @throws {HashUriError} where `ni` is none of these, of another algorithm, its value is not 32 bytes, or its check
 *   digit another one
 * @see RFC 6920, sections 3, 4 and 7
 * @example
 * fromNi('ni:///sha-256;LPJNul-wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ');
 * //=> 'FALPJNul-wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ'
 */
export function fromNi(ni: string | URL): string {
  const text = mustBeUrl('ni', ni);
  const nih = NIH.exec(text);
  const [, algorithm, value = '', digit] = nih ?? NI.exec(text) ?? WELL_KNOWN.exec(text) ?? [];
  if (algorithm === undefined) throw new HashUriError('ni: URI of bytes', text, 'not-ni');
  const isSha256 = asciiLowercase(algorithm) === SHA_256 || (nih !== null && algorithm === SHA_256_NUMBER);
  if (!isSha256) throw new HashUriError('ni: URI of bytes', text, 'algorithm-unsupported');
  if (nih !== null) return `FA${hashOfHex(text, value, digit)}`;
  if (!isBase64Of32Bytes(value)) throw new HashUriError('ni: URI of bytes', text, 'hash-malformed');
  return `FA${value}`;
}

function hashOf(uri: string | URL): string {
  const parts = partsOf(uri);
  if (parts === undefined) throw new HashUriError('hash-URI of bytes', `${uri}`, 'not-a-hash-uri');
  if (parts.identifier !== 'FA') throw new HashUriError('hash-URI of bytes', `${uri}`, 'module-without-bytes');
  if (parts.hash === undefined) throw new HashUriError('hash-URI of bytes', `${uri}`, 'hash-malformed');
  return parts.hash;
}

function hashOfHex(nih: string, value: string, digit: string | undefined): string {
  const hex = value.replaceAll('-', '');
  if (!/^[0-9a-f]{64}$/i.test(hex)) throw new HashUriError('ni: URI of bytes', nih, 'hash-malformed');
  if (digit !== undefined && asciiLowercase(digit) !== checkDigit(hex))
    throw new HashUriError('ni: URI of bytes', nih, 'check-digit');
  return base64OfBytes(bytesOfHex(hex));
}

/** Luhn's algorithm modulo 16: doubles every other digit from the last on, and adds the digits of the result. */
function checkDigit(hex: string): string {
  const sum = [...hex].reverse().reduce((total, character, index) => {
    const digit = Number.parseInt(character, 16) * (index % 2 === 0 ? 2 : 1);
    return total + (digit >> 4) + (digit & 15);
  }, 0);
  return ((16 - (sum % 16)) % 16).toString(16);
}
