import { TEXT } from '../../../assembly/layout.ts';
import { CARRIAGE_RETURN, LINE_FEED } from '../bytes/code-points.ts';
import { endOfLines, withoutLineEnd } from '../bytes/lines.ts';
import { decodeLine } from '../bytes/utf8.ts';
import type { HashColumn } from '../digest/column.ts';
import type { Kernel, Width } from '../kernel/kernel.ts';
import type { Memory } from '../kernel/memory.ts';
import { hashColumn } from './hash-column.ts';
import { type Canonicalizing, type Hashing, UrlBatch } from './url-batch.ts';

/** Bytes of text per batch: together with what its rows take, all of it stays in a core's second-level cache. */
export const BATCH_BYTES = 128 * 1024;

/** Hashes each line of a text, from `start` on, as a row. */
export function hashLines<W extends Width>(
  hashing: Hashing<W>,
  text: Uint8Array,
  start = 0,
  rowBounds = false,
): HashColumn<W> {
  const bounds = rowBounds ? { rowStarts: [], rowEnds: [] } : undefined;
  return hashColumn(hashing, batchesOfLines(hashing, text, start, bounds), bounds);
}

interface GrowingBounds {
  readonly rowStarts: number[];
  readonly rowEnds: number[];
}

/** Yields the lines in batches of canonical forms, each valid until the next, and adds where they are to `bounds`. */
function* batchesOfLines(
  canonicalizing: Canonicalizing,
  text: Uint8Array,
  start: number,
  bounds: GrowingBounds | undefined,
): Generator<UrlBatch> {
  const { kernel } = canonicalizing;
  const { bytes, rowStarts, rowEnds } = kernel.memory;
  const inputOf = (row: number) => decodeLine(bytes.subarray(rowStarts[row], rowEnds[row]));
  for (let at = start, next = start; at < text.length; at = next) {
    const batch = new UrlBatch(canonicalizing);
    const rowCount = copyLines(kernel, text, at);
    if (rowCount > 0) {
      next = at + kernel.memory.scannedEnd - TEXT;
      if (bounds !== undefined) addBounds(bounds, kernel.memory, rowCount, at - TEXT);
      batch.canonicalize(rowCount, kernel.memory.scannedEnd, inputOf);
    } else {
      next = endOfLines(text, at, BATCH_BYTES);
      const end = withoutLineEnd(text, at, next);
      bounds?.rowStarts.push(at);
      bounds?.rowEnds.push(end);
      batch.parseLong(text.subarray(at, end));
    }
    yield batch;
  }
}

/**
 * Copies a batch of a text's lines, from `start` on, into the kernel's memory and returns their number, or 0 if one
 * line is longer than a batch. memory.rowStarts and rowEnds have their bounds; from TEXT to memory.scannedEnd is the
 * text, with a last line end added if it lacks one.
 */
export function copyLines(kernel: Kernel, text: Uint8Array, start: number, lineEnd = LINE_FEED): number {
  const { memory } = kernel;
  const end = endOfLines(text, start, BATCH_BYTES, lineEnd);
  if (end - start > BATCH_BYTES) return 0;
  memory.bytes.set(text.subarray(start, end), TEXT);
  const textEnd = TEXT + end - start;
  const isEnded = text[end - 1] === lineEnd;
  if (!isEnded) memory.bytes[textEnd] = lineEnd;
  const rowCount = kernel.findLines(TEXT, isEnded ? textEnd : textEnd + 1, lineEnd);
  // The added line end would make a CR LF of a last CR, which is part of its line.
  const hasReturn = lineEnd === LINE_FEED && text[end - 1] === CARRIAGE_RETURN;
  if (hasReturn && memory.scannedEnd > textEnd) memory.rowEnds[rowCount - 1] = textEnd;
  return rowCount;
}

/** Adds rows in the kernel's memory; `shift` turns an address into a place in the text. */
function addBounds(bounds: GrowingBounds, { rowStarts, rowEnds }: Memory, rowCount: number, shift: number): void {
  for (let row = 0; row < rowCount; row++) {
    bounds.rowStarts.push(rowStarts[row]! + shift);
    bounds.rowEnds.push(rowEnds[row]! + shift);
  }
}
