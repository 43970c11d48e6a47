import { mustBeBytes } from '../argument.ts';
import type { HashColumn } from '../digest/column.ts';
import type { Width } from '../kernel/kernel.ts';
import { LineBlocks } from './line-blocks.ts';
import { hashLines } from './lines.ts';
import { checkedOptions, type UrlHasherOptions } from './options.ts';

/**
 * Turns a stream of UTF-8 text into columns: the rows of all columns together are the lines of the text, as
 * `UrlHasher.hashLines` reads them, wherever the chunks were cut. A column comes for each chunk that ends a
 * line; its rows are counted from 0. The stream asks for one chunk before a column is wanted, and for no more.
 *
 * @param options those of UrlHasher, without `rowBounds`: the blocks of a stream are not the caller's
 * @returns a stream from Uint8Arrays, cut anywhere, to columns; it fails with a TypeError on a chunk of another kind
 * @throws {UrlError} where the base is not a URL
 * @throws {KernelError} on a kernel that this host cannot run
 * @throws {TypeError} on options of the wrong kind
 * @throws {RangeError} on a width or kernel that does not exist, and on an option that does not
 * @see https://streams.spec.whatwg.org/#transformstream
 * @example
 * const { body } = new Response('https://example.com/\nhttps://example.org/\n');
 * let rowCount = 0;
 * for await (const column of body!.pipeThrough(hashStream())) rowCount += column.length;
 * rowCount; //=> 2
 */
export function hashStream<W extends Width = 32>(
  options: Omit<UrlHasherOptions<W>, 'rowBounds'> = {},
): TransformStream<Uint8Array, HashColumn<W>> {
  const hashing = checkedOptions<W>(options);
  const lines = new LineBlocks();

  function enqueue(block: Uint8Array, controller: TransformStreamDefaultController<HashColumn<W>>): void {
    if (block.length > 0) controller.enqueue(hashLines(hashing, block));
  }

  return new TransformStream({
    transform(chunk, controller) {
      enqueue(lines.push(mustBeBytes('a chunk', chunk)), controller);
    },
    flush(controller) {
      enqueue(lines.end(), controller);
    },
  });
}
