import { nodeModule } from '../../../node-module.ts';
import type { Chunks } from '../../chunks.ts';
import { formatOfName, RDF_FORMATS } from '../format.ts';
import { type ParseOptions, quadBatches } from '../parse-rdf.ts';
import type { OnPrefix } from '../quad-reader.ts';
import type { Quad } from '../rdf-js.ts';

const CHUNK_BYTES = 1 << 18;

/** RDF that can be read more than once. */
export class RdfSource {
  readonly #open: () => Chunks;
  readonly #options: ParseOptions;

  constructor(open: () => Chunks, options: ParseOptions) {
    this.#open = open;
    this.#options = options;
  }

  /** In arrays, each valid until the next one. */
  quadBatches(onPrefix?: OnPrefix): AsyncGenerator<Quad[]> {
    return quadBatches(this.#open(), this.#options, onPrefix);
  }
}

/** @throws {RangeError} where no format is told, and the name has the ending of none */
export function sourceOfFile(path: string, format = formatOfName(path), baseIRI?: string): RdfSource {
  if (format === undefined)
    throw new RangeError(`no format is known by the name ${path}, of ${RDF_FORMATS.join(', ')}`);
  return new RdfSource(() => chunksOfFile(path), baseIRI === undefined ? { format } : { format, baseIRI });
}

function chunksOfFile(path: string): Chunks {
  const file = nodeModule('node:fs').createReadStream(path, { highWaterMark: CHUNK_BYTES });
  if (!path.endsWith('.gz')) return file;
  // an error of either ends the iteration of the last one with it
  const unpacking = nodeModule('node:zlib').createGunzip({ chunkSize: CHUNK_BYTES });
  return nodeModule('node:stream').pipeline(file, unpacking, () => undefined);
}
