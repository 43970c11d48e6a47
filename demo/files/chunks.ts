/** Bytes of a file, or of the text in it, as they come. */
export type ChunkStream = AsyncGenerator<Uint8Array<ArrayBuffer>>;

/** Yields what a stream gives; it is cancelled where the reader leaves early. */
export async function* chunksIn(stream: ReadableStream<Uint8Array<ArrayBuffer>>): ChunkStream {
  const reader = stream.getReader();
  try {
    for (let next; !(next = await reader.read()).done; ) yield next.value;
  } finally {
    await reader.cancel();
  }
}

/**
 * After the tasks that wait already, such as a message that came in. Sooner than a timer, which waits for 4 ms: gzip data
 * may have a member for every line.
 */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
