import { mustBeOneOf, mustBeOptions, mustBeString } from '../argument.ts';
import { isBase64Character } from './base64.ts';
import type { Chunks } from './chunks.ts';
import { codeOfBytes, codeOfChunks } from './file-module.ts';
import type { Sha256 } from './sha256.ts';

/** What `make` takes, and `makeFromStream` as well. */
export interface MakeOptions {
  /** On bytes; RA and RB are on RDF, which `urlsum/hash-uri/rdf` has. */
  readonly module?: 'FA';
  /** What separates a base that ends in a Base64 character from the code: '.' (default), '/' or '#'. */
  readonly separator?: '.' | '/' | '#';
}

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
  const { sha256, ...makeOptions } = options;
  return prefixOf(base, makeOptions) + (await codeOfChunks(chunks, sha256));
}

function prefixOf(base: string, options: MakeOptions): string {
  mustBeOptions('options', options, ['module', 'separator']);
  mustBeOneOf('module', options.module ?? 'FA', ['FA']);
  const separator = mustBeOneOf('separator', options.separator ?? '.', ['.', '/', '#']);
  const needsSeparator = mustBeString('base', base) !== '' && isBase64Character(base.charCodeAt(base.length - 1));
  return needsSeparator ? base + separator : base;
}
