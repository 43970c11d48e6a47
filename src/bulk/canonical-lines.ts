import { NO_MESSAGE } from '../../assembly/layout.ts';
import { writeAscii } from '../bytes/ascii.ts';
import { LINE_FEED } from '../bytes/code-points.ts';
import type { InvalidRow } from '../digest/column.ts';
import { serialization, withRules } from '../url/canonicalize.ts';
import type { Failure } from '../url/failure.ts';
import { longRow } from './long-row.ts';
import type { Canonicalizing, FormSink, RowSink } from './row-sink.ts';

/**
 * Collects the canonical form of each row with a line end after it; of an invalid row there is the line end alone. What
 * the kernel proves canonical is copied from where it lies, neighbours at once: 60 ns per line, where the parser and
 * its strings take 1300.
 */
export class CanonicalLines implements RowSink, FormSink {
  readonly #canonicalizing: Canonicalizing;
  readonly #lineEnd: number;
  #bytes = new Uint8Array(1 << 18);
  #byteLength = 0;
  #invalidRows: InvalidRow[] = [];
  #provenCount = 0;
  #rewrittenCount = 0;
  #strippedCount = 0;
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

  get strippedCount(): number {
    return this.#strippedCount;
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
    this.#strippedCount = 0;
    this.rowCount = 0;
  }

  addScanned(rowCount: number, inputOf: (row: number) => string): void {
    const { pending, pendingCount, rewrittenCount, strippedCount } = this.#canonicalizing.kernel.memory;
    let first = 0;
    for (let index = 0; index < pendingCount; index++) {
      const row = pending[index]!;
      this.addMessages(first, row);
      this.#addParsed(inputOf(row));
      first = row + 1;
    }
    this.addMessages(first, rowCount);
    this.#provenCount += rowCount - pendingCount - rewrittenCount;
    this.#rewrittenCount += rewrittenCount;
    this.#strippedCount += strippedCount;
  }

  /** Canonical lines that lie one directly after another are copied at once, with their line feeds. */
  addMessages(firstRow: number, endRow: number): void {
    const { spans } = this.#canonicalizing.kernel.memory;
    const areFeedsKept = this.#lineEnd === LINE_FEED;
    let [start, end] = [0, -1];
    for (let row = firstRow; row < endRow; row++) {
      const at = spans[2 * row]!;
      const byteLength = spans[2 * row + 1]!;
      const hasForm = byteLength !== NO_MESSAGE;
      if (!hasForm || !areFeedsKept || at !== end + 1) {
        this.#copy(start, end);
        start = at;
      }
      if (!hasForm) this.#addEmptyLine();
      end = hasForm ? at + byteLength : -1;
    }
    this.#copy(start, end);
    this.rowCount += endRow - firstRow;
  }

  addForm(form: string): void {
    this.#reserve(form.length + 1);
    writeAscii(this.#bytes, this.#byteLength, form);
    this.#endLine(form.length);
    this.rowCount++;
  }

  addLong(bytes: Uint8Array): void {
    const { input, failure } = longRow(bytes);
    if (failure === undefined) this.#addParsed(input);
    else this.#reject(input, failure);
  }

  #addParsed(input: string): void {
    const { base, form } = this.#canonicalizing;
    const serialized = serialization(input, base, form.excludeFragment);
    if (typeof serialized !== 'string') return this.#reject(input, serialized);
    const canonical = withRules(serialized, form);
    if (canonical.length < serialized.length) this.#strippedCount++;
    this.addForm(canonical);
  }

  #reject(input: string, failure: Failure): void {
    this.#invalidRows.push({ row: this.rowCount++, input, failure });
    this.#addEmptyLine();
  }

  /** Bytes [start, end) of the kernel's memory: canonical forms with a line feed between two. */
  #copy(start: number, end: number): void {
    if (end < 0) return;
    this.#reserve(end - start + 1);
    this.#bytes.set(this.#canonicalizing.kernel.memory.bytes.subarray(start, end), this.#byteLength);
    this.#endLine(end - start);
  }

  #addEmptyLine(): void {
    this.#reserve(1);
    this.#endLine(0);
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
