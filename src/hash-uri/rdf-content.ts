import { type Chunks, iterated } from './chunks.ts';
import type { MakeRdfOptions } from './rdf/make.ts';
import type { ParseOptions } from './rdf/parse-rdf.ts';
import type { VerifyRdfOptions } from './rdf/verify.ts';
import type { VerifyResult } from './verdict.ts';

// RDF as bytes. `urlsum/hash-uri/rdf`, with its parser, is loaded when the format of some content is told: who hashes
// bytes has no need of it.

/** What `make` takes for RDF: the module, the format, and what becomes of IRIs. */
export type MakeContentOptions = MakeRdfOptions & ParseOptions;
/** What `verify` takes for RDF: the format, and what `verify` of `urlsum/hash-uri/rdf` takes. */
export type VerifyContentOptions = VerifyRdfOptions & ParseOptions;

export function tellsFormat<T extends object>(options: T): options is Extract<T, ParseOptions> {
  return Object.hasOwn(Object(options), 'format');
}

/** The hash-URI that the quads of a document are given; `make` of `urlsum/hash-uri/rdf` also gives these quads. */
export async function makeFromRdf(base: string, chunks: Chunks, options: MakeContentOptions): Promise<string> {
  const { format, baseIRI, ...makeOptions } = options;
  const { make, parseRdfStream } = await import('./rdf/index.ts');
  const quads = [];
  for await (const quad of parseRdfStream(iterated(chunks), parseOptions(format, baseIRI))) quads.push(quad);
  return make(base, quads, makeOptions).uri;
}

export async function verifyRdf(uri: string, chunks: Chunks, options: VerifyContentOptions): Promise<VerifyResult> {
  const { format, baseIRI, ...verifyOptions } = options;
  const { parseRdfStream, verify } = await import('./rdf/index.ts');
  return verify(uri, parseRdfStream(chunks, parseOptions(format, baseIRI)), verifyOptions);
}

function parseOptions(format: ParseOptions['format'], baseIRI: string | undefined): ParseOptions {
  return baseIRI === undefined ? { format } : { format, baseIRI };
}
