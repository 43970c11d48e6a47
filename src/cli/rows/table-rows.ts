import { contentEnd } from './content-end.ts';
import type { PackedValues, Problem, Rows, RowVisitor } from './framing.ts';
import type { Table, TableRecord } from './table.ts';

/** A block's records, and the values of one of their columns. */
export class TableRows implements Rows {
  readonly bytes: Uint8Array;
  readonly malformed = new Map<number, Problem>();
  readonly passedOver: readonly number[] = [];
  readonly #table: Table;
  readonly #ends: number[] = [];
  readonly #values: Uint8Array;
  readonly #offsets: number[] = [0];
  #valuesEnd = 0;

  constructor(table: Table, bytes: Uint8Array) {
    this.bytes = bytes;
    this.#table = table;
    this.#values = new Uint8Array(bytes.length);
  }

  add({ end, fieldStart, fieldEnd }: TableRecord): void {
    this.#valuesEnd = this.#table.writeValue(this.bytes, fieldStart, fieldEnd, this.#values, this.#valuesEnd);
    this.#ends.push(end);
    this.#offsets.push(this.#valuesEnd);
  }

  addMalformed({ end }: TableRecord, message: string): void {
    this.malformed.set(this.#ends.length, { reason: 'malformed-record', message });
    this.#ends.push(end);
    this.#offsets.push(this.#valuesEnd);
  }

  get values(): PackedValues {
    return { bytes: this.#values.subarray(0, this.#valuesEnd), offsets: Uint32Array.from(this.#offsets) };
  }

  eachRow(visit: RowVisitor): void {
    let start = 0;
    for (const [row, next] of this.#ends.entries()) {
      if (visit(start, contentEnd(this.bytes, start, next), row) === false) return;
      start = next;
    }
  }
}
