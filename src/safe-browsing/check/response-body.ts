import { concatBytes } from '../../bytes/concat.ts';
import { CheckFailure } from './failure.ts';

/** All bytes of an answer. Of one that has more than `maxBytes` the rest is not read. */
export async function bodyOf(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Uint8Array | CheckFailure> {
  if (body === null) return new Uint8Array(0);
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let byteLength = 0;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    chunks.push(read.value);
    byteLength += read.value.length;
    if (byteLength > maxBytes) {
      await reader.cancel();
      return new CheckFailure('malformed', `the answer has more than ${maxBytes} bytes`);
    }
  }
  return concatBytes(chunks);
}
