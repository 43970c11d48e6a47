import { digestOfBytes } from '../digest/digest.ts';
import { openKernel } from '../kernel/open.ts';
import { CONTENT_BYTES } from './layout.ts';

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
  return digestOfBytes(openKernel(), page, 8);
}
