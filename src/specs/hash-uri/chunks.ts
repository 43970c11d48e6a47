import { wrongKind } from '../../core/argument.ts';

/** Where bytes come from in pieces: a ReadableStream, a stream of Node, an array of chunks. */
export type Chunks = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Wraps a ReadableStream where the host cannot iterate over one. */
export function iterated(chunks: Chunks): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  const source = Object(chunks) as object;
  if (Symbol.asyncIterator in source || Symbol.iterator in source) return chunks as AsyncIterable<Uint8Array>;
  if ('getReader' in source) return readAll(chunks as ReadableStream<Uint8Array>);
  throw wrongKind('chunks', 'a ReadableStream or iterable', chunks);
}

async function* readAll(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    reader.releaseLock();
  }
}
