import type { KernelName } from '../../src/core/kernel/kernel.ts';
import { UrlHasher } from '../../src/index.ts';

/** A way to hash URLs: 32 bytes each, packed. */
export interface HashMethod {
  readonly name: string;
  readonly isOurs: boolean;
  /** The kernel, where the method is urlsum's. */
  readonly kernel?: KernelName;
  /** The URLs of a round, at most: the slowest would take all day. */
  readonly urlLimit: number;
  run(urls: readonly string[]): Uint8Array | Promise<Uint8Array>;
}

export const HASH_BYTES = 32;
const IN_FLIGHT = 1000;
const SUBTLE_LIMIT = 2000;

export const OURS: readonly HashMethod[] = [ours('urlsum, WebAssembly', 'simd'), ours('urlsum, JavaScript', 'js')];

export const SUBTLE: readonly HashMethod[] = [
  { name: `crypto.subtle.digest, ${IN_FLIGHT} at a time`, isOurs: false, urlLimit: SUBTLE_LIMIT, run: subtleTogether },
  { name: 'crypto.subtle.digest, one by one', isOurs: false, urlLimit: SUBTLE_LIMIT, run: subtleInTurn },
];

function ours(name: string, kernel: KernelName): HashMethod {
  let hasher: UrlHasher | undefined; // made by the first run: it throws where this browser does not run the kernel
  const run = (urls: readonly string[]) => (hasher ??= new UrlHasher({ kernel })).hashMany(urls).bytes;
  return { name, isOurs: true, kernel, urlLimit: Number.POSITIVE_INFINITY, run };
}

const encoder = new TextEncoder();

/** The line that users of browsers write. */
function subtle(url: string): Promise<ArrayBuffer> {
  return crypto.subtle.digest('SHA-256', encoder.encode(new URL(url).href));
}

async function subtleTogether(urls: readonly string[]): Promise<Uint8Array> {
  const packed = new Uint8Array(urls.length * HASH_BYTES);
  for (let at = 0; at < urls.length; at += IN_FLIGHT) {
    const digests = await Promise.all(urls.slice(at, at + IN_FLIGHT).map(subtle));
    for (const [index, digest] of digests.entries()) packed.set(new Uint8Array(digest), (at + index) * HASH_BYTES);
  }
  return packed;
}

async function subtleInTurn(urls: readonly string[]): Promise<Uint8Array> {
  const packed = new Uint8Array(urls.length * HASH_BYTES);
  for (const [index, url] of urls.entries()) packed.set(new Uint8Array(await subtle(url)), index * HASH_BYTES);
  return packed;
}
