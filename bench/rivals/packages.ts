// What a user of Node would take instead, as rows: packages at the versions that a package.json has, and Node itself.

import { createHash, hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { digest as asSha256, batchHash4UintArray64s } from '@chainsafe/as-sha256';
import { hash as hashtree } from '@chainsafe/hashtree';
import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js';
import { createSHA256 } from 'hash-wasm';
import normalizeUrl from 'normalize-url';
import { basicURLParse, serializeURL } from 'whatwg-url';

const hashWasm = await createSHA256();
const versions: Readonly<Record<string, string>> = Object.assign(
  {},
  ...['package.json', 'bench/package.json', 'test/package.json'].map(packagesOf),
);

function packagesOf(file: string): Record<string, string> {
  return (JSON.parse(readFileSync(file, 'utf8')) as { devDependencies: Record<string, string> }).devDependencies;
}

/** `hash-wasm 4.13.0`. */
export function versioned(name: string): string {
  return `${name} ${versions[name]}`;
}

const NOBLE = versioned('@noble/hashes');
const HASH_WASM = versioned('hash-wasm');
const AS_SHA256 = versioned('@chainsafe/as-sha256');
const HASHTREE = versioned('@chainsafe/hashtree');

interface UrlRival<Result> {
  readonly name: string;
  readonly of: (url: string) => Result;
  /** Relative slowness: how many times fewer lines it is given. */
  readonly share: number;
}

/** The fastest thing that a user of Node can write, and what others write: the digest of one URL, as hex or bytes. */
export const FASTEST_NODE = "crypto.hash('sha256', new URL(u).href, 'hex')";
export const URL_RIVALS: readonly UrlRival<string | Uint8Array>[] = [
  { name: FASTEST_NODE, of: (url) => hash('sha256', new URL(url).href, 'hex'), share: 1 },
  {
    name: "createHash('sha256').update(new URL(u).href).digest()",
    of: (url) => createHash('sha256').update(new URL(url).href).digest(),
    share: 2,
  },
  { name: `${HASH_WASM} with URL`, of: (url) => hashWasm.init().update(new URL(url).href).digest('binary'), share: 2 },
  { name: `${AS_SHA256} with URL`, of: (url) => asSha256(Buffer.from(new URL(url).href)), share: 2 },
  { name: `${NOBLE} with URL`, of: (url) => nobleSha256(Buffer.from(new URL(url).href)), share: 4 },
  {
    name: `${versioned('whatwg-url')} with ${NOBLE}`,
    of: (url) => nobleSha256(Buffer.from(serializeURL(basicURLParse(url)!))),
    share: 40,
  },
];

/** The canonical form of one URL; normalize-url has rules of its own. */
export const HREF = 'new URL(u).href';
export const FORM_RIVALS: readonly UrlRival<string>[] = [
  { name: HREF, of: (url) => new URL(url).href, share: 1 },
  { name: versioned('normalize-url'), of: normalized, share: 20 },
  { name: versioned('whatwg-url'), of: (url) => serializeURL(basicURLParse(url)!), share: 40 },
];

/** It refuses what it is not made for. */
function normalized(url: string): string {
  try {
    return normalizeUrl(url);
  } catch {
    return url;
  }
}

/** Many messages of one length, which are one after another in `text` too: returns their digests. */
interface MessageRival {
  readonly name: string;
  readonly share: number;
  readonly digests: (messages: readonly Uint8Array[], text: Uint8Array) => readonly Uint8Array[];
}

export const MESSAGE_RIVALS: readonly MessageRival[] = [
  { name: HASH_WASM, share: 4, digests: (all) => all.map((one) => hashWasm.init().update(one).digest('binary')) },
  { name: AS_SHA256, share: 4, digests: (all) => all.map((one) => asSha256(one)) },
  { name: NOBLE, share: 8, digests: (all) => all.map((one) => nobleSha256(one)) },
];

/** Only messages of 64 bytes. */
export const PAIR_RIVALS: readonly MessageRival[] = [
  { name: `${AS_SHA256}, four at once, 64 bytes`, share: 1, digests: byFour },
  { name: `${HASHTREE}, native, 64 bytes`, share: 1, digests: (_, text) => [hashtree(text)] },
];

function byFour(all: readonly Uint8Array[]): Uint8Array[] {
  const digests: Uint8Array[] = [];
  for (let first = 0; first < all.length; first += 4) {
    digests.push(...batchHash4UintArray64s(all.slice(first, first + 4) as Uint8Array[]));
  }
  return digests;
}
