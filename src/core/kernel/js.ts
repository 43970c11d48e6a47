import { DIGESTS, MEMORY_BYTES, NO_MESSAGE, ROW_CAPACITY } from '../../../assembly/layout.ts';
import { findLines } from '../bytes/lines.ts';
import { type Kernel, Memory, type Width } from './kernel.ts';

/** The kernel for hosts without WebAssembly or SIMD. It proves no row: each goes through the parser. */
export function jsKernel(): Kernel {
  const memory = new Memory(new ArrayBuffer(MEMORY_BYTES));
  const { bytes, pending, rowEnds: ends, rowStarts: starts } = memory;
  const state = sha256In(bytes);

  return {
    name: 'js',
    memory,
    hostHex: () => undefined,
    findLines(address, end, lineEnd) {
      const { rowCount, next } = findLines(bytes, address, end, lineEnd, { starts, ends }, ROW_CAPACITY);
      memory.scannedEnd = next;
      return rowCount;
    },
    classifyRows(rowCount, room) {
      for (let row = 0; row < rowCount; row++) pending[row] = row;
      memory.unicodeRows.fill(0);
      memory.roomEnd = room;
      memory.pendingCount = rowCount;
    },
    hash: rowByRow(memory, state.sha256),
    ...state,
  };
}

/** Makes `hash` from a function that hashes one message. */
export function rowByRow({ bytes, spans }: Memory, sha256: Kernel['sha256']): Kernel['hash'] {
  return (firstRow, endRow, width) => {
    for (let row = firstRow; row < endRow; row++) {
      const digest = DIGESTS + row * width;
      const byteLength = spans[2 * row + 1]!;
      if (byteLength === NO_MESSAGE) bytes.fill(0, digest, digest + width);
      else sha256(spans[2 * row]!, byteLength, digest, width);
    }
  };
}

// SHA-256 (FIPS 180-4) of bytes that lie in one memory, in the standard's own names, for hosts without WebAssembly. Nothing
// is allocated per message.

/** Round constants (§4.2.2) and the initial hash value (§5.3.3). */
interface Constants {
  readonly K: Int32Array;
  readonly H0: Int32Array;
}

let constants: Constants | undefined;

/** Returns the first 32 bits of the fractional parts of roots of primes: a double has 20 bits more than are used. */
function computedConstants(): Constants {
  const primes: number[] = [];
  for (let number = 2; primes.length < 64; number++)
    if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  const fractions = (roots: readonly number[]) => Int32Array.from(roots, (root) => (root % 1) * 2 ** 32);
  return { K: fractions(primes.map(Math.cbrt)), H0: fractions(primes.slice(0, 8).map(Math.sqrt)) };
}

/**
 * Returns the verbs of a kernel that hash one message, over the memory that addresses are of. The state between calls of
 * `update` is theirs, as the WebAssembly kernel keeps it in its memory.
 */
export function sha256In(bytes: Uint8Array): Pick<Kernel, 'init' | 'update' | 'final' | 'sha256'> {
  const { K, H0 } = (constants ??= computedConstants());
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [H, W] = [new Int32Array(8), new Int32Array(64)];
  const end = new Uint8Array(128); // the padded end of a message, at most two blocks
  const endView = new DataView(end.buffer);

  function init(): void {
    H.set(H0);
  }

  function update(message: number, blockCount: number): void {
    for (let block = 0; block < blockCount; block++) compress(view, message + 64 * block, K, W, H);
  }

  /** Pads (§5.1.1). */
  function final(tail: number, tailLength: number, byteLength: number, digest: number, width: number): void {
    for (let at = 0; at < tailLength; at++) end[at] = bytes[tail + at]!;
    const endLength = tailLength < 56 ? 64 : 128;
    end.fill(0, tailLength, endLength);
    end[tailLength] = 0x80;
    endView.setUint32(endLength - 8, byteLength / 2 ** 29);
    endView.setUint32(endLength - 4, byteLength << 3);
    for (let at = 0; at < endLength; at += 64) compress(endView, at, K, W, H);
    for (let at = 0; at < width; at += 4) view.setInt32(digest + at, H[at / 4]!);
  }

  function sha256(message: number, byteLength: number, digest: number, width: Width): void {
    const tailLength = byteLength & 63;
    init();
    update(message, byteLength >> 6);
    final(message + byteLength - tailLength, tailLength, byteLength, digest, width);
  }

  return { init, update, final, sha256 };
}

/** §6.2.2 */
function compress(view: DataView, at: number, K: Int32Array, W: Int32Array, H: Int32Array): void {
  for (let t = 0; t < 16; t++) W[t] = view.getInt32(at + 4 * t);
  for (let t = 16; t < 64; t++) {
    const w2 = W[t - 2]!;
    const w15 = W[t - 15]!;
    const sigma1 = ((w2 >>> 17) | (w2 << 15)) ^ ((w2 >>> 19) | (w2 << 13)) ^ (w2 >>> 10);
    const sigma0 = ((w15 >>> 7) | (w15 << 25)) ^ ((w15 >>> 18) | (w15 << 14)) ^ (w15 >>> 3);
    W[t] = (sigma1 + W[t - 7]! + sigma0 + W[t - 16]!) | 0;
  }
  let a = H[0]!;
  let b = H[1]!;
  let c = H[2]!;
  let d = H[3]!;
  let e = H[4]!;
  let f = H[5]!;
  let g = H[6]!;
  let h = H[7]!;
  for (let t = 0; t < 64; t++) {
    const Sigma1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const T1 = (h + Sigma1 + (g ^ (e & (f ^ g))) + K[t]! + W[t]!) | 0;
    const Sigma0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const T2 = (Sigma0 + ((a & b) ^ (c & (a ^ b)))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + T1) | 0;
    d = c;
    c = b;
    b = a;
    a = (T1 + T2) | 0;
  }
  H[0]! += a;
  H[1]! += b;
  H[2]! += c;
  H[3]! += d;
  H[4]! += e;
  H[5]! += f;
  H[6]! += g;
  H[7]! += h;
}

/** Returns the SHA-256 of a message, for what starts no kernel. */
export function sha256(message: Uint8Array): Uint8Array<ArrayBuffer> {
  const { length } = message;
  const bytes = new Uint8Array(length + 32);
  bytes.set(message);
  sha256In(bytes).sha256(0, length, length, 32);
  return bytes.slice(length);
}
