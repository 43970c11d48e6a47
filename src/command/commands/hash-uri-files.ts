import { basename } from 'node:path';
import type { Chunks } from '../../specs/hash-uri/file-module.ts';
import { partsOf } from '../../specs/hash-uri/hash-uri.ts';
import { RdfSource } from '../../specs/hash-uri/rdf/file.ts';
import { DEFAULT_KEY_BYTES } from '../../specs/hash-uri/rdf/keys.ts';
import { formatOfName } from '../../specs/hash-uri/rdf/parse-rdf.ts';
import type { Diagnostics } from '../arguments/diagnostics.ts';
import { choice, group, parsed, type ValuesOf } from '../arguments/flag.ts';
import { NUMBER } from '../arguments/numbers.ts';
import { type Fault, isFault, usageFault } from '../fault.ts';
import { inputText } from '../read/input-text.ts';
import { fileChunks, inputFault } from '../read/inputs.ts';
import { StandardOutput } from '../write/output.ts';

/** Options for reading RDF; files packed with gzip or zstd are unpacked. */
export const RDF_FLAGS = group('RDF', {
  format: choice(
    'FORMAT',
    ['nquads', 'ntriples', 'trig', 'turtle'],
    undefined,
    'the format, if the name of the file does not end in .nq, .nt, .trig or .ttl',
  ),
  memory: parsed('SIZE', 'memory for sorting RDF, as 64M or 2G; default 256M', DEFAULT_KEY_BYTES, NUMBER.bytes),
});

/** Writes one line about each file. An unreadable file is reported, and the others are still read. */
export async function writeOfEach(
  paths: readonly string[],
  diagnostics: Diagnostics,
  lineOf: (path: string, chunks: Chunks) => Promise<string>,
): Promise<void> {
  const output = new StandardOutput();
  for (const path of paths) {
    try {
      const line = await lineOf(path, fileChunks(path));
      await output.write(Buffer.from(`${line}\n`));
    } catch (error) {
      diagnostics.trouble(troubleOf(path, error).message);
    }
  }
}

/** Turns an error into the reason why a file could not be read. @throws errors that have another cause */
export function troubleOf(path: string, error: unknown): Fault {
  if (isFault(error, 'output') || isFault(error, 'usage')) throw error;
  return inputFault({ name: path }, error);
}

/** Refuses calls without the names of files: standard input has none. @throws {Fault} */
export function mustHaveNames(action: string, paths: readonly string[]): void {
  if (paths.length === 0 || paths.includes('-')) throw usageFault(`hash-uri ${action} needs the names of files`);
}

/** Returns undefined where neither the name of the file nor a flag gives the format. */
export function rdfIn(path: string, { format = formatOfName(path) }: RdfValues): RdfSource | undefined {
  return format === undefined ? undefined : new RdfSource(() => inputText(fileChunks(path)), format);
}

/** @throws {Fault} where neither the name of the file nor a flag gives the format */
export function mustBeRdf(path: string, values: RdfValues): RdfSource {
  const source = rdfIn(path, values);
  if (source !== undefined) return source;
  throw usageFault(`the name of '${path}' does not tell its RDF format: pass --format`);
}

/** Returns the RA or RB code in the name of a file. */
export function codeOfName(path: string): string | undefined {
  const { identifier, data } = partsOf(basename(path)) ?? { identifier: '', data: '' };
  return (identifier === 'RA' || identifier === 'RB') && data.length === DATA_LENGTH ? identifier + data : undefined;
}

const DATA_LENGTH = 43;

type RdfValues = Pick<ValuesOf<typeof RDF_FLAGS>, 'format'>;
