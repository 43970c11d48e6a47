import { writeAscii } from '../bytes/ascii.ts';
import { copyWords, memoryView, SLACK_BYTES } from './copy-words.ts';
import type { Column } from './rows.ts';

/** Collects the ASCII texts of rows, in order. */
export class TextColumnBuilder {
  #bytes: Uint8Array<ArrayBuffer>;
  #view: DataView;
  readonly #offsets: Uint32Array;
  readonly #invalid: number[] = [];
  #rowCount = 0;
  #byteLength = 0;

  /** `byteLength`: about how many bytes there will be. */
  constructor(rowCount: number, byteLength: number) {
    this.#offsets = new Uint32Array(rowCount + 1);
    this.#bytes = new Uint8Array(byteLength + SLACK_BYTES);
    this.#view = memoryView(this.#bytes);
  }

  get rowCount(): number {
    return this.#rowCount;
  }

  /** Copies `byteLength` bytes of other memory, which goes on for SLACK_BYTES after them. */
  addBytes(source: DataView, start: number, byteLength: number): void {
    this.#reserve(byteLength);
    copyWords(source, start, this.#view, this.#byteLength, byteLength);
    this.#byteLength += byteLength;
    this.#offsets[++this.#rowCount] = this.#byteLength;
  }

  addText(text: string): void {
    this.#reserve(text.length);
    writeAscii(this.#bytes, this.#byteLength, text);
    this.#byteLength += text.length;
    this.#offsets[++this.#rowCount] = this.#byteLength;
  }

  addInvalid(): void {
    this.#invalid.push(this.#rowCount);
    this.#offsets[++this.#rowCount] = this.#byteLength;
  }

  build(): Column {
    return {
      length: this.#rowCount,
      bytes: this.#bytes.subarray(0, this.#byteLength),
      offsets: this.#offsets,
      invalid: Uint32Array.from(this.#invalid),
    };
  }

  #reserve(byteLength: number): void {
    if (this.#byteLength + byteLength + SLACK_BYTES <= this.#bytes.length) return;
    const larger = new Uint8Array(2 * (this.#byteLength + byteLength) + SLACK_BYTES);
    larger.set(this.#bytes);
    this.#bytes = larger;
    this.#view = memoryView(larger);
  }
}
