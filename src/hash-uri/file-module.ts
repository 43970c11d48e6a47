import { mustBeBytes, mustBeOneOf, mustBeOptions, mustBeString } from '../argument.ts';
import { digestOfBytes } from '../digest/digest.ts';
import { openKernel } from '../kernel/open.ts';
import { base64OfBytes, isBase64Character } from './base64.ts';
import { type Chunks, iterated } from './chunks.ts';
import { partsOf } from './hash-uri.ts';
import { KernelSha256, type Sha256 } from './sha256.ts';

/** What `make` takes, and `makeFromStream` as well. */
export interface MakeOptions {
  /** On bytes; RA and RB are on RDF, which `urlsum/hash-uri/rdf` has. */
  readonly module?: 'FA';
  /** What separates a base that ends in a Base64 character from the code: '.' (default), '/' or '#'. */
  readonly separator?: '.' | '/' | '#';
}

const MAKE_OPTIONS = ['module', 'separator'];

/** What `makeFromStream` and `verifyStream` take. */
export interface StreamOptions {
  /** The host's own SHA-256, as a new `createHash('sha256')` of node:crypto for each call; else the kernel's. */
  readonly sha256?: Sha256;
}

/**
 * The hash-URI of some content: `base`, a separator where it needs one, and the code.
 *
 * @param base what the URI begins with; '' gives the code alone
 * @param content the bytes that it names
 * @param options the module and the separator
 * @throws {TypeError} where `base` is not a string or `content` not a Uint8Array
 * @throws {RangeError} on an option, or a value of one, that does not exist
 * @example
 * const content = new TextEncoder().encode('hello');
 * make('http://example.org/hello', content);
 * //=> 'http://example.org/hello.FALPJNul-wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ'
 */
export function make(base: string, content: Uint8Array, options: MakeOptions = {}): string {
  mustBeOptions('options', options, MAKE_OPTIONS);
  return prefixOf(base, options) + codeOfBytes(content);
}

/**
 * The same for content that comes in pieces, of any size, in constant memory.
 *
 * @param base what the URI begins with; '' gives the code alone
 * @param chunks the content, cut anywhere
 * @param options the module, the separator, and a SHA-256 of the host's own
 * @throws {TypeError} where `base` is not a string or a chunk not a Uint8Array
 * @throws {RangeError} on an option, or a value of one, that does not exist
 * @example
 * await makeFromStream('http://example.org/hello', new Response('hello').body!);
 * //=> 'http://example.org/hello.FALPJNul-wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ'
 */
export async function makeFromStream(
  base: string,
  chunks: Chunks,
  options: MakeOptions & StreamOptions = {},
): Promise<string> {
  mustBeOptions('options', options, [...MAKE_OPTIONS, 'sha256']);
  return prefixOf(base, options) + (await codeOfChunks(chunks, options.sha256));
}

function prefixOf(base: string, options: MakeOptions): string {
  mustBeOneOf('module', options.module ?? 'FA', ['FA']);
  const separator = mustBeOneOf('separator', options.separator ?? '.', ['.', '/', '#']);
  const needsSeparator = mustBeString('base', base) !== '' && isBase64Character(base.charCodeAt(base.length - 1));
  return needsSeparator ? base + separator : base;
}

/**
 * 'mismatch': it is not the content of this hash-URI; 'unsupported': its module is another one;
 * 'not-a-hash-uri': it does not end in 25 Base64 characters, an extension apart.
 */
export type VerifyResult = 'verified' | 'mismatch' | 'unsupported' | 'not-a-hash-uri';

/**
 * Whether `uri` was made from `content`. An extension is stripped first, so that a file's name will do. Codes
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

/**
 * Module FA, on the bytes of a file only: not its name, not its encoding. The code is 'FA' and the 43 Base64 characters
 * of the SHA-256.
 */
function codeOfBytes(content: Uint8Array): string {
  return codeOfDigest(digestOfBytes(openKernel(), mustBeBytes('content', content), 32));
}

/** Does the same in constant memory. */
async function codeOfChunks(chunks: Chunks, sha256: Sha256 = new KernelSha256()): Promise<string> {
  for await (const chunk of iterated(chunks)) sha256.update(mustBeBytes('a chunk', chunk));
  return codeOfDigest(sha256.digest());
}

function codeOfDigest(digest: Uint8Array): string {
  return `FA${base64OfBytes(digest)}`;
}
