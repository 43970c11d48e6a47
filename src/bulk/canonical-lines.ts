import { writeAscii } from '../bytes/ascii.ts';
import { LINE_FEED } from '../bytes/code-points.ts';
import type { InvalidRow } from '../digest/column.ts';
import { canonicalForm } from '../url/canonicalize.ts';
import type { Failure } from '../url/failure.ts';
import { longRow } from './long-row.ts';
import type { Canonicalizing, RowSink } from './row-sink.ts';

/**
 * Collects the canonical form of each row with a line end after it; of an invalid row there is the line end alone. What
 * the kernel proves canonical is copied from where it lies, neighbours at once: 60 ns per line, where the parser and
 * its strings take 1300.
 */
export class CanonicalLines implements RowSink {
  readonly #canonicalizing: Canonicalizing;
  readonly #lineEnd: number;
  #bytes = new Uint8Array(1 << 18);
  #byteLength = 0;
  #invalidRows: InvalidRow[] = [];
  #provenCount = 0;
  #rewrittenCount = 0;
  rowCount = 0;

  constructor(canonicalizing: Canonicalizing, lineEnd: number) {
    this.#canonicalizing = canonicalizing;
    this.#lineEnd = lineEnd;
  }

  get invalidRows(): readonly InvalidRow[] {
    return this.#invalidRows;
  }

  get provenCount(): number {
    return this.#provenCount;
  }

  get rewrittenCount(): number {
    return this.#rewrittenCount;
  }

  /** What was collected; valid until a row is added. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#byteLength);
  }

  /** Begins anew, in the same memory. */
  clear(): void {
    this.#byteLength = 0;
    this.#invalidRows = [];
    this.#provenCount = 0;
    this.#rewrittenCount = 0;
    this.rowCount = 0;
  }

  addScanned(rowCount: number, inputOf: (row: number) => string): void {
    const { spans, pending, pendingCount, rewrittenCount } = this.#canonicalizing.kernel.memory;
    const areFeedsKept = this.#lineEnd === LINE_FEED;
    let [start, end, nextPending] = [0, -1, 0];
    for (let row = 0; row < rowCount; row++) {
      if (nextPending < pendingCount && pending[nextPending] === row) {
        nextPending++;
        this.#copy(start, end);
        end = -1;
        this.#addParsed(inputOf(row));
        continue;
      }
      const at = spans[2 * row]!;
      if (!areFeedsKept || at !== end + 1) {
        this.#copy(start, end);
        start = at;
      }
      end = at + spans[2 * row + 1]!;
      this.rowCount++;
    }
    this.#copy(start, end);
    this.#provenCount += rowCount - pendingCount - rewrittenCount;
    this.#rewrittenCount += rewrittenCount;
  }

  addLong(bytes: Uint8Array): void {
    const { input, failure } = longRow(bytes);
    if (failure === undefined) this.#addParsed(input);
    else this.#reject(input, failure);
  }

  #addParsed(input: string): void {
    const { base, excludeFragment } = this.#canonicalizing;
    const form = canonicalForm(input, base, excludeFragment);
    if (typeof form !== 'string') return this.#reject(input, form);
    this.#reserve(form.length + 1);
    writeAscii(this.#bytes, this.#byteLength, form);
    this.#endLine(form.length);
    this.rowCount++;
  }

  #reject(input: string, failure: Failure): void {
    this.#invalidRows.push({ row: this.rowCount++, input, failure });
    this.#reserve(1);
    this.#endLine(0);
  }

  /** Bytes [start, end) of the kernel's memory: canonical forms with a line feed between two. */
  #copy(start: number, end: number): void {
    if (end < 0) return;
    this.#reserve(end - start + 1);
    this.#bytes.set(this.#canonicalizing.kernel.memory.bytes.subarray(start, end), this.#byteLength);
    this.#endLine(end - start);
  }

  #endLine(byteLength: number): void {
    this.#byteLength += byteLength;
    this.#bytes[this.#byteLength++] = this.#lineEnd;
  }

  #reserve(byteLength: number): void {
    if (this.#byteLength + byteLength <= this.#bytes.length) return;
    const larger = new Uint8Array(2 * (this.#byteLength + byteLength));
    larger.set(this.bytes);
    this.#bytes = larger;
  }
}
