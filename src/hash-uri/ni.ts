import { mustBeOptions, mustBeString } from '../argument.ts';
import { isBase64Of32Bytes } from './base64.ts';
import { HashUriError } from './error.ts';
import { parse } from './hash-uri.ts';

/** RFC 6920 section 3. The query says how to read the content, and nothing about which it is. */
const NI = /^ni:\/\/[^/?#]*\/([^;/?#]+);([^;/?#]*)(?:\?[^#]*)?$/i;

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
export function toNi(uri: string, options: { readonly authority?: string } = {}): string {
  mustBeOptions('options', options, ['authority']);
  const authority = mustBeString('authority', options.authority ?? '');
  if (!/^[^/?#\s]*$/.test(authority)) throw new RangeError(`not an authority: ${JSON.stringify(authority)}`);
  const parts = parse(uri);
  if (parts === undefined) throw new HashUriError('hash-URI of bytes', uri, 'not-a-hash-uri');
  if (parts.identifier !== 'FA') throw new HashUriError('hash-URI of bytes', uri, 'module-without-bytes');
  if (parts.hash === undefined) throw new HashUriError('hash-URI of bytes', uri, 'hash-malformed');
  return `ni://${authority}/sha-256;${parts.hash}`;
}

/**
 * The code of module FA that an `ni:` URI stands for: 45 characters, to append to a base.
 *
 * @param ni an `ni:` URI of algorithm sha-256
 * @throws {TypeError} on what is not a string
 * @throws {HashUriError} where `ni` is not an `ni:` URI, of another algorithm, or its value is not 32 bytes
 * @see RFC 6920, section 3
 * @example
 * fromNi('ni:///sha-256;LPJNul-wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ');
 * //=> 'FALPJNul-wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ'
 */
export function fromNi(ni: string): string {
  const [, algorithm, value = ''] = NI.exec(mustBeString('ni', ni)) ?? [];
  if (algorithm === undefined) throw new HashUriError('ni: URI of bytes', ni, 'not-ni');
  if (algorithm !== 'sha-256') throw new HashUriError('ni: URI of bytes', ni, 'algorithm-unsupported');
  if (!isBase64Of32Bytes(value)) throw new HashUriError('ni: URI of bytes', ni, 'hash-malformed');
  return `FA${value}`;
}
