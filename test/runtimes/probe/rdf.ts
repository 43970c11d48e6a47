import {
  hashedText,
  make,
  parseRdf,
  parseRdfStream,
  RdfError,
  type RdfFormat,
  verdictOf,
  verdictOfStream,
} from 'urlsum/hash-uri/rdf';
import { BASE, randomDocument } from '../../rdf/document.ts';
import { randomFrom, SEED } from '../../support/random.ts';
import { digestOf, type Results } from './outcome.ts';

const FORMATS: readonly RdfFormat[] = ['nquads', 'ntriples', 'trig', 'turtle'];
const DOCUMENT_COUNT = 200;

/** Random documents, the same everywhere: what is hashed of them, their codes, or why they have none. */
export async function rdfResults(): Promise<Results> {
  const random = randomFrom(SEED);
  const lines: string[] = [];
  for (let count = 0; count < DOCUMENT_COUNT; count++) {
    const { format, text } = randomDocument(random, FORMATS[count % FORMATS.length]!);
    lines.push(madeLine(text, format, count % 5 === 0 ? 'RB' : 'RA'), await verifiedLine(text, format));
  }
  return { count: lines.length, digest: digestOf(lines.join('\n')) };
}

function madeLine(text: string, format: RdfFormat, module: 'RA' | 'RB'): string {
  try {
    const { uri, quads } = make(BASE, parseRdf(text, { format }), { module });
    const graph = module === 'RB' ? { graph: uri } : {};
    return `${uri} ${verdictOf(uri, quads, graph).result} ${hashedText(quads, { code: uri.slice(-45) })}`;
  } catch (error) {
    return reasonOf(error);
  }
}

/** Verifies a document that comes in bytes. */
async function verifiedLine(text: string, format: RdfFormat): Promise<string> {
  try {
    const quads = parseRdfStream([new TextEncoder().encode(text)], { format });
    return (await verdictOfStream(`RA${'A'.repeat(43)}`, quads)).result;
  } catch (error) {
    return reasonOf(error);
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof RdfError) return error.reason;
  throw error;
}
