/**
 * Hash-URIs of RDF: modules RA and RB, on RDF/JS quads of any library.
 *
 * @packageDocumentation
 */

export { UrlsumError } from '../../error.ts';
export type { CodeOptions, RdfModule, TextOptions } from './artifact-code.ts';
export { artifactCode, hashedText } from './artifact-code.ts';
export type { RdfReason } from './error.ts';
export { RdfError } from './error.ts';
export type { FileOptions } from './files/file.ts';
export { makeFile, verifyFile } from './files/file.ts';
export type { MadeSource } from './files/make.ts';
export type { RdfFormat } from './format.ts';
export type { KeyOrder } from './key-order.ts';
export type { MadeRdf, MakeRdfOptions } from './make.ts';
export { make } from './make.ts';
export { nanopublicationsOf } from './nanopublication.ts';
export type { ParseOptions } from './parse-rdf.ts';
export { parseRdf, parseRdfStream } from './parse-rdf.ts';
export type { Settings } from './settings.ts';
export { NANOPUB } from './settings.ts';
export type { SpecVersion } from './sort-key.ts';
export type {
  AnyQuad,
  AnyTerm,
  BlankNode,
  DefaultGraph,
  Graph,
  Literal,
  LiteralLike,
  NamedNode,
  Quad,
  Subject,
} from './term.ts';
export type { Verdict, VerifyRdfOptions } from './verify.ts';
export { check, verify } from './verify.ts';
