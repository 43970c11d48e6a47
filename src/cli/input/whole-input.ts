import { readFileSync } from 'node:fs';
import { concatBytes } from '../../bytes/concat.ts';
import { StandardInput } from '../../serve/streams.ts';

const CHUNK_BYTES = 1 << 16;

/** All bytes of a file that is not one of lines; of standard input under the name '-'. @throws what reading throws */
export function wholeInput(path: string): Uint8Array {
  if (path !== '-') return readFileSync(path);
  const input = new StandardInput();
  const chunks: Uint8Array[] = [];
  for (;;) {
    const chunk = new Uint8Array(CHUNK_BYTES);
    const length = input.read(chunk);
    if (length === 0) return concatBytes(chunks);
    chunks.push(chunk.subarray(0, length));
  }
}
