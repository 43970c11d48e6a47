import { mustBeBytes } from '../argument.ts';
import { digestOfBytes } from '../digest/digest.ts';
import { openKernel } from '../kernel/open.ts';
import { base64OfBytes } from './base64.ts';
import { KernelSha256, type Sha256 } from './sha256.ts';

/**
 * Module FA, on the bytes of a file and nothing else: not its name, not its encoding. The code is 'FA' and the
 * 43 Base64 characters of the SHA-256.
 */
export function codeOfBytes(content: Uint8Array): string {
  return codeOfDigest(digestOfBytes(openKernel(), mustBeBytes('content', content), 32));
}

/** Where bytes come from in pieces: a ReadableStream, a stream of Node, an array of chunks. */
export type Chunks = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** The same in constant memory. */
export async function codeOfChunks(chunks: Chunks, sha256: Sha256 = new KernelSha256()): Promise<string> {
  for await (const chunk of iterated(chunks)) sha256.update(mustBeBytes('a chunk', chunk));
  return codeOfDigest(sha256.digest());
}

/** Not every host lets a ReadableStream be iterated. */
function iterated(chunks: Chunks): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  const source = Object(chunks) as object;
  if (Symbol.asyncIterator in source || Symbol.iterator in source) return chunks as AsyncIterable<Uint8Array>;
  if ('getReader' in source) return readAll(chunks as ReadableStream<Uint8Array>);
  throw new TypeError(`chunks must be a ReadableStream or iterable, got ${typeof chunks}`);
}

async function* readAll(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    reader.releaseLock();
  }
}

function codeOfDigest(digest: Uint8Array): string {
  return `FA${base64OfBytes(digest)}`;
}
