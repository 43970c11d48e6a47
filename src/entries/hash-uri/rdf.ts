/**
 * Hash-URIs of RDF: modules RA and RB, on RDF/JS quads of any library.
 *
 * @packageDocumentation
 */

export { UrlsumError } from '../../core/error.ts';
export { HashUriError } from '../../specs/hash-uri/failure.ts';
export { RdfError, type RdfReason } from '../../specs/hash-uri/rdf/failure.ts';
export { type MadeSource, makeFile, verifyFile } from '../../specs/hash-uri/rdf/file.ts';
export { type MadeRdf, type MakeRdfOptions, make, NANOPUB, type Settings } from '../../specs/hash-uri/rdf/make.ts';
export { type ParseOptions, parseRdf, parseRdfStream, type RdfFormat } from '../../specs/hash-uri/rdf/parse-rdf.ts';
export type { AnyQuad, AnyTerm, Quad, Term, TermOf } from '../../specs/hash-uri/rdf/rdf-js.ts';
export {
  artifactCode,
  hashedText,
  nanopublicationsOf,
  type RdfVerdict,
  type VerifyRdfOptions,
  verdictOf,
  verdictOfStream,
  verify,
  verifyStream,
} from '../../specs/hash-uri/rdf/verify.ts';
