/**
 * Hash-URIs, which went on as trusty URIs: content named by its hash.
 *
 * @packageDocumentation
 */

export { UrlsumError } from '../error.ts';
export { HashUriError, type HashUriReason } from '../hash-uri/error.ts';
export {
  type MakeOptions,
  make,
  makeFromStream,
  type VerifyResult,
  verify,
  verifyStream,
} from '../hash-uri/file-module.ts';
export {
  fileNameOf,
  findCodes,
  type HashUri,
  isPotentialHashUri,
  isPotentialTrustyUri,
  parse,
  stripExtension,
} from '../hash-uri/hash-uri.ts';
export { fromNi, toNi, toNih } from '../hash-uri/ni.ts';
