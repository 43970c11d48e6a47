import { builtinModule } from '../builtin-module.ts';
import { digestOfBytes } from '../digest/digest.ts';
import { openKernel } from '../kernel/open.ts';
import { CHECKSUM_BYTES, CONTENT_BYTES } from './layout.ts';

/** Writes a page's checksum after its content. */
export function seal(page: Uint8Array, number: number): void {
  page.set(checksumOf(page, number), CONTENT_BYTES);
}

/** Is a page what was written as the page of that number? Its bytes are as before when this returns. */
export function isSealed(page: Uint8Array, number: number): boolean {
  const found = page.slice(CONTENT_BYTES);
  const expected = checksumOf(page, number);
  page.set(found, CONTENT_BYTES);
  return expected.every((byte, at) => byte === found[at]);
}

/** The number stands where the checksum goes, so that a page is 64 blocks of SHA-256 and its padding. */
function checksumOf(page: Uint8Array, number: number): Uint8Array {
  new DataView(page.buffer, page.byteOffset).setBigUint64(CONTENT_BYTES, BigInt(number), true);
  return sha256(page).subarray(0, CHECKSUM_BYTES);
}

/** What is used of node:crypto. */
interface Crypto {
  createHash(algorithm: 'sha256'): { update(bytes: Uint8Array): { digest(): Uint8Array } };
}

/**
 * By the host where it can: with the processor's instructions for SHA-256 a page takes a fifth of the kernel's time.
 */
function sha256(bytes: Uint8Array): Uint8Array {
  const crypto = builtinModule<Crypto>('node:crypto'); // asked for here: nothing runs at import
  return crypto?.createHash('sha256').update(bytes).digest() ?? digestOfBytes(openKernel(), bytes, 32);
}
