import { DIGESTS } from '../../../assembly/layout.ts';
import { isBytes } from '../../core/argument.ts';
import { ListColumn } from '../../core/bytes/column.ts';
import { GrowingBytes } from '../../core/bytes/growing-bytes.ts';
import type { Kernel } from '../../core/kernel/kernel.ts';
import { ExpressionReader } from './batch.ts';
import { ExpressionColumn, type RejectedRow } from './column.ts';
import type { AddBatch } from './given-urls.ts';
import type { UrlInput } from './input.ts';
import type { Settings } from './settings.ts';
import { profileName } from './suffix-list.ts';

/**
 * Makes a column of the batches that `addAll` takes from a reader, each before the next.
 *
 * @param width bytes of each hash that are kept
 * @param expectedCount the approximate number of hashes: if it is right, nothing is copied twice
 */
export function expressionColumn(
  kernel: Kernel,
  width: number,
  settings: Settings,
  expectedCount: number,
  addAll: (reader: ExpressionReader, add: AddBatch) => void,
): ExpressionColumn {
  const reader = new ExpressionReader(kernel, width, settings);
  const column = new ListColumn(width, new GrowingBytes(width * expectedCount));
  const rejected: RejectedRow[] = [];
  addAll(reader, (batch) => {
    const shift = column.length - batch.firstRow;
    for (const { row, input, failure } of batch.rejected)
      rejected.push({ row: row + shift, input: ownInput(input), failure });
    column.endRows(batch.spanEnds);
    addHashes(column.values, kernel.memory.bytes, batch.count, width, reader.kernelWidth);
  });
  const { bytes, offsets } = column.take();
  const profile = profileName(settings.profile, settings.suffixList);
  return new ExpressionColumn(fitting(bytes), width, offsets!.slice(), rejected, reader.provenCount, profile);
}

/** A Buffer's slice is not a copy. */
function ownInput(input: UrlInput): UrlInput {
  return isBytes(input) ? Uint8Array.from(input) : input;
}

/** Adds the first `width` bytes of `count` digests in the kernel's memory, which have `kernelWidth` bytes each. */
function addHashes(to: GrowingBytes, memory: Uint8Array, count: number, width: number, kernelWidth: number): void {
  if (kernelWidth === width) return to.bytes(memory, DIGESTS, DIGESTS + count * width);
  const hashes = to.room(count * width);
  if (width % 4 === 0) {
    const words = new Uint32Array(hashes.buffer, to.length, (count * width) / 4);
    copyHeads(new Uint32Array(memory.buffer, DIGESTS, (count * kernelWidth) / 4), kernelWidth / 4, words, width / 4);
  } else {
    copyHeads(memory.subarray(DIGESTS), kernelWidth, hashes.subarray(to.length, to.length + count * width), width);
  }
  to.length += count * width;
}

/** Copies the first `count` elements of each `step`. */
function copyHeads<T extends Uint8Array | Uint32Array>(from: T, step: number, to: T, count: number): void {
  for (let start = 0, at = 0; at < to.length; start += step) {
    for (let index = 0; index < count; index++) to[at++] = from[start + index]!;
  }
}

/** Returns the hashes in memory that is at most half as large again. */
function fitting(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return 1.5 * bytes.length < bytes.buffer.byteLength ? bytes.slice() : bytes;
}
