/**
 * Hash-URIs, which went on as trusty URIs: content named by its hash.
 *
 * @packageDocumentation
 */

export { UrlsumError } from '../error.ts';
export type { Chunks } from './chunks.ts';
export type { FoundCode } from './code.ts';
export { findCodes } from './code.ts';
export type { FailurePlace, FailureReason, HashUriPlace, HashUriReason } from './error.ts';
export { HashUriError } from './error.ts';
export { fileNameOf } from './file-name.ts';
export type { HashUri, TrustyUriOptions } from './hash-uri.ts';
export { isPotentialHashUri, isPotentialTrustyUri, parse, stripExtension } from './hash-uri.ts';
export type { MakeOptions, StreamOptions } from './make.ts';
export { make, makeFromStream } from './make.ts';
export type { ModuleName } from './module.ts';
export { fromNi, toNi, toNih } from './ni.ts';
export type { Sha256 } from './sha256.ts';
export type { VerifyResult } from './verdict.ts';
export { verify, verifyStream } from './verify.ts';
