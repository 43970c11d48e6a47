import { certainKindOf, fileKindOf } from '../../src/command/read/file-kind.ts';
import { INPUT_KINDS, wrongKind } from '../../src/command/read/input-kind.ts';
import { concatBytes } from '../../src/core/bytes/growing-bytes.ts';
import type { ChunkStream } from './chunks.ts';
import { gunzipped } from './gzip.ts';

/**
 * The text of a file, unpacked where its first bytes say gzip, as the command does; what was unpacked is not unpacked
 * again.
 *
 * @throws where the first bytes say that this is not text
 */
export async function* textOf(chunks: ChunkStream, isUnpacked = false): ChunkStream {
  const start = await startOf(chunks);
  const kind = certainKindOf(start);
  // browsers unpack no zstd, and a script that does without its checksums would let damage pass
  const isPacked = !isUnpacked && kind === INPUT_KINDS.gzip;
  if (kind !== undefined && !isPacked) throw wrongKind(kind);
  const all = after(start, chunks);
  yield* isPacked ? textOf(gunzipped(all), true) : all;
}

/** The first chunk, or as many as it takes to tell the kind of the file. */
async function startOf(chunks: ChunkStream): Promise<Uint8Array<ArrayBuffer>> {
  let start = new Uint8Array(0);
  while (fileKindOf(start) === 'undecided') {
    const { done, value } = await chunks.next();
    if (done === true) break;
    start = concatBytes([start, value]);
  }
  return start;
}

async function* after(start: Uint8Array<ArrayBuffer>, chunks: ChunkStream): ChunkStream {
  if (start.length > 0) yield start;
  yield* chunks;
}
