import { ByteWriter } from './byte-writer.ts';
import type { Rows } from './framing.ts';
import type { Format } from './formats.ts';
import type { Row } from './rows.ts';

/** Turns rows into the bytes of an output format. */
export interface Sink {
  /** The output of a whole column is its packed bytes. */
  readonly isPacked: boolean;
  /** `isHashed` is false for an invalid row whose hash stays empty. */
  row(rows: Rows, row: Row, isHashed: boolean): void;
  /** What is ready to be written; valid until the next call. */
  take(): Uint8Array;
  /** The rest, behind the last row. */
  end(): Uint8Array;
}

/** A format that writes row by row. */
export class FormatSink implements Sink {
  readonly isPacked: boolean;
  readonly #writer = new ByteWriter();
  readonly #format: Format;
  readonly #lineEnd: number;

  constructor(format: Format, lineEnd: number, isPacked: boolean) {
    this.#format = format;
    this.#lineEnd = lineEnd;
    this.isPacked = isPacked;
  }

  row(rows: Rows, row: Row, isHashed: boolean): void {
    this.#format(this.#writer, rows, row, isHashed, this.#lineEnd);
  }

  take(): Uint8Array {
    return this.#writer.take();
  }

  end(): Uint8Array {
    return this.#writer.take();
  }
}
