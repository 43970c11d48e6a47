import { GrowingBytes } from '../../bytes/growing-bytes.ts';
import { GrowingNumbers } from '../../bytes/growing-numbers.ts';
import { type BatchColumn, Validity } from './batch.ts';

/** A loop copies this many bytes in less time than it takes to make a view of them. */
const FEW_BYTES = 128;

/** Collects texts, packed. Each can have its byte length before it, as four bytes in little-endian order. */
export class TextColumn {
  readonly #hasLengths: boolean;
  readonly #bytes = new GrowingBytes();
  #offsets = new GrowingNumbers();
  #validity = new Validity();
  #start = 0;

  constructor(hasLengths: boolean) {
    this.#hasLengths = hasLengths;
    this.#offsets.push(0);
  }

  get byteLength(): number {
    return this.#bytes.length;
  }

  /** Adds bytes [start, end) as a text in UTF-8. */
  addBytes(bytes: Uint8Array, start: number, end: number): void {
    this.#begin();
    if (end - start > FEW_BYTES) this.#bytes.bytes(bytes, start, end);
    else this.#bytes.fewBytes(bytes, start, end);
    this.#end();
  }

  addText(text: string): void {
    this.#begin();
    this.#bytes.text(text);
    this.#end();
  }

  addNull(): void {
    this.#offsets.push(this.#bytes.length);
    this.#validity.add(false);
  }

  /** Returns the texts so far; the next text begins another batch. */
  take(): BatchColumn {
    const { nullCount, bits: validity } = this.#validity;
    const { numbers } = this.#offsets;
    const offsets = new Int32Array(numbers.buffer as ArrayBuffer, numbers.byteOffset, numbers.length);
    this.#offsets = new GrowingNumbers();
    this.#offsets.push(0);
    this.#validity = new Validity();
    return { nullCount, validity, values: this.#bytes.take() as Uint8Array<ArrayBuffer>, offsets };
  }

  #begin(): void {
    this.#start = this.#bytes.length;
    if (this.#hasLengths) this.#bytes.uint32(0);
  }

  #end(): void {
    const { length } = this.#bytes;
    if (this.#hasLengths) this.#bytes.setUint32(this.#start, length - this.#start - 4);
    this.#offsets.push(length);
    this.#validity.add(true);
  }
}
