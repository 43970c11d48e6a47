// docs/serve.md read once more: what a client in another language does, with Buffer alone.

export interface Greeting {
  readonly version: number;
  readonly output: number;
  readonly width: number;
  readonly profile: string;
}

/** A value of an answer: its bytes, or undefined where the row is invalid. */
export type Value = string | undefined;

/** `firstOffset`: where the offsets begin, as those of a slice. */
export function request(rows: readonly (string | Uint8Array)[], firstOffset = 0): Buffer {
  const encoded = rows.map((row) => Buffer.from(row as string));
  const numbers = Buffer.alloc(4 * (rows.length + 3));
  const data = Buffer.concat(encoded);
  numbers.writeUInt32LE(rows.length, 0);
  numbers.writeUInt32LE(data.length, 4);
  let offset = firstOffset;
  for (const [row, { length }] of encoded.entries()) {
    numbers.writeUInt32LE(offset, 8 + 4 * row);
    offset += length;
  }
  numbers.writeUInt32LE(offset, 8 + 4 * rows.length);
  return Buffer.concat([numbers, data]);
}

/** Reads a greeting and the answers after it: to requests of one width, each value in hex. */
export class AnswerReader {
  readonly greeting: Greeting;
  readonly #bytes: Buffer;
  #at: number;

  constructor(bytes: Buffer) {
    if (bytes.toString('latin1', 0, 6) !== 'urlsum') throw new Error('no greeting');
    this.#bytes = bytes;
    this.#at = 12 + bytes.readUInt16LE(10);
    this.greeting = {
      version: bytes.readUInt16LE(6),
      output: bytes[8]!,
      width: bytes[9]!,
      profile: bytes.toString('latin1', 12, this.#at),
    };
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  /** The values of the next answer. */
  next(): Value[] {
    const { output, width } = this.greeting;
    const rowCount = this.#number();
    const byteLength = this.#number();
    const offsets = output < 3 ? undefined : Array.from({ length: rowCount + 1 }, () => this.#number());
    const values = this.#take(byteLength);
    const validity = this.#take((rowCount + 7) >> 3);
    if (offsets !== undefined && offsets[rowCount]! * width !== byteLength)
      throw new Error('offsets and values differ');
    if (offsets === undefined && rowCount * width !== byteLength) throw new Error('rows and values differ');
    return Array.from({ length: rowCount }, (_, row) => {
      if (((validity[row >> 3]! >> (row & 7)) & 1) === 0) return undefined;
      const [start, end] = offsets === undefined ? [row, row + 1] : [offsets[row]!, offsets[row + 1]!];
      return values.toString('hex', start * width, end * width);
    });
  }

  #number(): number {
    return this.#take(4).readUInt32LE();
  }

  #take(byteLength: number): Buffer {
    if (this.#at + byteLength > this.#bytes.length) throw new Error('the answer is cut');
    this.#at += byteLength;
    return this.#bytes.subarray(this.#at - byteLength, this.#at);
  }
}
