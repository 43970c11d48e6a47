import { DIGESTS, TEXT, TEXT_END } from '../../assembly/layout.ts';
import type { Kernel, Width } from '../kernel/kernel.ts';

let encoder: TextEncoder | undefined;

/** Made at first use: some hosts of a bundle (jsdom) have none and never get here. */
export function textEncoder(): TextEncoder {
  return (encoder ??= new TextEncoder());
}

/** The first `width` bytes of the SHA-256 of a canonical form, which is ASCII. */
export function digestOfString(kernel: Kernel, canonical: string, width: Width): Uint8Array<ArrayBuffer> {
  if (canonical.length > TEXT_END - TEXT) return digestOfBytes(kernel, textEncoder().encode(canonical), width);
  writeAscii(kernel.memory.bytes, TEXT, canonical);
  kernel.sha256(TEXT, canonical.length, DIGESTS, width);
  return kernel.memory.digests(1, width);
}

/** The same for bytes of any length, brought into memory piece by piece. */
export function digestOfBytes(kernel: Kernel, message: Uint8Array, width: Width): Uint8Array<ArrayBuffer> {
  absorbBytes(kernel, message, TEXT, DIGESTS, width);
  return kernel.memory.digests(1, width);
}

/** Uses memory from the address `room` to the end of TEXT, and writes the digest to the address `digest`. */
export function absorbBytes(kernel: Kernel, message: Uint8Array, room: number, digest: number, width: Width): void {
  const pieceLength = (TEXT_END - room) & ~63;
  let at = 0;
  kernel.begin();
  for (; message.length - at >= 64; at += pieceLength) {
    const piece = message.subarray(at, Math.min(at + pieceLength, message.length & ~63));
    kernel.memory.bytes.set(piece, room);
    kernel.absorb(room, piece.length / 64);
  }
  const tail = message.subarray(message.length & ~63);
  kernel.memory.bytes.set(tail, room);
  kernel.finish(room, tail.length, message.length, digest, width);
}

// A URL is short: the loop takes 60 ns for 60 bytes, encodeInto and its subarray 110 to 160 ns.
const LOOPED_LENGTH = 128;

export function writeAscii(bytes: Uint8Array, address: number, text: string): void {
  if (text.length > LOOPED_LENGTH) textEncoder().encodeInto(text, bytes.subarray(address));
  else for (let at = 0; at < text.length; at++) bytes[address + at] = text.charCodeAt(at);
}
