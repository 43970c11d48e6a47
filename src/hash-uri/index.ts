/**
 * Hash-URIs, which went on as trusty URIs: content named by its hash.
 *
 * @packageDocumentation
 */

export { UrlsumError } from '../error.ts';
export { findCodes } from './code.ts';
export { HashUriError, type HashUriReason } from './error.ts';
export { fileNameOf } from './file-name.ts';
export { type HashUri, isPotentialHashUri, isPotentialTrustyUri, parse, stripExtension } from './hash-uri.ts';
export { type MakeOptions, make, makeFromStream } from './make.ts';
export { fromNi, toNi, toNih } from './ni.ts';
export type { VerifyResult } from './verdict.ts';
export { verify, verifyStream } from './verify.ts';
