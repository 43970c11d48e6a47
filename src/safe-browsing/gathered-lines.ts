import { LINE_FEED } from '../bytes/code-points.ts';
import type { ExpressionBatch } from './batch.ts';

const GATHERED_BYTES = 1 << 15;

/** Copies scattered rows into lines, so that a batch gets many rows at once. */
export class GatheredLines {
  readonly #batch: ExpressionBatch;
  #lines = new Uint8Array(1 << 10);
  #length = 0;

  constructor(batch: ExpressionBatch) {
    this.#batch = batch;
  }

  /** A row of bytes [start, end), copied. */
  add(bytes: Uint8Array, start: number, end: number): void {
    const length = end - start;
    if (this.#length + length >= GATHERED_BYTES) this.flush();
    if (length >= GATHERED_BYTES) return this.#batch.addRow(bytes, start, end);
    this.#reserve(length + 1);
    if (this.#copy(bytes, start, end)) return;
    this.flush(); // it holds a line feed
    this.#batch.addRow(bytes, start, end);
  }

  /** Adds what is gathered to the batch. */
  flush(): void {
    const length = this.#length;
    this.#length = 0;
    this.#batch.addLines(this.#lines.subarray(0, length));
  }

  /** False where they hold a line feed. Most are short: a loop beats set and the view it needs. */
  #copy(bytes: Uint8Array, start: number, end: number): boolean {
    const lines = this.#lines;
    let to = this.#length;
    for (let at = start; at < end; at++, to++) {
      const byte = bytes[at]!;
      if (byte === LINE_FEED) return false;
      lines[to] = byte;
    }
    lines[to] = LINE_FEED;
    this.#length = to + 1;
    return true;
  }

  #reserve(byteLength: number): void {
    if (this.#length + byteLength <= this.#lines.length) return;
    const grown = new Uint8Array(2 * (this.#length + byteLength));
    grown.set(this.#lines.subarray(0, this.#length));
    this.#lines = grown;
  }
}
