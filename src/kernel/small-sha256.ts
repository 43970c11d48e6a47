/** SHA-256 (FIPS 180-4) in little code, for `urlsum/slim`: 0.6 KB with brotli where @noble/hashes takes 2. */
export const sha256 = {
  create() {
    const H = fractions(8, Math.sqrt);
    const M = new DataView(new ArrayBuffer(64));
    let byteLength = 0;
    return {
      update(bytes: Iterable<number>) {
        for (const byte of bytes) {
          M.setUint8(byteLength++ % 64, byte);
          if (byteLength % 64 === 0) compress(H, M);
        }
        return this;
      },
      digest(): Uint8Array {
        const messageLength = byteLength;
        this.update([0x80]);
        while (byteLength % 64 !== 56) this.update([0]);
        M.setUint32(56, messageLength / 2 ** 29);
        M.setUint32(60, messageLength * 8);
        compress(H, M);
        H.forEach((word, i) => M.setInt32(4 * i, word));
        return new Uint8Array(M.buffer, 0, 32);
      },
    };
  },
};

/** Section 4.2.2: the first 32 bits of the fractional parts of the roots of the first primes, up to 311 < 19 * 19. */
function fractions(count: number, root: (prime: number) => number): number[] {
  const words = [];
  for (let n = 2; words.length < count; n++) {
    if ([2, 3, 5, 7, 11, 13, 17].every((prime) => n === prime || n % prime !== 0))
      words.push(((root(n) % 1) * 2 ** 32) | 0);
  }
  return words;
}

const K = /* @__PURE__ */ fractions(64, Math.cbrt);

// Section 6.2.2
function compress(H: number[], M: DataView): void {
  const W: number[] = [];
  let [a, b, c, d, e, f, g, h] = H as [number, number, number, number, number, number, number, number];
  for (let t = 0; t < 64; t++) {
    W[t] = t < 16 ? M.getInt32(4 * t) : extended(W[t - 2]!, W[t - 7]!, W[t - 15]!, W[t - 16]!);
    const T1 = h + sigma(e, 6, 11, rotr(e, 25)) + ((e & f) ^ (~e & g)) + K[t]! + W[t]!;
    const T2 = sigma(a, 2, 13, rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + T1) | 0, c, b, a, (T1 + T2) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => (H[i] = (H[i]! + word) | 0));
}

function extended(w2: number, w7: number, w15: number, w16: number): number {
  return (sigma(w2, 17, 19, w2 >>> 10) + w7 + sigma(w15, 7, 18, w15 >>> 3) + w16) | 0;
}

// Section 4.1.2: Σ and σ are two rotations and a third one or a shift.
function sigma(x: number, first: number, second: number, third: number): number {
  return rotr(x, first) ^ rotr(x, second) ^ third;
}

function rotr(x: number, count: number): number {
  return (x >>> count) | (x << (32 - count));
}
