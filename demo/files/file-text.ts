import { certainKindOf, fileKindOf, notText } from '../../src/command/read/file-kind.ts';
import { type ChunkStream, joined } from './chunks.ts';
import { gunzipped } from './gzip.ts';
import { withRemedy } from './reason.ts';

type Chunks = AsyncIterable<Uint8Array<ArrayBuffer>>;

/** Browsers unpack no zstd, and a script that does without its checksums would let damage pass. */
const UNPACKERS: Readonly<Record<string, (chunks: Chunks) => ChunkStream>> = { gzip: gunzipped };

/**
 * The text of a file, unpacked where its first bytes say gzip, as the command does; what was unpacked is not unpacked
 * again.
 *
 * @throws where the first bytes say that this is not text
 */
export async function* textOf(chunks: ChunkStream, packing?: string): ChunkStream {
  const start = await startOf(chunks);
  const kind = certainKindOf(start);
  const unpacker = packing === undefined ? UNPACKERS[kind?.name ?? ''] : undefined;
  if (kind !== undefined && unpacker === undefined) throw new Error(withRemedy(notText(kind, start), packing));
  const all = after(start, chunks);
  yield* unpacker === undefined ? all : textOf(unpacker(all), kind!.name);
}

/** The first chunk, or as many as it takes to tell the kind of the file. */
async function startOf(chunks: ChunkStream): Promise<Uint8Array<ArrayBuffer>> {
  let start = new Uint8Array(0);
  while (fileKindOf(start) === 'undecided') {
    const { done, value } = await chunks.next();
    if (done === true) break;
    start = joined(start, value);
  }
  return start;
}

async function* after(start: Uint8Array<ArrayBuffer>, chunks: ChunkStream): ChunkStream {
  if (start.length > 0) yield start;
  yield* chunks;
}
