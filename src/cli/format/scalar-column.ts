import { type BatchColumn, type ColumnSchema, ROW_LIMIT, Validity } from './batch.ts';
import type { Cell } from './record-reader.ts';
import { TextColumn } from './text-column.ts';

/** Collects the values of a column of records. */
export interface CellColumn {
  readonly byteLength: number;
  add(cell: Cell | undefined): void;
  take(): BatchColumn;
}

export function openColumn({ type }: ColumnSchema, hasLengths: boolean): CellColumn {
  if (type === 'text') return new CellTexts(hasLengths);
  return type === 'boolean' ? new Booleans() : new Numbers(type === 'integer');
}

/** Collects each scalar as it is spelled. */
class CellTexts implements CellColumn {
  readonly #texts: TextColumn;

  constructor(hasLengths: boolean) {
    this.#texts = new TextColumn(hasLengths);
  }

  get byteLength(): number {
    return this.#texts.byteLength;
  }

  add(cell: Cell | undefined): void {
    if (cell === undefined || cell.kind === 'nested' || cell.kind === 'null') this.#texts.addNull();
    else this.#texts.addText(cell.text);
  }

  take(): BatchColumn {
    return this.#texts.take();
  }
}

/** Collects numbers of 64 bits, signed integers or doubles; an empty field has none. */
class Numbers implements CellColumn {
  readonly #view = new DataView(new ArrayBuffer(8 * ROW_LIMIT));
  readonly #areIntegers: boolean;
  #validity = new Validity();

  constructor(areIntegers: boolean) {
    this.#areIntegers = areIntegers;
  }

  get byteLength(): number {
    return 8 * this.#validity.rowCount;
  }

  add(cell: Cell | undefined): void {
    const at = this.byteLength;
    const isNumber = cell?.kind === 'number';
    if (!isNumber) this.#view.setBigInt64(at, 0n);
    else if (this.#areIntegers) this.#view.setBigInt64(at, BigInt(cell.text), true);
    else this.#view.setFloat64(at, Number(cell.text), true);
    this.#validity.add(isNumber);
  }

  take(): BatchColumn {
    const { nullCount, bits: validity } = this.#validity;
    const values = new Uint8Array(this.#view.buffer as ArrayBuffer, 0, this.byteLength);
    this.#validity = new Validity();
    return { nullCount, validity, values };
  }
}

class Booleans implements CellColumn {
  #values = new Validity();
  #validity = new Validity();

  get byteLength(): number {
    return this.#values.rowCount / 8;
  }

  add(cell: Cell | undefined): void {
    this.#values.add(cell?.kind === 'boolean' && cell.text.toLowerCase() === 'true');
    this.#validity.add(cell?.kind === 'boolean');
  }

  take(): BatchColumn {
    const { nullCount, bits: validity } = this.#validity;
    const values = this.#values.bits as Uint8Array<ArrayBuffer>;
    this.#values = new Validity();
    this.#validity = new Validity();
    return { nullCount, validity, values };
  }
}
