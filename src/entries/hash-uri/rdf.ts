/**
 * Hash-URIs of RDF: modules RA and RB, on RDF/JS quads of any library.
 *
 * @packageDocumentation
 */

export { UrlsumError } from '../../core/error.ts';
export { HashUriError } from '../../specs/hash-uri/hash-uri.ts';
export { type MadeSource, makeFile, verifyFile } from '../../specs/hash-uri/rdf/file.ts';
export { type MadeRdf, type MakeRdfOptions, make, NANOPUB, type Settings } from '../../specs/hash-uri/rdf/make.ts';
export { type ParseOptions, parseRdf, parseRdfStream, type RdfFormat } from '../../specs/hash-uri/rdf/parse-rdf.ts';
export {
  type AnyQuad,
  type AnyTerm,
  type Quad,
  RdfError,
  type RdfReason,
  type Term,
  type TermOf,
} from '../../specs/hash-uri/rdf/rdf-js.ts';
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
