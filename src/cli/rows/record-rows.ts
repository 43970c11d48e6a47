import type { PackedValues, Problem, Rows, RowVisitor } from './framing.ts';
import { ValuePacker } from './value-packer.ts';

/** A line [start, end) of a block. */
export interface Line {
  readonly start: number;
  readonly end: number;
}

/** The rows of a block of lines, each a record that holds its value somewhere. */
export class RecordRows implements Rows {
  readonly bytes: Uint8Array;
  readonly malformed = new Map<number, Problem>();
  readonly captions = new Set<number>();
  readonly passedOver: number[] = [];
  readonly closingBraces: number[] = [];
  readonly #packer: ValuePacker;
  readonly #bounds: number[] = [];
  #values: PackedValues | undefined;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#packer = new ValuePacker(bytes.length);
  }

  get rowCount(): number {
    return this.closingBraces.length;
  }

  /** Of all rows, so none may be added after it is asked for. */
  get values(): PackedValues {
    return (this.#values ??= this.#packer.values);
  }

  /** A row whose value is bytes [valueStart, valueEnd) of the block. */
  add(start: number, end: number, valueStart: number, valueEnd: number, closingBrace = -1): void {
    this.#packer.addBytes(this.bytes, valueStart, valueEnd);
    this.#addBounds(start, end, closingBrace);
  }

  /** A row whose value lies elsewhere: bytes [valueStart, valueEnd) of `values`. */
  addValue(line: Line, closingBrace: number, values: Uint8Array, valueStart: number, valueEnd: number): void {
    this.#packer.addBytes(values, valueStart, valueEnd);
    this.#addBounds(line.start, line.end, closingBrace);
  }

  addText(start: number, end: number, value: string, closingBrace: number): void {
    this.#packer.addText(value);
    this.#addBounds(start, end, closingBrace);
  }

  addMalformed(start: number, end: number, message: string, closingBrace = -1): void {
    this.malformed.set(this.rowCount, { reason: 'malformed-record', message });
    this.#packer.addNone();
    this.#addBounds(start, end, closingBrace);
  }

  addCaption(start: number, end: number): void {
    this.captions.add(this.rowCount);
    this.#packer.addNone();
    this.#addBounds(start, end, -1);
  }

  /** Counts a line that is not a row. */
  passOver(): void {
    this.passedOver.push(this.rowCount + this.passedOver.length);
  }

  eachRow(visit: RowVisitor): void {
    for (let row = 0; row < this.rowCount; row++) {
      if (visit(this.#bounds[2 * row]!, this.#bounds[2 * row + 1]!, row) === false) return;
    }
  }

  #addBounds(start: number, end: number, closingBrace: number): void {
    this.#bounds.push(start, end);
    this.closingBraces.push(closingBrace);
  }
}
