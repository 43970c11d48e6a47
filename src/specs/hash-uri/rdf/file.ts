import { mustBeRecord } from '../../../core/argument.ts';
import { areSameBytes } from '../../../core/bytes/order.ts';
import { withoutUnseen } from '../../../core/quote.ts';
import { mustBePath, nodeModule } from '../../../store/node-module.ts';
import { type Chunks, hostSha256, isVerified } from '../file-module.ts';
import { DEFAULT_KEY_BYTES, Keys, mustBeMemory } from './keys.ts';
import { type MakeRdfOptions, QuadMaker, type Rewriting, withCode } from './make.ts';
import { formatOfName, quadBatches, RDF_FORMATS, type RdfFormat } from './parse-rdf.ts';
import type { Quad } from './rdf-js.ts';
import { CodeRemoval, sortKey } from './sort-key.ts';
import { expectedOf, OwnCode, QuadVerifier, type RdfVerdict, type VerifyRdfOptions } from './verify.ts';

/**
 * Options of `verifyFile` and `makeFile` beside those of `verify` and `make`: without a name that declarations of their
 * callers would need.
 */
export type FileOptions = {
  /** The format of the document; default: what the file's name ends in. */
  readonly format?: RdfFormat | undefined;
  /** Turtle and TriG: what relative IRIs are resolved against. */
  readonly baseIRI?: string | URL | undefined;
  /**
   * Bytes: where sorting would take more, sorted runs go to temporary files. Default 268,435,456, at least a million.
   */
  readonly memoryBytes?: number | undefined;
};

/**
 * `verify` for a file, in bounded memory: for Node, Deno and Bun, whose modules are loaded then. Without `format` its
 * name says what is in it: `.nq`, `.nt`, `.trig`, `.ttl`, each also with `.gz`.
 *
 * @param uri a hash-URI, its code alone, or the name of its file
 * @param path of the file, or its `file:` URL
 * @param options what `verify` takes, and the format and the memory
 * @returns false where `uri` names other quads
 * @throws {HashUriError} where there is nothing to compare, as `verify` does
 * @throws {RdfError} as `verify` and `parseRdf` do
 * @throws {TypeError} where there are no files
 * @throws {RangeError} where the format is neither told nor known by the name
 * @throws {Error} of the system, where the file cannot be read
 * @example
 * const { writeFileSync } = await import('node:fs');
 * writeFileSync('doc.nt', '<http://example.org/doc> <http://purl.org/dc/terms/title> "Hello" .\n');
 * await verifyFile('RABAoJWYflPuakNvZoBYYJJqOsG0icKyRPIrK2f48Av-8', 'doc.nt'); //=> true
 */
export async function verifyFile(
  uri: string | URL,
  path: string | URL,
  options: VerifyRdfOptions & FileOptions = {},
): Promise<boolean> {
  const { format, baseIRI, memoryBytes = DEFAULT_KEY_BYTES, ...verifyOptions } = mustBeRecord('options', options);
  const source = sourceOfFile(mustBePath('path', path), format, baseIRI);
  return isVerified(uri, await checkSource(uri, source, verifyOptions, mustBeMemory(memoryBytes)));
}

/** `verdictOf` of `urlsum/hash-uri/rdf` for quads that need not fit in memory: sorted runs go to temporary files. */
export async function checkSource(
  uri: string | URL,
  source: RdfSource,
  options: VerifyRdfOptions,
  memoryBytes: number,
): Promise<RdfVerdict> {
  const expected = expectedOf(uri, options);
  if (typeof expected === 'string') return { result: expected };
  const keys = new Keys(memoryBytes);
  try {
    const verifier = new QuadVerifier(expected, keys);
    await source.eachQuad((quad) => verifier.add(quad));
    return verifier.verdict(hostSha256);
  } finally {
    keys.close();
  }
}

/** The result of `makeFile`. */
export interface MadeSource {
  /** The trusty URI. */
  readonly uri: string;
  /** The artifact code: the two characters of the module, and 43 of the hash. */
  readonly code: string;
  /** Reads the source again: all quads in their order, as `make` of `urlsum/hash-uri/rdf` gives them. */
  quads(): AsyncGenerator<Quad>;
  /** Prefixes to write the quads with: those of the source that do not begin with the base, `this` and `sub`. */
  readonly prefixes: Readonly<Record<string, string>>;
}

/**
 * `make` for a file, in bounded memory: for Node, Deno and Bun, whose modules are loaded then.
 *
 * @param base what the URI begins with; without `://` no IRI is changed, and there must be no blank nodes
 * @param path of the file, or its `file:` URL
 * @param options what `make` takes, and the format and the memory
 * @returns the trusty URI and its code; the quads are read from the file again when they are asked for, which throws at
 *   the end where it has changed
 * @throws {RdfError} as `make` and `parseRdf` do
 * @throws {TypeError} where there are no files
 * @throws {RangeError} where the format is neither told nor known by the name
 * @throws {Error} of the system, where the file cannot be read
 * @example
 * const { writeFileSync } = await import('node:fs');
 * writeFileSync('doc.ttl', '<http://example.org/doc> <http://purl.org/dc/terms/title> "Hello" .');
 * (await makeFile('http://example.org/doc', 'doc.ttl', { module: 'RA' })).uri;
 * //=> 'http://example.org/doc.RA908clB7QtdIq9O6p7oxyp9L4kfobxN3C4J0IyhyAcFE'
 */
export async function makeFile(
  base: string | URL,
  path: string | URL,
  options: MakeRdfOptions & FileOptions,
): Promise<MadeSource> {
  const { format, baseIRI, memoryBytes = DEFAULT_KEY_BYTES, ...makeOptions } = mustBeRecord('options', options);
  const source = sourceOfFile(mustBePath('path', path), format, baseIRI);
  return makeFromSource(base, source, makeOptions, mustBeMemory(memoryBytes));
}

/** `make` of `urlsum/hash-uri/rdf` for quads that need not fit in memory: the source is read a second time for them. */
export async function makeFromSource(
  base: string | URL,
  source: RdfSource,
  options: MakeRdfOptions,
  memoryBytes: number,
): Promise<MadeSource> {
  const keys = new Keys(memoryBytes);
  try {
    const maker = new QuadMaker(base, options, keys);
    const prefixes: Record<string, string> = {};
    await source.eachQuad((quad) => maker.add(quad), prefixes);
    const code = maker.code(hostSha256());
    const { rewriting } = maker;
    return {
      uri: rewriting.stem + code,
      code,
      quads: () => namedQuads(source, rewriting, code),
      prefixes: namedPrefixes(prefixes, rewriting, code),
    };
  } finally {
    keys.close();
  }
}

async function* namedQuads(source: RdfSource, rewriting: Rewriting, code: string): AsyncGenerator<Quad> {
  for await (const quads of source.quadBatches()) for (const quad of quads) yield withCode(quad, rewriting, code);
}

/**
 * Leaves out the prefixes that begin with the base, since no term does any longer; the trusty URI tools add `this` and
 * `sub`.
 */
function namedPrefixes(
  prefixes: Readonly<Record<string, string>>,
  { base, stem, separator }: Rewriting,
  code: string,
): Record<string, string> {
  const kept = Object.entries(prefixes).filter(([, iri]) => !iri.startsWith(base));
  return { ...Object.fromEntries(kept), this: stem + code, sub: stem + code + separator };
}

/**
 * Returns the sort keys of a source, of one graph or of all, without the given code or the one that the quads hold. The
 * caller closes them.
 */
export async function keysOfSource(
  source: RdfSource,
  { code, graph }: { readonly code: string | undefined; readonly graph: string | undefined },
  memoryBytes: number,
): Promise<Keys> {
  const removal = new CodeRemoval(code ?? (await ownCodeOf(source)));
  const keys = new Keys(memoryBytes);
  try {
    await source.eachQuad((quad) => {
      if (graph === undefined || quad.graph.value === graph) keys.add(sortKey(quad, removal, 1));
    });
    return keys;
  } catch (error) {
    keys.close();
    throw error;
  }
}

async function ownCodeOf(source: RdfSource): Promise<string> {
  const own = new OwnCode();
  await source.eachQuad((quad) => own.add(quad));
  return own.code;
}

const CHUNK_BYTES = 1 << 18;

/** RDF that can be read more than once: a reading of other bytes than the first one's is refused at its end. */
export class RdfSource {
  readonly format: RdfFormat;
  readonly #open: () => Chunks;
  readonly #baseIRI: string | URL | undefined;
  /** The SHA-256 of the bytes that were read first. */
  #digest: Uint8Array | undefined;

  constructor(open: () => Chunks, format: RdfFormat, baseIRI?: string | URL) {
    this.format = format;
    this.#open = open;
    this.#baseIRI = baseIRI;
  }

  /** Yields quads in arrays, each valid until the next one; `prefixes` gets those of the document. */
  quadBatches(prefixes?: Record<string, string>): AsyncGenerator<Quad[]> {
    const { format } = this;
    return quadBatches(this.#chunks(), { format, baseIRI: this.#baseIRI }, prefixes);
  }

  /** @throws {Error} at the end of a reading whose bytes differ from those of the first */
  async *#chunks(): AsyncGenerator<Uint8Array> {
    const hash = hostSha256();
    for await (const chunk of this.#open()) {
      hash.update(chunk);
      yield chunk;
    }
    const digest = hash.digest();
    this.#digest ??= digest;
    if (!areSameBytes(this.#digest, digest)) throw new Error('it changed after it was read for the first time');
  }

  async eachQuad(visit: (quad: Quad) => void, prefixes?: Record<string, string>): Promise<void> {
    for await (const quads of this.quadBatches(prefixes)) for (const quad of quads) visit(quad);
  }
}

/** @throws {RangeError} where no format is given, and the name has the ending of none */
export function sourceOfFile(path: string, format = formatOfName(path), baseIRI?: string | URL): RdfSource {
  if (format === undefined)
    throw new RangeError(`the name ${withoutUnseen(path)} tells no format: name one of ${RDF_FORMATS.join(', ')}`);
  return new RdfSource(() => chunksOfFile(path), format, baseIRI);
}

function chunksOfFile(path: string): Chunks {
  const file = nodeModule('node:fs').createReadStream(path, { highWaterMark: CHUNK_BYTES });
  if (!path.endsWith('.gz')) return file;
  // an error of either stream ends the iteration of the last one with it
  const unpacking = nodeModule('node:zlib').createGunzip({ chunkSize: CHUNK_BYTES });
  return nodeModule('node:stream').pipeline(file, unpacking, () => undefined);
}
