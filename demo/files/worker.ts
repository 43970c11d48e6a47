import { type HashColumn, hashStream } from '../../src/index.ts';
import { blobSink } from './blob-sink.ts';
import { FileCount } from './count.ts';
import { LineQueue } from './line-queue.ts';
import type { FileMessage, FileTask } from './message.ts';
import { formatted, type RowFormatName } from './row-format.ts';
import { gunzip } from './unpacked.ts';

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
    return { kind: 'failed', reason: reasonOf(error, task) };
  }
}

/** Of what DecompressionStream throws: damaged, cut off, or with a second member, which no browser reads. */
function reasonOf(error: unknown, { isCompressed }: FileTask): string {
  const message = error instanceof Error ? error.message : String(error);
  return isCompressed && error instanceof TypeError ? `its gzip data cannot be read to its end (${message})` : message;
}

/** File, lines, columns, rows, target: each waits for the next, so that memory stays as it is. */
async function hashFile(
  { file, isCompressed, format, width, target }: FileTask,
  counted: FileCount,
): Promise<Blob | undefined> {
  const sink = blobSink();
  const output = target === undefined ? sink.writable : await target.createWritable();
  const lines = new LineQueue();
  const bytes = file.stream().pipeThrough(each((chunk) => counted.addFileBytes(chunk.length)));
  const text = isCompressed ? bytes.pipeThrough(gunzip()) : bytes;
  const remember = (chunk: Uint8Array) => {
    counted.addTextBytes(chunk.length);
    if (format === 'text') lines.push(chunk);
  };
  const rows = text
    .pipeThrough(each(remember))
    .pipeThrough(hashStream({ width }))
    .pipeThrough(rowBytes(lines, counted, format));
  await rows.pipeTo(output, { signal: cancellation.signal });
  return target === undefined ? sink.blob() : undefined;
}

/** Passes chunks on, each after `visit` has seen it. */
function each(visit: (chunk: Uint8Array) => void): TransformStream<Uint8Array, Uint8Array> {
  return new TransformStream({
    transform(chunk, controller) {
      visit(chunk);
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
