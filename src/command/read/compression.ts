import * as zlib from 'node:zlib';
import { certainKindOf, fileKindOf, notText } from './file-kind.ts';

const PACKINGS = ['gzip', 'zstd'] as const;

/** Node verifies the checksums of zstd since 22.15; a reader in JavaScript that did not let damage pass. */
const hasZstd = 'createZstdDecompress' in zlib;

/**
 * Yields the chunks as they are, or unpacked if their first bytes are those of gzip or zstd. Unpacked bytes are not
 * unpacked again. The chunks are closed whenever the reader leaves.
 *
 * @throws where the first bytes are not those of text, and of zstd before Node 22.15, which does not unpack it
 */
export async function* uncompressed(chunks: AsyncIterable<Uint8Array>, isUnpacked = false): AsyncGenerator<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    const start = await startOf(iterator);
    const kind = certainKindOf(start);
    const packing = isUnpacked ? undefined : PACKINGS.find((name) => name === kind?.name);
    if (kind !== undefined && packing === undefined) throw notText(kind);
    if (packing === 'zstd' && !hasZstd)
      throw new Error(`Node ${process.version} does not unpack zstd; try: ${kind!.remedy}`);
    const all = after(start, iterator);
    if (packing === undefined) yield* all;
    else yield* uncompressed((await import('./unpacker.ts')).unpacked(all, packing), true);
  } finally {
    await iterator.return?.();
  }
}

/** Returns the first chunk, or as many as it takes to tell the kind of the file. */
async function startOf(iterator: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  let start: Uint8Array = new Uint8Array(0);
  while (fileKindOf(start) === 'undecided') {
    const { done, value } = await iterator.next();
    if (done === true) break;
    start = Buffer.concat([start, value]); // a copy, as a chunk is valid only until the next one
  }
  return start;
}

async function* after(start: Uint8Array, iterator: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (start.length > 0) yield start;
  yield* { [Symbol.asyncIterator]: () => iterator };
}
