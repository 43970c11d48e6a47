// SHA-256 (FIPS 180-4) of bytes that lie in one memory, in the standard's own names, for hosts without WebAssembly and
// for the first hashes of a process. Nothing is allocated per message.

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

/** The state between calls of `update`, as the WebAssembly kernel keeps it in its memory. */
export class Sha256 {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #K: Int32Array;
  readonly #H0: Int32Array;
  readonly #H = new Int32Array(8);
  readonly #W = new Int32Array(64);
  /** The padded end of a message, at most two blocks. */
  readonly #end = new Uint8Array(128);
  readonly #endView = new DataView(this.#end.buffer);

  /** @param bytes the memory that addresses are of */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    constants ??= computedConstants();
    this.#K = constants.K;
    this.#H0 = constants.H0;
  }

  init(): void {
    this.#H.set(this.#H0);
  }

  /** Absorbs whole blocks of 64 bytes. */
  update(message: number, blockCount: number): void {
    for (let block = 0; block < blockCount; block++) this.#compress(this.#view, message + 64 * block);
  }

  /**
   * Pads (§5.1.1) the last `tailLength` < 64 bytes of a message of `byteLength` bytes, and writes the first `width` bytes
   * of the digest.
   */
  final(tail: number, tailLength: number, byteLength: number, digest: number, width: number): void {
    const end = this.#end;
    for (let at = 0; at < tailLength; at++) end[at] = this.#bytes[tail + at]!;
    const endLength = tailLength < 56 ? 64 : 128;
    end.fill(0, tailLength, endLength);
    end[tailLength] = 0x80;
    this.#endView.setUint32(endLength - 8, byteLength / 2 ** 29);
    this.#endView.setUint32(endLength - 4, byteLength << 3);
    for (let at = 0; at < endLength; at += 64) this.#compress(this.#endView, at);
    for (let at = 0; at < width; at += 4) this.#view.setInt32(digest + at, this.#H[at / 4]!);
  }

  /** §6.2.2 */
  #compress(view: DataView, at: number): void {
    const [K, W, H] = [this.#K, this.#W, this.#H];
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
    H[0] = H[0]! + a;
    H[1] = H[1]! + b;
    H[2] = H[2]! + c;
    H[3] = H[3]! + d;
    H[4] = H[4]! + e;
    H[5] = H[5]! + f;
    H[6] = H[6]! + g;
    H[7] = H[7]! + h;
  }
}

/** Returns the SHA-256 of a message, for what starts no kernel. */
export function sha256(message: Uint8Array): Uint8Array<ArrayBuffer> {
  const { length } = message;
  const bytes = new Uint8Array(length + 32);
  bytes.set(message);
  const state = new Sha256(bytes);
  const tailLength = length % 64;
  state.init();
  state.update(0, (length - tailLength) / 64);
  state.final(length - tailLength, tailLength, length, length, 32);
  return bytes.slice(length);
}
