import { isUtf8 } from 'node:buffer';
import { rowIn } from '../../core/bytes/lines.ts';
import { usageFault } from '../fault.ts';
import type { Batch } from './batch.ts';
import { bufferOf } from './framing.ts';

export const UTF_8 = 'utf-8';

/** Byte order marks and what they say, which counts more than any option. */
const MARKS = [
  [UTF_8, [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
] as const;

/**
 * Returns the name of the encoding that has this label.
 *
 * @throws {Fault} where no decoder has it
 * @see https://encoding.spec.whatwg.org/#names-and-labels
 */
export function encodingNamed(label: string, option: string): string {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    throw usageFault(`${option} must be a label of the Encoding Standard, such as latin1 or utf-16le, not '${label}'`);
  }
}

/** Returns the encoding that a byte order mark at the start of a text names, or else `encoding`. */
export function encodingOf(start: Uint8Array, encoding = UTF_8): string {
  return MARKS.find(([, mark]) => mark.every((byte, at) => start[at] === byte))?.[0] ?? encoding;
}

/** Yields a text in UTF-8, with its byte order mark. What the encoding does not have becomes U+FFFD. */
export async function* decoded(chunks: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  // always as a stream: Node 22.13 reads a whole text in windows-1252 as ISO 8859-1
  for await (const chunk of chunks) yield Buffer.from(decoder.decode(chunk, { stream: true }));
  yield Buffer.from(decoder.decode());
}

/** U+FFFD in UTF-8. */
const REPLACEMENT = Buffer.from('\ufffd');

/** Whether bytes of a text are not of its encoding. If it has been decoded, it has U+FFFD in their place. */
export function isWrong(bytes: Uint8Array, isDecoded: boolean): boolean {
  if (!isDecoded) return !isUtf8(bytes);
  return bufferOf(bytes).includes(REPLACEMENT);
}

/** Counts the rows that have such bytes. */
export function countOfWrong({ rows, length }: Batch, isDecoded: boolean): number {
  let count = 0;
  for (let row = 0; row < length; row++) if (isWrong(rowIn(rows, row), isDecoded)) count++;
  return count;
}
