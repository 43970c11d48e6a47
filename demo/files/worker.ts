import { blobSink } from './blob-sink.ts';
import { type ChunkStream, chunksIn, nextTask } from './chunks.ts';
import { FileCount } from './count.ts';
import { textOf } from './file-text.ts';
import { hashedBlocks } from './hashed-block.ts';
import type { FileMessage, FileTask } from './message.ts';
import { reasonOf } from './reason.ts';
import { headerOutput, rowOutput } from './row-output.ts';

let isCancelled = false;

addEventListener('message', ({ data }: MessageEvent<FileTask | 'cancel'>) => {
  if (data === 'cancel') isCancelled = true;
  else void run(data).then(say);
});

function say(message: FileMessage): void {
  postMessage(message);
}

async function run(task: FileTask): Promise<FileMessage> {
  const counted = new FileCount(task.options.base, (progress) => say({ kind: 'progress', ...progress }));
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

async function* outputOf({ file, options }: FileTask, counted: FileCount): ChunkStream {
  for await (const block of hashedBlocks(textOf(countedChunks(file, counted)), options)) {
    counted.addBlock(block);
    if (block.header !== undefined) yield headerOutput(block.header);
    yield rowOutput(block, options);
  }
}

async function* countedChunks(file: File, counted: FileCount): ChunkStream {
  for await (const chunk of chunksIn(file.stream())) {
    counted.addFileBytes(chunk.length);
    yield chunk;
  }
}
