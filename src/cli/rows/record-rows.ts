import { GrowingNumbers } from '../../bytes/growing-numbers.ts';
import { NO_BRACE, type PackedValues, type Problem, type Rows, type RowVisitor } from './framing.ts';
import { ValuePacker } from './value-packer.ts';

/**
 * URLs are a quarter of most records. Room for all bytes of each block is garbage that takes V8 a tenth of the time.
 */
const VALUES_SHIFT = 2;

/** Lines one after another that have a value: a number of each column per line. */
export interface FoundRecords {
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly closingBraces: Uint32Array;
  /** What is to be added to those for the place in the block. */
  readonly shift: number;
  /** Packed, from 0 to the last of `valueEnds`. */
  readonly values: Uint8Array;
  readonly valueEnds: Uint32Array;
}

/** Is shown all lines of a block, in order. */
export interface RecordVisitor {
  found(records: FoundRecords): void;
  /** A line [start, end). */
  other(start: number, end: number): void;
}

/** The rows of a block of lines, each a record that holds its value somewhere. */
export class RecordRows implements Rows {
  readonly bytes: Uint8Array;
  readonly malformed = new Map<number, Problem>();
  readonly captions = new Set<number>();
  readonly skipped: number[] = [];
  readonly #packer: ValuePacker;
  readonly #starts = new GrowingNumbers();
  readonly #ends = new GrowingNumbers();
  readonly #closingBraces = new GrowingNumbers();
  #values: PackedValues | undefined;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#packer = new ValuePacker(bytes.length >> VALUES_SHIFT);
  }

  get rowCount(): number {
    return this.#starts.length;
  }

  /** Of all rows, so none may be added after it is asked for. */
  get values(): PackedValues {
    return (this.#values ??= this.#packer.values);
  }

  closingBraceOf(row: number): number {
    return this.#closingBraces.at(row);
  }

  /** A row whose value is bytes [valueStart, valueEnd) of the block. */
  add(start: number, end: number, valueStart: number, valueEnd: number, closingBrace = NO_BRACE): void {
    this.#packer.addBytes(this.bytes, valueStart, valueEnd);
    this.#addBounds(start, end, closingBrace);
  }

  addFound({ starts, ends, closingBraces, shift, values, valueEnds }: FoundRecords): void {
    this.#packer.addPacked(values, valueEnds);
    this.#starts.pushAll(starts, shift);
    this.#ends.pushAll(ends, shift);
    this.#closingBraces.pushAll(closingBraces, shift);
  }

  addText(start: number, end: number, value: string, closingBrace: number): void {
    this.#packer.addText(value);
    this.#addBounds(start, end, closingBrace);
  }

  addMalformed(start: number, end: number, message: string, closingBrace = NO_BRACE): void {
    this.malformed.set(this.rowCount, { reason: 'malformed-record', message });
    this.#packer.addNone();
    this.#addBounds(start, end, closingBrace);
  }

  addCaption(start: number, end: number): void {
    this.captions.add(this.rowCount);
    this.#packer.addNone();
    this.#addBounds(start, end, NO_BRACE);
  }

  /** Counts a line that is not a row. */
  passOver(): void {
    this.skipped.push(this.rowCount + this.skipped.length);
  }

  eachRow(visit: RowVisitor): void {
    for (let row = 0; row < this.rowCount; row++) {
      if (visit(this.#starts.at(row), this.#ends.at(row), row) === false) return;
    }
  }

  #addBounds(start: number, end: number, closingBrace: number): void {
    this.#starts.push(start);
    this.#ends.push(end);
    this.#closingBraces.push(closingBrace);
  }
}
