/** Hash-URIs, which went on as trusty URIs: content named by its hash. */
export { isPotentialHashUri, isPotentialTrustyUri, parse, stripExtension } from './hash-uri.ts';
export { findCodes } from './code.ts';
export { make, makeFromStream } from './make.ts';
export { verify, verifyStream } from './verify.ts';
export { fileNameOf } from './file-name.ts';
export { fromNi, toNi } from './ni.ts';
export { HashUriError } from './error.ts';

export type { FoundCode } from './code.ts';
export type { HashUri } from './hash-uri.ts';
export type { MakeOptions, StreamOptions } from './make.ts';
export type { VerifyResult } from './verify.ts';
export type { ModuleName } from './module.ts';
export type { Chunks } from './file-module.ts';
export type { Sha256 } from './sha256.ts';
export type { FailurePlace, FailureReason } from './error.ts';
