/**
 * Hash-URIs of RDF: modules RA and RB, on RDF/JS quads of any library.
 *
 * @packageDocumentation
 */

export { UrlsumError } from '../../error.ts';
export { artifactCode, hashedText } from './artifact-code.ts';
export { RdfError, type RdfReason } from './error.ts';
export { type MadeSource, makeFile, verifyFile } from './files/file.ts';
export type { RdfFormat } from './format.ts';
export { type MadeRdf, type MakeRdfOptions, make } from './make.ts';
export { nanopublicationsOf } from './own-code.ts';
export { type ParseOptions, parseRdf, parseRdfStream } from './parse-rdf.ts';
export type { AnyQuad, AnyTerm, Quad, Term } from './rdf-js.ts';
export { NANOPUB } from './rewriting.ts';
export { type RdfVerdict, type VerifyRdfOptions, verdictOf, verdictOfStream, verify, verifyStream } from './verify.ts';
