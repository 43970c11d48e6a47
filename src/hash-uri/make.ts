import { mustBeBytes, mustBeOneOf, mustBeOptions, mustBeString } from '../argument.ts';
import { isBase64Character } from './base64.ts';
import type { Chunks } from './chunks.ts';
import { codeOfBytes, codeOfChunks } from './file-module.ts';
import { type MakeContentOptions, makeFromRdf, tellsFormat } from './rdf-content.ts';
import type { Sha256 } from './sha256.ts';

/** What `make` takes, and `makeFromStream` as well. */
export interface MakeOptions {
  /** On bytes; RA and RB are on RDF, whose format must be told: MakeContentOptions. */
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
 * @param options the module and the separator; with the `format` of RDF, for modules RA and RB, the result is a
 *   Promise: what reads RDF is loaded then
 * @throws {TypeError} where `base` is not a string or `content` not a Uint8Array
 * @throws {RangeError} on an option, or a value of one, that does not exist
 * @example
 * const content = new TextEncoder().encode('hello');
 * make('http://example.org/hello', content);
 * //=> 'http://example.org/hello.FALPJNul-wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ'
 */
export function make(base: string, content: Uint8Array, options?: MakeOptions): string;
export function make(base: string, content: Uint8Array, options: MakeContentOptions): Promise<string>;
export function make(
  base: string,
  content: Uint8Array,
  options: MakeOptions | MakeContentOptions = {},
): string | Promise<string> {
  if (tellsFormat(options)) return makeFromRdf(base, [mustBeBytes('content', content)], options);
  return prefixOf(base, options) + codeOfBytes(content);
}

/**
 * The same for content that comes in pieces: of any size in constant memory, but for RDF, which is sorted in memory.
 *
 * @param base what the URI begins with; '' gives the code alone
 * @param chunks the content, cut anywhere
 * @param options the module, the separator, and a SHA-256 of the host's own, or the `format` of RDF
 * @throws {TypeError} where `base` is not a string or a chunk not a Uint8Array
 * @throws {RangeError} on an option, or a value of one, that does not exist
 * @example
 * await makeFromStream('http://example.org/hello', new Response('hello').body!);
 * //=> 'http://example.org/hello.FALPJNul-wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ'
 */
export async function makeFromStream(
  base: string,
  chunks: Chunks,
  options: (MakeOptions & StreamOptions) | MakeContentOptions = {},
): Promise<string> {
  if (tellsFormat(options)) return makeFromRdf(base, chunks, options);
  const { sha256, ...makeOptions } = options;
  return prefixOf(base, makeOptions) + (await codeOfChunks(chunks, sha256));
}

function prefixOf(base: string, options: MakeOptions): string {
  mustBeOptions('options', options, ['module', 'separator']);
  mustBeOneOf('module without format', options.module ?? 'FA', ['FA']);
  const separator = mustBeOneOf('separator', options.separator ?? '.', ['.', '/', '#']);
  const needsSeparator = mustBeString('base', base) !== '' && isBase64Character(base.charCodeAt(base.length - 1));
  return needsSeparator ? base + separator : base;
}
