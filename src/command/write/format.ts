import type { GrowingBytes } from '../../core/bytes/growing-bytes.ts';
import type { KeptRows, ResultBatch } from '../work/stage.ts';

/** Turns rows and the results of a stage into the bytes of the output. */
export interface Format<R extends ResultBatch = ResultBatch> {
  write(results: R, kept: KeptRows, out: GrowingBytes): void;
  /** Yields the output after the last row, if there is any, piece by piece. */
  end?(): Iterable<Uint8Array>;
}

/** Writes one row as one line, with its line end. `field` is RESULT, GIVEN or EMPTY. */
export type RowFormat = (out: GrowingBytes, results: ResultBatch, row: number, field: number) => void;

/** Makes a format whose output is all written by `write`. */
export function rowByRow(writeRow: RowFormat): Format {
  return {
    write(results, { rows, count, fields }, out) {
      for (let index = 0; index < count; index++) {
        const row = rows[index]!;
        writeRow(out, results, row, fields[row]!);
      }
    },
  };
}
