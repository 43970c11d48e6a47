import { DIGESTS, STATE, TEXT, TEXT_END } from '../../../assembly/layout.ts';
import { mustBeBytes, mustBeOneOf, mustBeOptions, mustBeUrl, wrongKind } from '../../core/argument.ts';
import { base64OfBytes, isBase64Character } from '../../core/bytes/base64.ts';
import { digestOfBytes } from '../../core/digest/digest.ts';
import { jsKernel } from '../../core/kernel/js.ts';
import type { Kernel } from '../../core/kernel/kernel.ts';
import { openKernel } from '../../core/kernel/open.ts';
import { nodeModule } from '../../store/node-module.ts';
import { HashUriError } from './failure.ts';
import { partsOf } from './hash-uri.ts';

/** Options of `make`, and of `makeFromStream` as well. */
export interface MakeOptions {
  /** The module, of bytes; RA and RB are of RDF, which `urlsum/hash-uri/rdf` has. */
  readonly module?: 'FA' | undefined;
  /** The separator of a base that ends in a Base64 character from the code: '.' (default), '/' or '#'. */
  readonly separator?: '.' | '/' | '#' | undefined;
}

const MAKE_OPTIONS = ['module', 'separator'];

/** Options of `makeFromStream` and `verifyStream`: without a name that declarations of their callers would need. */
export type StreamOptions = {
  /** The host's own SHA-256, as a new `createHash('sha256')` of node:crypto for each call; else the kernel's. */
  readonly sha256?: Sha256 | undefined;
};

/**
 * The hash-URI of some content: `base`, a separator where it needs one, and the code.
 *
 * @param base what the URI begins with, as a string or a `URL`; '' gives the code alone
 * @param content the bytes that it names
 * @param options the module and the separator
 * @throws {TypeError} where `base` is neither a string nor a `URL`, or `content` not a Uint8Array
 * @throws {RangeError} on an option, or a value of one, that does not exist
 * @example
 * const content = new TextEncoder().encode('hello');
 * make('http://example.org/hello', content);
 * //=> 'http://example.org/hello.FALPJNul-wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ'
 */
export function make(base: string | URL, content: Uint8Array, options: MakeOptions = {}): string {
  return prefixOf(base, mustBeOptions('options', options, MAKE_OPTIONS)) + codeOfBytes(content);
}

/**
 * The hash-URI of content that comes in pieces, of any size, in constant memory.
 *
 * @param base what the URI begins with, as a string or a `URL`; '' gives the code alone
 * @param chunks the content, cut anywhere
 * @param options the module, the separator, and a SHA-256 of the host's own
 * @throws {TypeError} where `base` is neither a string nor a `URL`, or a chunk not a Uint8Array
 * @throws {RangeError} on an option, or a value of one, that does not exist
 * @example
 * await makeFromStream('http://example.org/hello', new Response('hello').body!);
 * //=> 'http://example.org/hello.FALPJNul-wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ'
 */
export async function makeFromStream(
  base: string | URL,
  chunks: Chunks,
  options: MakeOptions & StreamOptions = {},
): Promise<string> {
  const own = mustBeOptions('options', options, [...MAKE_OPTIONS, 'sha256']);
  return prefixOf(base, own) + (await codeOfChunks(chunks, own.sha256));
}

function prefixOf(base: string | URL, { module = 'FA', separator = '.' }: MakeOptions): string {
  mustBeOneOf('module', module, ['FA']);
  mustBeOneOf('separator', separator, ['.', '/', '#']);
  const text = mustBeUrl('base', base);
  const needsSeparator = text !== '' && isBase64Character(text.charCodeAt(text.length - 1));
  return needsSeparator ? text + separator : text;
}

/** The result of `verdictOf`. */
export interface HashUriVerdict {
  /**
   * 'mismatch': it is not the content of this hash-URI; 'unsupported': its module is another one;
   * 'not-a-hash-uri': it does not end in 25 Base64 characters, an extension apart.
   */
  readonly result: 'verified' | 'mismatch' | 'unsupported' | 'not-a-hash-uri';
  /** The code of the content; undefined where none was made, as there was nothing to compare it with. */
  readonly code?: string | undefined;
}

/**
 * Whether `uri` was made from `content`. An extension is stripped first, so that a file's name will do. Codes
 * are compared as text: three of four spellings of the last character can never be right.
 *
 * @param uri a hash-URI, its code alone, or the name of its file
 * @param content the bytes that it may name
 * @returns false where `uri` names other content
 * @throws {TypeError} where `uri` is neither a string nor a `URL`, or `content` not a Uint8Array
 * @throws {HashUriError} where there is nothing to compare: `uri` is not a hash-URI, or its module is not FA
 * @example
 * const content = new TextEncoder().encode('hello');
 * verify('http://example.org/hello.FALPJNul-wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ.txt', content); //=> true
 * verify('http://example.org/hello.FALPJNul-wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ', content.subarray(1)); //=> false
 */
export function verify(uri: string | URL, content: Uint8Array): boolean {
  return isVerified(uri, verdictOf(uri, content));
}

/**
 * Whether `uri` was made from content that comes in pieces; it is not read where there is nothing to compare it with.
 *
 * @param uri a hash-URI, its code alone, or the name of its file
 * @param chunks the content, cut anywhere
 * @param options a SHA-256 of the host's own
 * @returns false where `uri` names other content
 * @throws {TypeError} where `uri` is neither a string nor a `URL`, or a chunk not a Uint8Array
 * @throws {RangeError} on an option that does not exist
 * @throws {HashUriError} where there is nothing to compare: `uri` is not a hash-URI, or its module is not FA
 * @example
 * const uri = 'http://example.org/hello.FALPJNul-wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ';
 * await verifyStream(uri, new Response('hello').body!); //=> true
 */
export async function verifyStream(uri: string | URL, chunks: Chunks, options: StreamOptions = {}): Promise<boolean> {
  return isVerified(uri, await verdictOfStream(uri, chunks, options));
}

/**
 * Says what `verify` found, in one word, with the code that the content has.
 *
 * @param uri a hash-URI, its code alone, or the name of its file
 * @param content the bytes that it may name
 * @throws {TypeError} where `uri` is neither a string nor a `URL`, or `content` not a Uint8Array
 * @example
 * verdictOf('http://example.org/hello.txt', new Uint8Array(0)); //=> { result: 'not-a-hash-uri' }
 */
export function verdictOf(uri: string | URL, content: Uint8Array): HashUriVerdict {
  mustBeBytes('content', content);
  const expected = expectedCode(uri);
  return typeof expected === 'object' ? expected : compared(expected, codeOfBytes(content));
}

/**
 * Says what `verifyStream` found, in one word, with the code that the content has.
 *
 * @param uri a hash-URI, its code alone, or the name of its file
 * @param chunks the content, cut anywhere
 * @param options a SHA-256 of the host's own
 * @throws {TypeError} where `uri` is neither a string nor a `URL`, or a chunk not a Uint8Array
 * @throws {RangeError} on an option that does not exist
 * @example
 * const uri = 'http://example.org/hello.FALPJNul-wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ';
 * (await verdictOfStream(uri, new Response('hello').body!)).result; //=> 'verified'
 */
export async function verdictOfStream(
  uri: string | URL,
  chunks: Chunks,
  options: StreamOptions = {},
): Promise<HashUriVerdict> {
  const { sha256 } = mustBeOptions('options', options, ['sha256']);
  const expected = expectedCode(uri);
  return typeof expected === 'object' ? expected : compared(expected, await codeOfChunks(chunks, sha256));
}

/** @throws {HashUriError} where there was nothing to compare */
export function isVerified(uri: string | URL, { result }: HashUriVerdict): boolean {
  if (result === 'not-a-hash-uri') throw new HashUriError('hash-URI', `${uri}`, 'not-a-hash-uri');
  if (result === 'unsupported') throw new HashUriError('hash-URI of this entry', `${uri}`, 'module-unsupported');
  return result === 'verified';
}

/** Returns the code that the content must have, or the verdict where it is known without the content. */
function expectedCode(uri: string | URL): string | HashUriVerdict {
  const parts = partsOf(uri);
  if (parts === undefined) return { result: 'not-a-hash-uri' };
  return parts.identifier === 'FA' ? `FA${parts.data}` : { result: 'unsupported' };
}

function compared(expected: string, code: string): HashUriVerdict {
  return { result: expected === code ? 'verified' : 'mismatch', code };
}

/**
 * Module FA, on the bytes of a file only: not its name, not its encoding. The code is 'FA' and the 43 Base64 characters
 * of the SHA-256.
 */
function codeOfBytes(content: Uint8Array): string {
  return codeOfDigest(digestOfBytes(openKernel(), mustBeBytes('content', content), 32));
}

/** Returns the code of content that comes in pieces, in constant memory. */
async function codeOfChunks(chunks: Chunks, sha256: Sha256 = new KernelSha256()): Promise<string> {
  if (typeof Object(sha256).update !== 'function') throw wrongKind('sha256', 'a hash of node:crypto', sha256);
  for await (const chunk of iterated(chunks)) sha256.update(mustBeBytes('a chunk', chunk));
  return codeOfDigest(sha256.digest());
}

function codeOfDigest(digest: Uint8Array): string {
  return `FA${base64OfBytes(digest)}`;
}

/** A source of bytes in pieces: a ReadableStream, a stream of Node, an array of chunks. */
export type Chunks = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Wraps a ReadableStream where the host cannot iterate over one. */
export function iterated(chunks: Chunks): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  const source = Object(chunks) as object;
  if (Symbol.asyncIterator in source || Symbol.iterator in source) return chunks as AsyncIterable<Uint8Array>;
  if ('getReader' in source) return readAll(chunks as ReadableStream<Uint8Array>);
  throw wrongKind('chunks', 'a ReadableStream or iterable', chunks);
}

async function* readAll(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    reader.releaseLock();
  }
}

/** SHA-256 of a message in pieces; what node:crypto's createHash('sha256') gives is one. */
export type Sha256 = {
  /**
   * Takes in the next piece.
   *
   * @param bytes any number of bytes
   */
  update(bytes: Uint8Array): unknown;
  /** @returns 32 bytes */
  digest(): Uint8Array;
};

/** The host's own, which uses the processor's instructions. @throws {TypeError} where it has no modules of Node */
export function hostSha256(): Sha256 {
  return nodeModule('node:crypto').createHash('sha256');
}

const BLOCK_BYTES = 64;
const STATE_BYTES = 32;
const ROOM_BYTES = (TEXT_END - TEXT) & ~(BLOCK_BYTES - 1);

/**
 * SHA-256 by the kernel, whose memory holds the state of one message. Several streams may be read in turns, and other
 * messages hashed between two pieces, so each stream keeps its own state and brings it along. The JavaScript kernel's
 * state is not in its memory: there each stream has a kernel of its own.
 */
export class KernelSha256 implements Sha256 {
  readonly #kernel: Kernel;
  readonly #tail = new Uint8Array(BLOCK_BYTES);
  #state: Uint8Array<ArrayBuffer>;
  #byteLength = 0;

  constructor(kernel: Kernel = openKernel()) {
    this.#kernel = kernel.name === 'js' ? jsKernel() : kernel;
    this.#kernel.init();
    this.#state = this.#savedState();
  }

  update(bytes: Uint8Array): void {
    const fill = this.#tailLength;
    this.#byteLength += bytes.length;
    if (fill + bytes.length < BLOCK_BYTES) return this.#tail.set(bytes, fill);
    this.#kernel.memory.bytes.set(this.#state, STATE);
    const rest = fill === 0 ? bytes : bytes.subarray(this.#fillTail(bytes, fill));
    const wholeLength = rest.length & ~(BLOCK_BYTES - 1);
    for (let at = 0; at < wholeLength; at += ROOM_BYTES)
      this.#update(rest.subarray(at, Math.min(at + ROOM_BYTES, wholeLength)));
    this.#tail.set(rest.subarray(wholeLength));
    this.#state = this.#savedState();
  }

  digest(): Uint8Array<ArrayBuffer> {
    const { memory } = this.#kernel;
    memory.bytes.set(this.#state, STATE);
    memory.bytes.set(this.#tail.subarray(0, this.#tailLength), TEXT);
    this.#kernel.final(TEXT, this.#tailLength, this.#byteLength, DIGESTS, 32);
    return memory.firstDigest(32).slice();
  }

  /** Completes the block that the tail began, and returns how many bytes that took. */
  #fillTail(bytes: Uint8Array, fill: number): number {
    const taken = BLOCK_BYTES - fill;
    this.#tail.set(bytes.subarray(0, taken), fill);
    this.#update(this.#tail);
    return taken;
  }

  #update(blocks: Uint8Array): void {
    this.#kernel.memory.bytes.set(blocks, TEXT);
    this.#kernel.update(TEXT, blocks.length / BLOCK_BYTES);
  }

  #savedState(): Uint8Array<ArrayBuffer> {
    return this.#kernel.memory.bytes.slice(STATE, STATE + STATE_BYTES);
  }

  get #tailLength(): number {
    return this.#byteLength % BLOCK_BYTES;
  }
}
