import type { HashColumn } from '../src/index.ts';
import { hashStream } from '../src/stream/index.ts';
import { blobSink } from './blob-sink.ts';
import { FileCount } from './file-count.ts';
import type { FileMessage, FileTask } from './file-message.ts';
import { LineQueue } from './line-queue.ts';
import { formatted, type RowFormatName } from './row-format.ts';

const cancellation = new AbortController();

addEventListener('message', ({ data }: MessageEvent<FileTask | 'cancel'>) => {
  if (data === 'cancel') cancellation.abort();
  else void run(data).then(say);
});

function say(message: FileMessage): void {
  postMessage(message);
}

async function run(task: FileTask): Promise<FileMessage> {
  const counted = new FileCount((progress) => say({ kind: 'progress', ...progress }));
  try {
    const blob = await hashFile(task, counted);
    return { kind: 'done', ...counted.progress, invalid: counted.invalid, blob };
  } catch (error) {
    if (cancellation.signal.aborted) return { kind: 'cancelled' };
    return { kind: 'failed', reason: error instanceof Error ? error.message : String(error) };
  }
}

/** File, lines, columns, rows, target: each waits for the next, so that memory stays as it is. */
async function hashFile({ file, format, width, target }: FileTask, counted: FileCount): Promise<Blob | undefined> {
  const sink = blobSink();
  const output = target === undefined ? sink.writable : await target.createWritable();
  const lines = new LineQueue();
  const rows = file
    .stream()
    .pipeThrough(remembered(lines, counted, format === 'text'))
    .pipeThrough(hashStream({ width }))
    .pipeThrough(rowBytes(lines, counted, format));
  await rows.pipeTo(output, { signal: cancellation.signal });
  return target === undefined ? sink.blob() : undefined;
}

function remembered(lines: LineQueue, counted: FileCount, isKept: boolean): TransformStream<Uint8Array, Uint8Array> {
  return new TransformStream({
    transform(chunk, controller) {
      counted.addBytes(chunk.length);
      if (isKept) lines.push(chunk);
      controller.enqueue(chunk);
    },
  });
}

function rowBytes(
  lines: LineQueue,
  counted: FileCount,
  format: RowFormatName,
): TransformStream<HashColumn, Uint8Array<ArrayBuffer>> {
  return new TransformStream({
    transform(column, controller) {
      counted.addColumn(column);
      controller.enqueue(formatted(column, format, lines));
    },
  });
}
