import { isBytes, mustBeOneOf, mustBeOptions, mustBeString } from '../../argument.ts';
import { type Chunks, iterated } from '../chunks.ts';
import { RDF_FORMATS, type RdfFormat } from './format.ts';
import { LineReader } from './line-reader.ts';
import type { Emit, OnPrefix, QuadReader } from './quad-reader.ts';
import type { Quad } from './rdf-js.ts';
import { TurtleReader } from './turtle-reader.ts';
import { Utf8Text } from './utf8-text.ts';

/** What `parseRdf` takes. */
export interface ParseOptions {
  /** The format of the document. */
  readonly format: RdfFormat;
  /** Turtle and TriG: what relative IRIs are resolved against. */
  readonly baseIRI?: string;
}

/**
 * The quads of a document, in its order: a triple comes before the contents of the `[ ]` or `( )` that is its object.
 * The codes of documents with blank nodes depend on that.
 *
 * @param text UTF-8, where it is bytes
 * @param options the format, and the base of its IRIs
 * @throws {RdfError} with line and column
 * @example
 * const quads = parseRdf('<http://example.org/doc> <http://purl.org/dc/terms/title> "Hello" .', { format: 'turtle' });
 * quads[0]?.object.value; //=> 'Hello'
 */
export function parseRdf(text: string | Uint8Array, options: ParseOptions): Quad[] {
  const quads: Quad[] = [];
  const reader = readerOf(options, (quad) => quads.push(quad));
  reader.push(isBytes(text) ? decoded(text) : withoutByteOrderMark(mustBeString('text', text)));
  reader.end();
  return quads;
}

/**
 * The same for a document that comes in pieces, in memory for one of them.
 *
 * @param chunks UTF-8, cut anywhere
 * @param options the format, and the base of its IRIs
 * @example
 * const { body } = new Response('<http://example.org/doc> <http://purl.org/dc/terms/title> "Hello" .');
 * for await (const { object } of parseRdfStream(body!, { format: 'turtle' })) {
 *   object.value; //=> 'Hello'
 * }
 */
export async function* parseRdfStream(chunks: Chunks, options: ParseOptions): AsyncGenerator<Quad> {
  for await (const quads of quadBatches(chunks, options)) yield* quads;
}

/** The same in arrays, each valid until the next one: to pass on an array of 2000 takes no longer than a quad. */
export async function* quadBatches(chunks: Chunks, options: ParseOptions, onPrefix?: OnPrefix): AsyncGenerator<Quad[]> {
  const quads: Quad[] = [];
  const reader = readerOf(options, (quad) => quads.push(quad), onPrefix);
  const utf8 = new Utf8Text();
  for await (const chunk of iterated(chunks)) {
    reader.push(utf8.decode(chunk));
    yield quads;
    quads.length = 0;
  }
  reader.push(utf8.end());
  reader.end();
  yield quads;
}

function readerOf(options: ParseOptions, emit: Emit, onPrefix?: OnPrefix): QuadReader {
  mustBeOptions('options', options, ['format', 'baseIRI']);
  const { format, baseIRI } = options;
  mustBeOneOf('format', format, RDF_FORMATS);
  if (format === 'turtle' || format === 'trig') return new TurtleReader(format, emit, baseIRI, onPrefix);
  return new LineReader(format === 'nquads', emit);
}

function decoded(bytes: Uint8Array): string {
  const utf8 = new Utf8Text();
  return utf8.decode(bytes) + utf8.end();
}

function withoutByteOrderMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}
