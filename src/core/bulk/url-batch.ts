import { DIGESTS, NO_MESSAGE, TEXT, TEXT_END } from '../../../assembly/layout.ts';
import { asciiBytes, decodedIfFits, decodeLine, writeAscii } from '../bytes/text.ts';
import type { InvalidRow } from '../digest/column.ts';
import { hashBytesInto } from '../digest/digest.ts';
import { classify, type Kernel, type Width } from '../kernel/kernel.ts';
import { type CompiledOptions, canonicalForm } from '../url/canonicalize.ts';

/** More bytes than a message shows. */
const SHOWN_BYTES = 1 << 10;

/** Settings for canonicalizing rows. */
export interface Canonicalizing extends CompiledOptions {
  readonly kernel: Kernel;
}

/** Settings for hashing all rows of a column. */
export interface Hashing<W extends Width = Width> extends Canonicalizing {
  readonly width: W;
}

/** Returns the text of a row that the kernel leaves to the parser, or undefined for a row that has no value. */
export type InputOf = (row: number) => string | undefined;

/**
 * Up to ROW_CAPACITY rows in the kernel's memory with their canonical forms, from `canonicalize` or `parse` on, one of
 * which is called once, until the next batch: memory.spans has the form of each row, or NO_MESSAGE.
 */
export class UrlBatch {
  readonly #canonicalizing: Canonicalizing;
  rowCount = 0;
  /** Rows that are not URLs, ascending; `row` counts within the batch. */
  readonly invalidRows: InvalidRow[] = [];
  provenCount = 0;
  rewrittenCount = 0;
  /** Rows whose form lost a parameter. */
  strippedCount = 0;
  /** Rows whose form came from a host beyond ASCII, ascending. */
  readonly unicodeHostRows: number[] = [];
  /** Forms that do not fit in memory: with a long base they may be longer than their rows together. */
  readonly longForms = new Map<number, string>();

  constructor(canonicalizing: Canonicalizing) {
    this.#canonicalizing = canonicalizing;
  }

  /** Canonicalizes rows whose bounds are in memory, which is free from the address `room` on. */
  canonicalize(rowCount: number, room: number, inputOf: InputOf): void {
    const { kernel } = this.#canonicalizing;
    this.rowCount = rowCount;
    this.strippedCount = classify(kernel, this.#canonicalizing, rowCount, room);
    const { pending, pendingCount, rewrittenCount } = kernel.memory;
    this.rewrittenCount = rewrittenCount;
    this.provenCount = rowCount - pendingCount - rewrittenCount;
    for (let index = 0; index < pendingCount; index++) this.#parse(pending[index]!, inputOf);
  }

  /** Parses rows that are not in memory: all of them. */
  parse(rowCount: number, inputOf: InputOf): void {
    this.rowCount = rowCount;
    this.#canonicalizing.kernel.memory.roomEnd = TEXT;
    for (let row = 0; row < rowCount; row++) this.#parse(row, inputOf);
  }

  /** Parses one row that is longer than a batch. One that is longer than a string can be is not a URL. */
  parseLong(bytes: Uint8Array): void {
    const input = decodedIfFits(bytes);
    this.parse(1, () => input);
    if (input !== undefined) return;
    const start = decodeLine(bytes.subarray(0, SHOWN_BYTES));
    this.invalidRows.push({ row: 0, input: start, reason: 'length-limit' });
  }

  /** Hashes the forms and returns the packed digests, `width` bytes each: a view of the kernel's memory. */
  hash(width: Width): Uint8Array<ArrayBuffer> {
    const { kernel } = this.#canonicalizing;
    kernel.hash(0, this.rowCount, width);
    for (const [row, form] of this.longForms) hashBytesInto(kernel, asciiBytes(form), DIGESTS + row * width, width);
    return kernel.memory.bytes.subarray(DIGESTS, DIGESTS + this.rowCount * width);
  }

  #parse(row: number, inputOf: InputOf): void {
    const { kernel, form, base } = this.#canonicalizing;
    kernel.memory.setSpan(row, 0, NO_MESSAGE);
    const input = inputOf(row);
    if (input === undefined) return;
    const canonical = canonicalForm(input, base, form, () => this.unicodeHostRows.push(row));
    if (typeof canonical !== 'string') return void this.invalidRows.push({ row, input, reason: canonical.reason });
    if (form.rules?.hasDropped) this.strippedCount++;
    this.#place(row, canonical);
  }

  #place(row: number, canonical: string): void {
    const { memory } = this.#canonicalizing.kernel;
    const address = memory.roomEnd;
    if (canonical.length > TEXT_END - address) return void this.longForms.set(row, canonical);
    writeAscii(memory.bytes, address, canonical);
    memory.setSpan(row, address, canonical.length);
    memory.roomEnd = address + canonical.length;
  }
}
