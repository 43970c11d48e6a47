// SHA-256 as FIPS 180-4 has it, on words that may be terms: what the kernels are compared with.
import { add, and, type Byte, rotr, shr, type Word, wordOfBytes, xor } from './terms.ts';

/** §2.2.2: addition modulo 2^32. */
const sum = (...words: Word[]): Word => words.reduce(add);
const not = (x: Word): Word => xor(x, 0xffffffff);

// §4.1.2
const Ch = (x: Word, y: Word, z: Word): Word => xor(and(x, y), and(not(x), z));
const Maj = (x: Word, y: Word, z: Word): Word => xor(xor(and(x, y), and(x, z)), and(y, z));
const Sigma0 = (x: Word): Word => xor(xor(rotr(x, 2), rotr(x, 13)), rotr(x, 22));
const Sigma1 = (x: Word): Word => xor(xor(rotr(x, 6), rotr(x, 11)), rotr(x, 25));
const sigma0 = (x: Word): Word => xor(xor(rotr(x, 7), rotr(x, 18)), shr(x, 3));
const sigma1 = (x: Word): Word => xor(xor(rotr(x, 17), rotr(x, 19)), shr(x, 10));

function primes(count: number): bigint[] {
  const found: bigint[] = [];
  for (let number = 2n; found.length < count; number++)
    if (found.every((prime) => number % prime !== 0n)) found.push(number);
  return found;
}

/** The first 32 bits of the fractional part of the root of `degree` of a prime: integers alone, so all are right. */
function fractionOfRoot(prime: bigint, degree: bigint): number {
  const scaled = prime << (32n * degree);
  let [low, high] = [0n, prime << 32n];
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (middle ** degree <= scaled) low = middle;
    else high = middle;
  }
  return Number(BigInt.asUintN(32, low));
}

/** §4.2.2 */
export const K: readonly number[] = primes(64).map((prime) => fractionOfRoot(prime, 3n));
/** §5.3.3 */
export const H0: readonly Word[] = primes(8).map((prime) => fractionOfRoot(prime, 2n));

/** §5.1.1: what follows `byteLength` bytes, to a multiple of 64. */
export function padding(byteLength: number): number[] {
  const zeros = new Array<number>((119 - (byteLength % 64)) % 64).fill(0);
  const bitLength = Buffer.alloc(8);
  bitLength.writeBigUInt64BE(8n * BigInt(byteLength));
  return [0x80, ...zeros, ...bitLength];
}

/** §6.2.2: the hash value after a block of 64 bytes. */
export function compressed(H: readonly Word[], block: readonly (number | Byte)[]): Word[] {
  const W: Word[] = [];
  for (let t = 0; t < 64; t++) {
    if (t < 16) W.push(wordOfBytes(block.slice(4 * t, 4 * t + 4).reverse()));
    else W.push(sum(sigma1(W[t - 2]!), W[t - 7]!, sigma0(W[t - 15]!), W[t - 16]!));
  }
  let [a, b, c, d, e, f, g, h] = H as [Word, Word, Word, Word, Word, Word, Word, Word];
  for (let t = 0; t < 64; t++) {
    const T1 = sum(h, Sigma1(e), Ch(e, f, g), K[t]!, W[t]!);
    const T2 = sum(Sigma0(a), Maj(a, b, c));
    [h, g, f, e, d, c, b, a] = [g, f, e, sum(d, T1), c, b, a, sum(T1, T2)];
  }
  return [a, b, c, d, e, f, g, h].map((word, index) => sum(H[index]!, word));
}

/** §6.2.2: the hash value after whole blocks. */
export function absorbed(H: readonly Word[], bytes: readonly (number | Byte)[]): readonly Word[] {
  let value = H;
  for (let at = 0; at < bytes.length; at += 64) value = compressed(value, bytes.slice(at, at + 64));
  return value;
}

/** §6.2: the eight words of the digest of a message. */
export function sha256(message: readonly (number | Byte)[]): readonly Word[] {
  return absorbed(H0, [...message, ...padding(message.length)]);
}
