import { mustBeBytes } from '../argument.ts';
import { type Chunks, codeOfBytes, codeOfChunks } from './file-module.ts';
import { parse } from './hash-uri.ts';
import type { StreamOptions } from './make.ts';

/**
 * 'mismatch': it is not the content of this hash-URI; 'unsupported': its module is not FA;
 * 'not-a-hash-uri': it does not end in 25 Base64 characters, an extension apart.
 */
export type VerifyResult = 'verified' | 'mismatch' | 'unsupported' | 'not-a-hash-uri';

/**
 * Is `content` what `uri` was made from? An extension is stripped first, so that a file's name will do. Codes
 * are compared as text: three of four spellings of the last character can never be right.
 *
 * @throws {TypeError} where `uri` is no string or `content` no Uint8Array
 */
export function verify(uri: string, content: Uint8Array): VerifyResult {
  mustBeBytes('content', content);
  const expected = expectedCode(uri);
  return expected.code === undefined ? expected.result : compared(expected.code, codeOfBytes(content));
}

/** The same for content that comes in pieces; it is not read where there is nothing to compare it with. */
export async function verifyStream(uri: string, chunks: Chunks, { sha256 }: StreamOptions = {}): Promise<VerifyResult> {
  const expected = expectedCode(uri);
  return expected.code === undefined ? expected.result : compared(expected.code, await codeOfChunks(chunks, sha256));
}

type Expected =
  | { readonly code: string }
  | { readonly code?: undefined; readonly result: 'unsupported' | 'not-a-hash-uri' };

function expectedCode(uri: string): Expected {
  const parts = parse(uri);
  if (parts === undefined) return { result: 'not-a-hash-uri' };
  return parts.identifier === 'FA' ? { code: `FA${parts.data}` } : { result: 'unsupported' };
}

function compared(expected: string, actual: string): VerifyResult {
  return expected === actual ? 'verified' : 'mismatch';
}
