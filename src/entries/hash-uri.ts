/**
 * Hash-URIs, which went on as trusty URIs: content named by its hash.
 *
 * @packageDocumentation
 */

export { UrlsumError } from '../core/error.ts';
export { HashUriError, type HashUriReason } from '../specs/hash-uri/error.ts';
export type { Chunks } from '../specs/hash-uri/file-module.ts';
export {
  type HashUriVerdict,
  type MakeOptions,
  make,
  makeFromStream,
  verdictOf,
  verdictOfStream,
  verify,
  verifyStream,
} from '../specs/hash-uri/file-module.ts';
export {
  type FoundCode,
  fileNameOf,
  findCodes,
  type HashUri,
  isPotentialHashUri,
  isPotentialTrustyUri,
  parse,
  stripExtension,
} from '../specs/hash-uri/hash-uri.ts';
export { fromNi, toNi, toNih } from '../specs/hash-uri/ni.ts';
