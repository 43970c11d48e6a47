import type { OnError } from '../rows/on-error.ts';
import { ByteWriter } from '../stage/byte-writer.ts';
import type { Results, Row } from '../stage/stage.ts';

/** Turns rows and what a stage has made of them into the bytes of the output. */
export interface Format<R extends Results> {
  /** What comes out for the header of a table; nothing where the format has none. */
  header?(header: Uint8Array): Uint8Array;
  /** The output of a whole block, or undefined where it must be written row by row. Valid until the next call. */
  block?(results: R, onError: OnError): Uint8Array | undefined;
  /** `hasResult` is false for an invalid row whose field stays empty. */
  row(results: R, row: Row, hasResult: boolean): void;
  /** What is ready to be written; valid until the next call. */
  take(): Uint8Array;
  /** The rest, after the last row, piece by piece. */
  end(): Iterable<Uint8Array>;
}

/** Writes one row, and `lineEnd` after it. `hasResult` is false for an invalid row whose field stays empty. */
export type RowFormat<R extends Results> = (
  out: ByteWriter,
  results: R,
  row: Row,
  hasResult: boolean,
  lineEnd: number,
) => void;

/** A format that writes row by row. */
export class RowByRow<R extends Results> implements Format<R> {
  readonly #writer = new ByteWriter();
  readonly #rowFormat: RowFormat<R>;
  readonly #lineEnd: number;

  constructor(rowFormat: RowFormat<R>, lineEnd: number) {
    this.#rowFormat = rowFormat;
    this.#lineEnd = lineEnd;
  }

  row(results: R, row: Row, hasResult: boolean): void {
    this.#rowFormat(this.#writer, results, row, hasResult, this.#lineEnd);
  }

  take(): Uint8Array {
    return this.#writer.take();
  }

  end(): Iterable<Uint8Array> {
    return [this.#writer.take()];
  }
}
