import { basename } from 'node:path';
import { partsOf } from '../../../hash-uri/hash-uri.ts';
import { DEFAULT_MEMORY_BYTES } from '../../../hash-uri/rdf/files/memory.ts';
import { RdfSource } from '../../../hash-uri/rdf/files/rdf-source.ts';
import { formatOfName, type RdfFormat } from '../../../hash-uri/rdf/format.ts';
import { uncompressed } from '../../input/compression.ts';
import { fileChunks } from '../../input/inputs.ts';
import { choice, group, parsed, type ValuesOf } from '../../terminal/flag.ts';
import { UsageError } from '../../terminal/usage-error.ts';
import { byteLengthOf } from '../memory.ts';

/** How RDF is read; files packed with gzip or zstd are unpacked. */
export const RDF_FLAGS = group('RDF', {
  format: choice(
    'FORMAT',
    { nquads: '', ntriples: '', trig: '', turtle: '' },
    undefined,
    'what the RDF is written in, where the name of the file does not say it: .nq, .nt, .trig or .ttl',
  ),
  memory: parsed('SIZE', 'memory for sorting RDF, as 64M or 2G; default 256M', DEFAULT_MEMORY_BYTES, byteLengthOf),
});

/** A document and its format. */
export interface RdfInput {
  readonly source: RdfSource;
  readonly format: RdfFormat;
}

/** Undefined where neither the name of the file nor a flag says the format. */
export function rdfInputOf(path: string, { format = formatOfName(path) }: RdfValues): RdfInput | undefined {
  if (format === undefined) return undefined;
  return { format, source: new RdfSource(() => uncompressed(fileChunks(path)), { format }) };
}

/** @throws {UsageError} */
export function mustBeRdf(path: string, values: RdfValues): RdfInput {
  const input = rdfInputOf(path, values);
  if (input !== undefined) return input;
  throw new UsageError(`the name of '${path}' does not say what RDF is in it: --format does`);
}

/** The code of RDF that the name of its file has. */
export function codeOfName(path: string): string | undefined {
  const { identifier, data } = partsOf(basename(path)) ?? { identifier: '', data: '' };
  return (identifier === 'RA' || identifier === 'RB') && data.length === DATA_LENGTH ? identifier + data : undefined;
}

const DATA_LENGTH = 43;

type RdfValues = Pick<ValuesOf<typeof RDF_FLAGS>, 'format'>;
