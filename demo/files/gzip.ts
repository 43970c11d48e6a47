import {
  Z_BUF_ERROR,
  Z_NO_FLUSH,
  Z_OK,
  Z_STREAM_END,
  ZStream,
  zlibInflate,
  zlibInflateInit2,
  zlibInflateReset,
} from 'pako';
import type { ChunkStream } from './chunks.ts';

/** zlib's number for a window of 32 KiB in a gzip member, whose checksum and length it verifies. */
const GZIP_WINDOW_BITS = 16 + 15;

const OUTPUT_BYTES = 1 << 16;

/**
 * The text of gzip data: of many members in sequence, with zeros between and after them as padding. Not by the browser's
 * DecompressionStream, which refuses all after the first member; nor by fflate, which verifies no checksum.
 *
 * @throws {Error} where the data are damaged or cut
 */
export async function* gunzipped(chunks: AsyncIterable<Uint8Array<ArrayBuffer>>): ChunkStream {
  const stream = new ZStream();
  zlibInflateInit2(stream, GZIP_WINDOW_BITS);
  let isInMember = true;
  for await (const chunk of chunks) {
    stream.input = chunk;
    stream.next_in = 0;
    stream.avail_in = chunk.length;
    while (isInMember || skipZeros(stream)) {
      isInMember = true;
      const [text, status] = inflated(stream);
      if (text.length > 0) yield text;
      if (status === Z_STREAM_END) {
        isInMember = false;
        zlibInflateReset(stream);
      } else if (stream.avail_in === 0 && text.length < OUTPUT_BYTES) {
        break;
      }
    }
  }
  if (isInMember) throw new Error('its gzip data are cut');
}

/** Moves to what is not padding; is there anything? */
function skipZeros(stream: ZStream): boolean {
  while (stream.avail_in > 0 && stream.input[stream.next_in] === 0) {
    stream.next_in++;
    stream.avail_in--;
  }
  return stream.avail_in > 0;
}

/** The next text, up to OUTPUT_BYTES of it. */
function inflated(stream: ZStream): readonly [text: Uint8Array<ArrayBuffer>, status: number] {
  stream.output = new Uint8Array(OUTPUT_BYTES);
  stream.next_out = 0;
  stream.avail_out = OUTPUT_BYTES;
  const status = zlibInflate(stream, Z_NO_FLUSH);
  if (status !== Z_OK && status !== Z_STREAM_END && status !== Z_BUF_ERROR)
    throw new Error(`its gzip data are damaged (${stream.msg})`);
  return [stream.output.subarray(0, stream.next_out), status];
}
