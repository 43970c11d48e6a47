import { blobSink } from './blob-sink.ts';
import { type ChunkStream, chunksIn, nextTask } from './chunks.ts';
import { textOf } from './file-text.ts';
import { type HashedBlock, hashedBlocks } from './hashed-block.ts';
import type { BadRow, FileMessage, FileProgress, FileTask } from './message.ts';
import { reasonOf } from './reason.ts';

let isCancelled = false;

addEventListener('message', ({ data }: MessageEvent<FileTask | 'cancel'>) => {
  if (data === 'cancel') isCancelled = true;
  else void run(data).then(say);
});

function say(message: FileMessage): void {
  postMessage(message);
}

async function run(task: FileTask): Promise<FileMessage> {
  const counted = new FileCount();
  try {
    const blob = await write(task, counted);
    return { kind: 'done', ...counted.progress, badRows: counted.badRows, blob };
  } catch (error) {
    if (isCancelled) return { kind: 'cancelled' };
    return { kind: 'failed', reason: reasonOf(error) };
  }
}

/** Each piece waits until the one before is written, so that memory stays as it is. */
async function write(task: FileTask, counted: FileCount): Promise<Blob | undefined> {
  const { target } = task;
  const sink = blobSink();
  const writer = (target === undefined ? sink.writable : await target.createWritable()).getWriter();
  try {
    for await (const piece of outputOf(task, counted)) {
      await nextTask(); // Chromium reads files without a break, in which no message gets in
      if (isCancelled) throw new Error('cancelled');
      await writer.write(piece);
    }
    await writer.close();
  } catch (error) {
    await writer.abort(error); // the file stays as it was
    throw error;
  }
  return target === undefined ? sink.blob() : undefined;
}

/** The time between two messages on the progress. */
const INTERVAL_MS = 100;
const SHOWN_BAD_ROWS = 20;

/** Counts what goes by, and keeps the first bad rows. */
class FileCount {
  readonly badRows: BadRow[] = [];
  readonly #startMs = performance.now();
  #saidAtMs = this.#startMs;
  #fileBytes = 0;
  #textBytes = 0;
  #rows = 0;
  #badCount = 0;

  get progress(): FileProgress {
    return {
      fileBytes: this.#fileBytes,
      textBytes: this.#textBytes,
      rows: this.#rows,
      badCount: this.#badCount,
      elapsedMs: performance.now() - this.#startMs,
    };
  }

  addFileBytes(byteLength: number): void {
    this.#fileBytes += byteLength;
  }

  addBlock({ report, badRows }: HashedBlock): void {
    this.badRows.push(...badRows.slice(0, SHOWN_BAD_ROWS - this.badRows.length));
    this.#textBytes += report.byteLength;
    this.#rows += report.rowCount;
    this.#badCount += report.problems.length;
    const nowMs = performance.now();
    if (nowMs - this.#saidAtMs < INTERVAL_MS) return;
    this.#saidAtMs = nowMs;
    say({ kind: 'progress', ...this.progress });
  }
}

async function* outputOf({ file, options }: FileTask, counted: FileCount): ChunkStream {
  const shown = { rows: 0, badRows: SHOWN_BAD_ROWS };
  for await (const hashed of hashedBlocks(textOf(countedChunks(file, counted)), options, shown)) {
    counted.addBlock(hashed);
    yield hashed.output;
  }
}

async function* countedChunks(file: File, counted: FileCount): ChunkStream {
  for await (const chunk of chunksIn(file.stream())) {
    counted.addFileBytes(chunk.length);
    yield chunk;
  }
}
