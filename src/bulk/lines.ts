import { TEXT } from '../../assembly/layout.ts';
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

/** Hashes each line of a text as a row, and adds the places of the rows to `bounds`. */
export function hashLines<W extends Width>(hashing: Hashing<W>, text: Uint8Array, bounds?: RowBounds): HashColumn<W> {
  return hashColumn(hashing, batchesOfLines(hashing, text, bounds), 0, bounds && (() => bounds.taken()));
}

/** Yields the lines in batches of canonical forms; each is valid until the next. */
function* batchesOfLines(canonicalizing: Canonicalizing, text: Uint8Array, bounds?: RowBounds): Generator<UrlBatch> {
  const { kernel } = canonicalizing;
  const batch = new UrlBatch(canonicalizing);
  const inputOf = inputIn(kernel.memory);
  for (let at = 0, next = 0; at < text.length; at = next) {
    const rowCount = copyLines(kernel, text, at);
    if (rowCount > 0) {
      next = at + kernel.memory.scannedEnd - TEXT;
      bounds?.addScanned(kernel.memory, rowCount, at - TEXT);
      batch.canonicalize(rowCount, kernel.memory.scannedEnd, inputOf);
    } else {
      next = endOfLines(text, at, BATCH_BYTES);
      const end = withoutLineEnd(text, at, next);
      bounds?.add(at, end);
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

/** Returns a function that decodes the rows in memory. */
function inputIn({ bytes, rowStarts, rowEnds }: Memory): (row: number) => string {
  return (row) => decodeLine(bytes.subarray(rowStarts[row], rowEnds[row]));
}

/** The bounds of the rows in a text, without their line ends. */
export class RowBounds {
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  /** Bytes left out before the text. */
  readonly #before: number;

  constructor(before: number) {
    this.#before = before;
  }

  taken(): { readonly rowStarts: Uint32Array<ArrayBuffer>; readonly rowEnds: Uint32Array<ArrayBuffer> } {
    return { rowStarts: Uint32Array.from(this.#starts), rowEnds: Uint32Array.from(this.#ends) };
  }

  /** Adds rows in the kernel's memory; `shift` turns an address into an offset in the text. */
  addScanned({ rowStarts, rowEnds }: Memory, rowCount: number, shift: number): void {
    for (let row = 0; row < rowCount; row++) this.add(rowStarts[row]! + shift, rowEnds[row]! + shift);
  }

  /** Adds the row [start, end) of the text. */
  add(start: number, end: number): void {
    this.#starts.push(start + this.#before);
    this.#ends.push(end + this.#before);
  }
}
