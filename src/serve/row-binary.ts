import type { ByteInput, ByteOutput } from './byte-stream.ts';
import type { Output } from './outputs.ts';
import { rowBinary } from './row-binary-answer.ts';
import { RowBinaryInput } from './row-binary-input.ts';

/** Answers ClickHouse's chunks until the input ends. @throws {ServeError} on a chunk that cannot be answered */
export function serveRowBinary(input: ByteInput, output: ByteOutput, served: Output, isNullable: boolean) {
  const chunks = new RowBinaryInput(input, isNullable);
  for (let rowCount = chunks.chunk(); rowCount !== undefined; rowCount = chunks.chunk()) {
    for (const piece of answer(chunks, rowCount, served, isNullable)) output.write(piece);
  }
}

/** All of a chunk is read before its answer is written: the parent may write all of it before it reads. */
function answer(chunks: RowBinaryInput, rowCount: number, { column, width }: Output, isNullable: boolean) {
  const pieces: Uint8Array[] = [];
  for (let row = 0; row < rowCount; ) {
    const answered = column(chunks.batch(rowCount - row));
    pieces.push(rowBinary(answered, width, isNullable));
    row += answered.length;
  }
  return pieces;
}
