import { sha256 } from '@noble/hashes/sha2.js';
import { asciiBytes } from '../bytes/ascii.ts';
import { hexOfBytes } from '../bytes/hex.ts';

const HASH_BYTES = 32;

/** The SHA-256 of a canonical form or an expression, which is ASCII; in JavaScript, so that one build serves all. */
export function sha256Hex(text: string): string {
  return hexOfBytes(sha256.create().update(asciiBytes(text)).digest(), 0, HASH_BYTES);
}
