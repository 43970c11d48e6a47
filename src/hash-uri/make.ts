import { mustBeBytes, mustBeOneOf, mustBeOptions, mustBeString } from '../argument.ts';
import { isBase64Character } from './base64.ts';
import type { Chunks } from './chunks.ts';
import { codeOfBytes, codeOfChunks } from './file-module.ts';
import { type MakeContentOptions, makeFromRdf, tellsFormat } from './rdf-content.ts';
import type { Sha256 } from './sha256.ts';

export interface MakeOptions {
  /** On bytes; RA and RB are on RDF, whose format must be told: MakeContentOptions. */
  readonly module?: 'FA';
  /** What separates a base that ends in a Base64 character from the code: '.' (default), '/' or '#'. */
  readonly separator?: '.' | '/' | '#';
}

export interface StreamOptions {
  /** The host's own SHA-256, as a new `createHash('sha256')` of node:crypto for each call; else the kernel's. */
  readonly sha256?: Sha256;
}

/**
 * The hash-URI of some content: `base`, a separator where it needs one, and the code.
 *
 * @param base what the URI begins with; '' gives the code alone
 * @param options with the `format` of RDF, for modules RA and RB, the result is a Promise: what reads it is loaded then
 * @throws {TypeError} where `base` is not a string or `content` not a Uint8Array
 * @throws {RangeError} on an option, or a value of one, that there is not
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

/** The same for content that comes in pieces: of any size in constant memory, but for RDF, which is sorted in memory. */
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
