import { CARRIAGE_RETURN, LINE_FEED } from '../../bytes/code-points.ts';
import type { PackedValues, Problem, Rows, RowVisitor } from './framing.ts';
import type { TableRecord } from './table.ts';

/** A block's records, and the values of one of their columns. */
export class TableRows implements Rows {
  readonly bytes: Uint8Array;
  readonly malformed = new Map<number, Problem>();
  readonly passedOver: readonly number[] = [];
  readonly #ends: number[] = [];
  readonly #values: string[] = [];
  #packed: PackedValues | undefined;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** `value`: one character per byte. */
  add({ end }: TableRecord, value: string): void {
    this.#ends.push(end);
    this.#values.push(value);
  }

  addMalformed(record: TableRecord, message: string): void {
    this.malformed.set(this.#ends.length, { reason: 'malformed-record', message });
    this.add(record, '');
  }

  get values(): PackedValues {
    return (this.#packed ??= this.#pack());
  }

  eachRow(visit: RowVisitor): void {
    let start = 0;
    for (const [row, next] of this.#ends.entries()) {
      if (visit(start, this.#withoutLineEnd(start, next), row) === false) return;
      start = next;
    }
  }

  #pack(): PackedValues {
    const offsets = new Uint32Array(this.#values.length + 1);
    for (const [row, { length }] of this.#values.entries()) offsets[row + 1] = offsets[row]! + length;
    return { bytes: Buffer.from(this.#values.join(''), 'latin1'), offsets };
  }

  #withoutLineEnd(start: number, end: number): number {
    if (end === start || this.bytes[end - 1] !== LINE_FEED) return end;
    return end - 1 > start && this.bytes[end - 2] === CARRIAGE_RETURN ? end - 2 : end - 1;
  }
}
