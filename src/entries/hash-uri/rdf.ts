/**
 * Hash-URIs of RDF: modules RA and RB, on RDF/JS quads of any library.
 *
 * @packageDocumentation
 */

export { UrlsumError } from '../../error.ts';
export { HashUriError } from '../../hash-uri/error.ts';
export { artifactCode, hashedText } from '../../hash-uri/rdf/artifact-code.ts';
export { RdfError, type RdfReason } from '../../hash-uri/rdf/error.ts';
export { type MadeSource, makeFile, verifyFile } from '../../hash-uri/rdf/files/file.ts';
export type { RdfFormat } from '../../hash-uri/rdf/format.ts';
export { type MadeRdf, type MakeRdfOptions, make } from '../../hash-uri/rdf/make.ts';
export { nanopublicationsOf } from '../../hash-uri/rdf/own-code.ts';
export { type ParseOptions, parseRdf, parseRdfStream } from '../../hash-uri/rdf/parse-rdf.ts';
export type { AnyQuad, AnyTerm, Quad, Term, TermOf } from '../../hash-uri/rdf/rdf-js.ts';
export { NANOPUB, type Settings } from '../../hash-uri/rdf/rewriting.ts';
export {
  type RdfVerdict,
  type VerifyRdfOptions,
  verdictOf,
  verdictOfStream,
  verify,
  verifyStream,
} from '../../hash-uri/rdf/verify.ts';
