import { mustBeBytes, mustBeOptions } from '../argument.ts';
import type { Chunks } from './chunks.ts';
import { codeOfBytes, codeOfChunks } from './file-module.ts';
import { partsOf } from './hash-uri.ts';
import type { StreamOptions } from './make.ts';
import type { VerifyResult } from './verdict.ts';

/**
 * Is `content` what `uri` was made from? An extension is stripped first, so that a file's name will do. Codes
 * are compared as text: three of four spellings of the last character can never be right.
 *
 * @param uri a hash-URI, its code alone, or the name of its file
 * @param content the bytes that it may name
 * @throws {TypeError} where `uri` is not a string or `content` not a Uint8Array
 * @example
 * const content = new TextEncoder().encode('hello');
 * verify('http://example.org/hello.FALPJNul-wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ.txt', content); //=> 'verified'
 * verify('http://example.org/hello.FALPJNul-wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ', content.subarray(1));
 * //=> 'mismatch'
 */
export function verify(uri: string, content: Uint8Array): VerifyResult {
  mustBeBytes('content', content);
  const expected = expectedCode(uri);
  return expected.code === undefined ? expected.result : compared(expected.code, codeOfBytes(content));
}

/**
 * The same for content that comes in pieces; it is not read where there is nothing to compare it with.
 *
 * @param uri a hash-URI, its code alone, or the name of its file
 * @param chunks the content, cut anywhere
 * @param options a SHA-256 of the host's own
 * @throws {TypeError} where `uri` is not a string or a chunk not a Uint8Array
 * @throws {RangeError} on an option that does not exist
 * @example
 * const uri = 'http://example.org/hello.FALPJNul-wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ';
 * await verifyStream(uri, new Response('hello').body!);
 * //=> 'verified'
 */
export async function verifyStream(uri: string, chunks: Chunks, options: StreamOptions = {}): Promise<VerifyResult> {
  mustBeOptions('options', options, ['sha256']);
  const expected = expectedCode(uri);
  return expected.code === undefined
    ? expected.result
    : compared(expected.code, await codeOfChunks(chunks, options.sha256));
}

type Expected =
  | { readonly code: string }
  | { readonly code?: undefined; readonly result: 'unsupported' | 'not-a-hash-uri' };

function expectedCode(uri: string): Expected {
  const parts = partsOf(uri);
  if (parts === undefined) return { result: 'not-a-hash-uri' };
  return parts.identifier === 'FA' ? { code: `FA${parts.data}` } : { result: 'unsupported' };
}

function compared(expected: string, actual: string): VerifyResult {
  return expected === actual ? 'verified' : 'mismatch';
}
