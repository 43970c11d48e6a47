import { mustBeString } from '../../../argument.ts';
import type { VerifyResult } from '../../verdict.ts';
import type { MakeRdfOptions } from '../make.ts';
import type { ParseOptions } from '../parse-rdf.ts';
import type { VerifyRdfOptions } from '../verify.ts';
import { checkSource } from './check.ts';
import { type MadeSource, makeFromSource } from './make.ts';
import { DEFAULT_MEMORY_BYTES, mustBeMemory } from './memory.ts';
import { sourceOfFile } from './rdf-source.ts';

/** What `verifyFile` and `makeFile` take beside what `verify` and `make` do. */
export interface FileOptions extends Partial<ParseOptions> {
  /**
   * Bytes: where sorting would take more, sorted runs go to temporary files. Default 268,435,456, at least a million.
   */
  readonly memoryBytes?: number;
}

/**
 * `verify` for a file, in bounded memory: for Node, Deno and Bun, whose modules are loaded then. Without `format` its name
 * says what is in it: `.nq`, `.nt`, `.trig`, `.ttl`, each also with `.gz`.
 *
 * @param uri a hash-URI, its code alone, or the name of its file
 * @param path of the file
 * @param options what `verify` takes, and the format and the memory
 * @returns what `verify` returns
 * @throws {RdfError} as `verify` and `parseRdf` do
 * @throws {TypeError} where there are no files
 * @throws {RangeError} where the format is neither told nor known by the name
 * @throws {Error} of the system, where the file cannot be read
 * @example
 * const { writeFileSync } = await import('node:fs');
 * writeFileSync('doc.nt', '<http://example.org/doc> <http://purl.org/dc/terms/title> "Hello" .\n');
 * await verifyFile('RABAoJWYflPuakNvZoBYYJJqOsG0icKyRPIrK2f48Av-8', 'doc.nt'); //=> 'verified'
 */
export async function verifyFile(
  uri: string,
  path: string,
  options: VerifyRdfOptions & FileOptions = {},
): Promise<VerifyResult> {
  const { format, baseIRI, memoryBytes = DEFAULT_MEMORY_BYTES, ...verifyOptions } = options;
  const source = sourceOfFile(mustBeString('path', path), format, baseIRI);
  return (await checkSource(uri, source, verifyOptions, mustBeMemory(memoryBytes))).result;
}

/**
 * `make` for a file, in bounded memory: for Node, Deno and Bun, whose modules are loaded then.
 *
 * @param base what the URI begins with; without `://` no IRI is changed, and there must be no blank nodes
 * @param path of the file
 * @param options what `make` takes, and the format and the memory
 * @returns the trusty URI and its code; the quads are read from the file again when they are asked for
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
export async function makeFile(base: string, path: string, options: MakeRdfOptions & FileOptions): Promise<MadeSource> {
  const { format, baseIRI, memoryBytes = DEFAULT_MEMORY_BYTES, ...makeOptions } = options;
  const source = sourceOfFile(mustBeString('path', path), format, baseIRI);
  return makeFromSource(base, source, makeOptions, mustBeMemory(memoryBytes));
}
