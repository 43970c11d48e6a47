import type { GrowingBytes } from '../../bytes/growing-bytes.ts';
import type { KeptRows, ResultBatch } from '../stage/stage.ts';

/** Turns rows and what a stage has made of them into the bytes of the output. */
export interface Format<R extends ResultBatch = ResultBatch> {
  /** Appends the rows that were kept. */
  write(results: R, kept: KeptRows, out: GrowingBytes): void;
  /** The rest, after the last row, piece by piece. */
  end(): Iterable<Uint8Array>;
}

/** Writes one row of a format of one line per row, its line end included; `field`: RESULT, GIVEN or EMPTY. */
export type RowFormat = (out: GrowingBytes, results: ResultBatch, row: number, field: number) => void;

/** A format whose output is all written by `write`. */
export function rowByRow(writeRow: RowFormat): Format {
  return {
    write(results, { rows, count, fields }, out) {
      for (let index = 0; index < count; index++) {
        const row = rows[index]!;
        writeRow(out, results, row, fields[row]!);
      }
    },
    end: () => [],
  };
}
