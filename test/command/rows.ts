import { ROW_CAPACITY } from '../../assembly/layout.ts';
import type { Batch } from '../../src/command/read/batch.ts';
import type { Framing } from '../../src/command/read/framing.ts';
import {
  type Format,
  keepRows,
  type OnError,
  type Results,
  type SelectedRows,
  type Stage,
} from '../../src/command/work/results.ts';
import { GrowingBytes } from '../../src/core/bytes/growing-bytes.ts';
import type { Spans } from '../../src/core/bytes/lines.ts';

/** The batches of blocks of one input, each good until the next. */
export function* batchesOf(framing: Framing, blocks: readonly Uint8Array[]): Generator<Batch> {
  let state: unknown;
  for (const block of blocks) {
    state = framing.stateOf?.(block, state);
    yield* framing.batches(block, state);
  }
}

/** The way of rows through a command. */
export interface Way<R extends Results> {
  readonly framing: Framing;
  readonly stage: Stage<R>;
  readonly format: Format<R>;
  readonly onError?: OnError;
}

/** The output of blocks of one input, as the command writes it on one thread, without what `end` adds. */
export function written<R extends Results>({ format, ...way }: Way<R>, blocks: readonly Uint8Array[]): Buffer {
  return writtenInEach(way, [format], blocks)[0]!;
}

/** The output in each of some formats, which write a batch one after another. */
export function writtenInEach<R extends Results>(
  { framing, stage, onError = 'null' }: Omit<Way<R>, 'format'>,
  formats: readonly Format<R>[],
  blocks: readonly Uint8Array[],
): Buffer[] {
  const outs = formats.map(() => new GrowingBytes());
  const kept: SelectedRows = { rows: new Uint32Array(ROW_CAPACITY), count: 0, fields: new Uint8Array(ROW_CAPACITY) };
  for (const rows of batchesOf(framing, blocks)) {
    const results = stage(rows, 0);
    keepRows(results, onError, kept);
    for (const [index, format] of formats.entries()) format.write(results, kept, outs[index]!);
    if (onError === 'fail' && results.problems.length > 0) break;
  }
  return outs.map((out) => Buffer.from(out.take()));
}

/** A copy of row r. */
export function spanAt({ bytes, starts, ends }: Spans, row: number): Buffer {
  return Buffer.from(bytes.slice(starts[row], ends[row]));
}
