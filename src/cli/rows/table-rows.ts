import { GrowingNumbers } from '../../bytes/growing-numbers.ts';
import { contentEnd } from './content-end.ts';
import type { PackedValues, Problem, Rows, RowVisitor } from './framing.ts';
import type { Table, TableRecord } from './table.ts';

/** A block's records, and the values of one of their columns. */
export class TableRows implements Rows {
  readonly bytes: Uint8Array;
  readonly malformed = new Map<number, Problem>();
  readonly skipped: number[] = [];
  readonly #table: Table;
  readonly #starts = new GrowingNumbers();
  readonly #ends = new GrowingNumbers();
  readonly #values: Uint8Array;
  readonly #offsets = new GrowingNumbers();
  #valuesEnd = 0;
  #packed: PackedValues | undefined;

  constructor(table: Table, bytes: Uint8Array) {
    this.bytes = bytes;
    this.#table = table;
    this.#values = new Uint8Array(bytes.length);
    this.#offsets.push(0);
  }

  add(record: TableRecord): void {
    const { fieldStart, fieldEnd } = record;
    this.#valuesEnd = this.#table.writeValue(this.bytes, fieldStart, fieldEnd, this.#values, this.#valuesEnd);
    this.#addBounds(record);
  }

  /** A record that is its own value. */
  addWhole(record: TableRecord): void {
    const { start, end } = record;
    this.#values.set(this.bytes.subarray(start, end), this.#valuesEnd);
    this.#valuesEnd += end - start;
    this.#addBounds(record);
  }

  addMalformed(record: TableRecord, message: string): void {
    this.malformed.set(this.#ends.length, { reason: 'malformed-record', message });
    this.#addBounds(record);
  }

  /** Counts a record that is not a row. */
  passOver(): void {
    this.skipped.push(this.#ends.length + this.skipped.length);
  }

  /** Of all records, so none may be added after it is asked for. */
  get values(): PackedValues {
    return (this.#packed ??= {
      bytes: this.#values.subarray(0, this.#valuesEnd),
      offsets: this.#offsets.numbers,
    });
  }

  eachRow(visit: RowVisitor): void {
    for (let row = 0; row < this.#starts.length; row++) {
      const start = this.#starts.at(row);
      if (visit(start, contentEnd(this.bytes, start, this.#ends.at(row)), row) === false) return;
    }
  }

  #addBounds({ start, end }: TableRecord): void {
    this.#starts.push(start);
    this.#ends.push(end);
    this.#offsets.push(this.#valuesEnd);
  }
}
