// Loaded with the first benchmark: whoever runs none loads none.
import { sha256 } from '@noble/hashes/sha2.js';
import { createSHA256 } from 'hash-wasm';
import { HASH_BYTES, type HashMethod } from './method.ts';

const encoder = new TextEncoder();

export const HASH_WASM = 'hash-wasm, WebAssembly';

/** Hashes as its users would. @throws where the browser forbids WebAssembly */
export async function hashWasm(): Promise<HashMethod> {
  const hasher = await createSHA256();
  return inTurn(HASH_WASM, (url) => hasher.init().update(new URL(url).href).digest('binary'));
}

export function noble(): HashMethod {
  return inTurn('noble, JavaScript', (url) => sha256(encoder.encode(new URL(url).href)));
}

function inTurn(name: string, hash: (url: string) => Uint8Array): HashMethod {
  return {
    name,
    isOurs: false,
    urlLimit: Number.POSITIVE_INFINITY,
    run(urls) {
      const packed = new Uint8Array(urls.length * HASH_BYTES);
      for (const [index, url] of urls.entries()) packed.set(hash(url), index * HASH_BYTES);
      return packed;
    },
  };
}
