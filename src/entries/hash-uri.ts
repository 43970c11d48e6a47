/**
 * Hash-URIs, which went on as trusty URIs: content named by its hash.
 *
 * @packageDocumentation
 */

export { UrlsumError } from '../core/error.ts';
export { HashUriError, type HashUriReason } from '../specs/hash-uri/failure.ts';
export {
  type Chunks,
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
  fromNi,
  type HashUri,
  isPotentialHashUri,
  isPotentialTrustyUri,
  parseHashUri as parse,
  stripExtension,
  toNi,
  toNih,
} from '../specs/hash-uri/hash-uri.ts';
