/**
 * Hash-URIs, which went on as trusty URIs: content named by its hash.
 *
 * @packageDocumentation
 */

export { UrlsumError } from '../error.ts';
export type { Chunks } from '../hash-uri/chunks.ts';
export { HashUriError, type HashUriReason } from '../hash-uri/error.ts';
export {
  type HashUriVerdict,
  type MakeOptions,
  make,
  makeFromStream,
  verdictOf,
  verdictOfStream,
  verify,
  verifyStream,
} from '../hash-uri/file-module.ts';
export {
  type FoundCode,
  fileNameOf,
  findCodes,
  type HashUri,
  isPotentialHashUri,
  isPotentialTrustyUri,
  parse,
  stripExtension,
} from '../hash-uri/hash-uri.ts';
export { fromNi, toNi, toNih } from '../hash-uri/ni.ts';
