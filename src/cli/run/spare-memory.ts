/**
 * Copies the bytes to memory that can be transferred, that of earlier ones if it is large enough. Blocks and their
 * outputs differ little: with an eighth to spare, it mostly is.
 */
export function copyIn(spare: ArrayBuffer | undefined, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const isLarge = spare !== undefined && spare.byteLength >= bytes.length;
  const copy = new Uint8Array(isLarge ? spare : new ArrayBuffer(Math.ceil(1.125 * bytes.length)), 0, bytes.length);
  copy.set(bytes);
  return copy;
}
