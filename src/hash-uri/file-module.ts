import { mustBeBytes } from '../argument.ts';
import { digestOfBytes } from '../digest/digest.ts';
import { openKernel } from '../kernel/open.ts';
import { base64OfBytes } from './base64.ts';
import { type Chunks, iterated } from './chunks.ts';
import { KernelSha256, type Sha256 } from './sha256.ts';

/**
 * Module FA, on the bytes of a file and nothing else: not its name, not its encoding. The code is 'FA' and the
 * 43 Base64 characters of the SHA-256.
 */
export function codeOfBytes(content: Uint8Array): string {
  return codeOfDigest(digestOfBytes(openKernel(), mustBeBytes('content', content), 32));
}

/** The same in constant memory. */
export async function codeOfChunks(chunks: Chunks, sha256: Sha256 = new KernelSha256()): Promise<string> {
  for await (const chunk of iterated(chunks)) sha256.update(mustBeBytes('a chunk', chunk));
  return codeOfDigest(sha256.digest());
}

function codeOfDigest(digest: Uint8Array): string {
  return `FA${base64OfBytes(digest)}`;
}
