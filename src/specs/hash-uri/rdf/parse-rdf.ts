import { isBytes, mustBeBytes, mustBeOneOf, mustBeOptions, mustBeString, mustBeUrl } from '../../../core/argument.ts';
import { textEncoder } from '../../../core/bytes/text.ts';
import { quote } from '../../../core/quote.ts';
import { type Chunks, iterated } from '../file-module.ts';
import { RdfError } from './failure.ts';
import { BaseIri, hasIriCharacters, isAbsoluteIri } from './iri.ts';
import { LineReader } from './line-reader.ts';
import type { Quad } from './rdf-js.ts';
import { TurtleReader } from './turtle-reader.ts';

/** The formats that are read here; quads of any other come from its parser. */
export const RDF_FORMATS = ['nquads', 'ntriples', 'trig', 'turtle'] as const;
/** The formats by name: N-Quads, N-Triples, TriG and Turtle. */
export type RdfFormat = (typeof RDF_FORMATS)[number];

const EXTENSIONS: Readonly<Record<string, RdfFormat>> = { nq: 'nquads', nt: 'ntriples', trig: 'trig', ttl: 'turtle' };

/** Returns the format of a file by its name, packed or not: `.nq`, `.nt`, `.trig`, `.ttl`, each also with `.gz`. */
export function formatOfName(name: string): RdfFormat | undefined {
  const extension = /\.([a-z]+)(?:\.gz)?$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(EXTENSIONS, extension) ? EXTENSIONS[extension] : undefined;
}

/** Options of `parseRdf`. */
export interface ParseOptions {
  /** The format of the document. */
  readonly format: RdfFormat;
  /** Turtle and TriG: the absolute IRI that relative ones are resolved against. */
  readonly baseIRI?: string | URL | undefined;
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
  const reader = readerOf(options, quads, {});
  for (const piece of isBytes(text) ? decodedPieces(text) : [mustBeString('text', text).replace(/^\ufeff/, '')])
    reader.push(piece);
  reader.end();
  return quads;
}

/**
 * The quads of a document that comes in pieces, in memory for one of them.
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

/**
 * Yields the quads in arrays, each valid until the next one: passing on an array of 2000 takes no longer than one quad.
 *
 * @param prefixes gets those of Turtle and TriG
 */
export async function* quadBatches(
  chunks: Chunks,
  options: ParseOptions,
  prefixes: Record<string, string> = {},
): AsyncGenerator<Quad[]> {
  const quads: Quad[] = [];
  const reader = readerOf(options, quads, prefixes);
  const utf8 = new Utf8Text();
  for await (const chunk of iterated(chunks)) {
    for (const piece of utf8.pieces(chunk)) reader.push(piece);
    yield quads;
    quads.length = 0;
  }
  reader.push(utf8.end());
  reader.end();
  yield quads;
}

function readerOf(options: ParseOptions, quads: Quad[], prefixes: Record<string, string>): LineReader | TurtleReader {
  const { format, baseIRI } = mustBeOptions('options', options, ['format', 'baseIRI']);
  mustBeOneOf('format', format, RDF_FORMATS);
  const base = baseIRI === undefined ? undefined : mustBeBase(mustBeUrl('baseIRI', baseIRI));
  if (format === 'turtle' || format === 'trig') return new TurtleReader(format, quads, prefixes, base);
  return new LineReader(format === 'nquads', quads);
}

function mustBeBase(baseIRI: string): BaseIri {
  if (isAbsoluteIri(baseIRI) && hasIriCharacters(baseIRI)) return new BaseIri(baseIRI);
  throw new RangeError(`baseIRI must be an absolute IRI, got ${quote(baseIRI)}`);
}

function* decodedPieces(bytes: Uint8Array): Generator<string> {
  const utf8 = new Utf8Text();
  yield* utf8.pieces(bytes);
  yield utf8.end();
}

/** The bytes that are decoded at a time: a text of all of them may be longer than any string. */
const PIECE_BYTES = 1 << 24;

/** Decodes UTF-8 piece by piece, without a byte order mark at the start. */
class Utf8Text {
  readonly #decoder = fatalDecoder();
  /** The position after the decoded text, both counted from 1. */
  #line = 1;
  #column = 1;

  /** @throws {RdfError} 'not-utf8', with line and column */
  *pieces(bytes: Uint8Array): Generator<string> {
    mustBeBytes('a chunk', bytes);
    for (let at = 0; at < bytes.length; at += PIECE_BYTES)
      yield this.#decode(bytes.subarray(at, at + PIECE_BYTES), true);
  }

  /** @throws {RdfError} 'not-utf8' where a character is cut */
  end(): string {
    return this.#decode(new Uint8Array(0), false);
  }

  #decode(bytes: Uint8Array, stream: boolean): string {
    try {
      const text = this.#decoder.decode(bytes, { stream });
      this.#advance(text);
      return text;
    } catch (cause) {
      if (!(cause instanceof TypeError)) throw cause;
      this.#advance(validStart(bytes));
      throw new RdfError('not-utf8', '', { line: this.#line, column: this.#column });
    }
  }

  #advance(text: string): void {
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
      this.#line++;
      this.#column = -at;
    }
    this.#column += text.length;
  }
}

function fatalDecoder(): TextDecoder {
  return new TextDecoder('utf-8', { fatal: true });
}

/** Decodes the valid start of bytes that are not all UTF-8; it may begin within a character. */
function validStart(bytes: Uint8Array): string {
  const rest = bytes.subarray(bytes.findIndex((byte) => (byte & 0xc0) !== 0x80));
  const replaced = textEncoder().encode(new TextDecoder('utf-8', { ignoreBOM: true }).decode(rest));
  const valid = rest.findIndex((byte, at) => byte !== replaced[at]);
  return fatalDecoder().decode(rest.subarray(0, valid === -1 ? rest.length : valid), { stream: true });
}
