import type { Row } from '../rows/each-row.ts';
import type { HashedRows } from '../stage/hashes.ts';
import type { OnError } from '../terminal/options.ts';
import { ByteWriter } from './byte-writer.ts';
import type { Format } from './formats.ts';

/** Turns rows into the bytes of an output format. */
export interface Sink {
  /** The output of a whole block, where it can be had at once: else undefined, and row by row. Valid until the next call. */
  block?(rows: HashedRows, onError: OnError): Uint8Array | undefined;
  /** `isHashed` is false for an invalid row whose hash stays empty. */
  row(rows: HashedRows, row: Row, isHashed: boolean): void;
  /** What is ready to be written; valid until the next call. */
  take(): Uint8Array;
  /** The rest, behind the last row. */
  end(): Uint8Array;
}

/** A format that writes row by row. */
export class FormatSink implements Sink {
  readonly #writer = new ByteWriter();
  readonly #format: Format;
  readonly #lineEnd: number;

  constructor(format: Format, lineEnd: number) {
    this.#format = format;
    this.#lineEnd = lineEnd;
  }

  row(rows: HashedRows, row: Row, isHashed: boolean): void {
    this.#format(this.#writer, rows, row, isHashed, this.#lineEnd);
  }

  take(): Uint8Array {
    return this.#writer.take();
  }

  end(): Uint8Array {
    return this.#writer.take();
  }
}

/** Packed digests: a block's are its column, as it lies in memory. */
export class PackedSink extends FormatSink {
  block({ column }: HashedRows, onError: OnError): Uint8Array | undefined {
    return column.invalid.length === 0 || onError === 'null' || onError === 'keep' ? column.bytes : undefined;
  }
}
