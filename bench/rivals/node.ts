import { createHash, hash } from 'node:crypto';
import { digest as chainsafeDigest } from '@chainsafe/as-sha256';
import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js';
import { createSHA256 } from 'hash-wasm';
import { basicURLParse, serializeURL } from 'whatwg-url';

/** What a user of Node would write instead: the digest of one URL, as hex or bytes. */
interface Rival {
  readonly name: string;
  readonly digest: (url: string) => string | Uint8Array;
  /** Relative slowness: how many times fewer lines it is given. */
  readonly share: number;
}

const hashWasm = await createSHA256();

/** The fastest thing a Node user can write, and the usual one. */
export const FASTEST_NODE = "crypto.hash('sha256', new URL(u).href, 'hex')";
const USUAL_NODE = "createHash('sha256').update(new URL(u).href).digest()";

export const RIVALS: readonly Rival[] = [
  { name: FASTEST_NODE, digest: (url) => hash('sha256', new URL(url).href, 'hex'), share: 1 },
  { name: USUAL_NODE, digest: (url) => createHash('sha256').update(new URL(url).href).digest(), share: 1 },
  { name: 'hash-wasm with URL', digest: (url) => hashWasm.init().update(new URL(url).href).digest('binary'), share: 1 },
  { name: '@chainsafe/as-sha256 with URL', digest: (url) => chainsafeDigest(Buffer.from(new URL(url).href)), share: 1 },
  { name: '@noble/hashes with URL', digest: (url) => nobleSha256(Buffer.from(new URL(url).href)), share: 1 },
  {
    name: 'whatwg-url with @noble/hashes',
    digest: (url) => nobleSha256(Buffer.from(serializeURL(basicURLParse(url)!))),
    share: 10,
  },
];

/** hash-wasm on bytes, without a URL parser: what the kernel is compared with. */
export function hashWasmDigest(message: Uint8Array): Uint8Array {
  return hashWasm.init().update(message).digest('binary');
}
