import { DIGESTS, NO_MESSAGE, TEXT_END } from '../../assembly/layout.ts';
import { asciiBytes, writeAscii } from '../bytes/ascii.ts';
import type { InvalidRow } from '../digest/column.ts';
import { hashBytesInto } from '../digest/digest.ts';
import type { Kernel, Width } from '../kernel/kernel.ts';
import { serialization, withRules } from '../url/canonicalize.ts';
import type { Failure } from '../url/failure.ts';
import type { UrlForm } from '../url/options.ts';
import type { UrlRecord } from '../url/record.ts';
import type { Canonicalizing, FormSink } from './row-sink.ts';

/** What all rows of a column are hashed with. */
export interface Hashing<W extends Width = Width> extends Canonicalizing {
  readonly width: W;
}

/**
 * Hashes the rows of one batch: those proven canonical where they lie, the others as the parser writes them to the room
 * after the text.
 */
export class Batch {
  readonly #kernel: Kernel;
  readonly #width: Width;
  readonly #form: UrlForm;
  readonly #base: UrlRecord | undefined;
  readonly #room: number;
  readonly #forms: FormSink | undefined;
  readonly #invalidRows: InvalidRow[] = [];
  #strippedCount = 0;
  /** Rows before it have their digests. */
  #hashedRows = 0;
  #roomAt: number;

  /** `room`: the address from which memory is free. `forms` is given each row's canonical form. */
  constructor({ kernel, width, form, base }: Hashing, room: number, forms?: FormSink) {
    this.#kernel = kernel;
    this.#width = width;
    this.#form = form;
    this.#base = base;
    this.#room = room;
    this.#roomAt = room;
    this.#forms = forms;
  }

  get invalidRows(): readonly InvalidRow[] {
    return this.#invalidRows;
  }

  /** Rows that `resolve` dropped a parameter from. */
  get strippedCount(): number {
    return this.#strippedCount;
  }

  /** Gives `row` the canonical form of `input` as its message, or none. Rows must come in ascending order. */
  resolve(row: number, columnRow: number, input: string): void {
    const serialized = serialization(input, this.#base, this.#form.excludeFragment);
    if (typeof serialized !== 'string') return this.reject(row, columnRow, input, serialized);
    const canonical = withRules(serialized, this.#form);
    if (canonical.length < serialized.length) this.#strippedCount++;
    this.#place(row, canonical);
  }

  /** Gives `row` no message. */
  reject(row: number, columnRow: number, input: string, failure: Failure): void {
    this.#invalidRows.push({ row: columnRow, input, failure });
    this.#kernel.memory.setSpan(row, 0, NO_MESSAGE);
  }

  /** The packed digests of the batch's rows, where they lie in the kernel's memory: the next batch overwrites them. */
  digests(rowCount: number): Uint8Array<ArrayBuffer> {
    this.#hashUpTo(rowCount);
    return this.#kernel.memory.bytes.subarray(DIGESTS, DIGESTS + rowCount * this.#width);
  }

  #place(row: number, canonical: string): void {
    if (canonical.length > TEXT_END - this.#roomAt) this.#hashUpTo(row);
    if (canonical.length > TEXT_END - this.#roomAt) return this.#hashLong(row, canonical);
    writeAscii(this.#kernel.memory.bytes, this.#roomAt, canonical);
    this.#kernel.memory.setSpan(row, this.#roomAt, canonical.length);
    this.#roomAt += canonical.length;
  }

  /** Empties the room. */
  #hashUpTo(row: number): void {
    this.#forms?.addMessages(this.#hashedRows, row);
    this.#kernel.hash(this.#hashedRows, row, this.#width);
    this.#hashedRows = row;
    this.#roomAt = this.#room;
  }

  #hashLong(row: number, canonical: string): void {
    this.#forms?.addForm(canonical);
    hashBytesInto(this.#kernel, asciiBytes(canonical), this.#room, DIGESTS + row * this.#width, this.#width);
    this.#hashedRows = row + 1;
  }
}
