import { mustBeOptions, mustBeString, mustBeUrl } from '../../core/argument.ts';
import { base64OfBytes, bytesOfBase64 } from '../../core/bytes/base64.ts';
import { asciiLowercase } from '../../core/bytes/code-points.ts';
import { bytesOfHex, hexOfBytes } from '../../core/bytes/hex.ts';
import { quote } from '../../core/quote.ts';
import { HashUriError } from './error.ts';
import { isBase64Of32Bytes, partsOf } from './hash-uri.ts';

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
