// The constants of SHA-256, computed when the kernel is opened: a table of their 288 bytes would make it 80 bytes
// larger, and 200 bytes when it is embedded compressed.

import { CONSTANTS } from './layout';

/** FIPS 180-4 §5.3.3: the first 32 bits of the fractional parts of the square roots of the first 8 primes. */
export const H0: usize = CONSTANTS;
/** §4.2.2: the same bits of the cube roots of the first 64 primes. */
export const K: usize = CONSTANTS + 32;

for (let prime: u32 = 2, at: usize = 0; at < 256; ++prime) {
  if (!isPrime(prime)) continue;
  if (at < 32) store<u32>(H0 + at, fraction(sqrt<f64>(prime)));
  store<u32>(K + at, fraction(cubeRoot(prime)));
  at += 4;
}

function isPrime(number: u32): bool {
  for (let divisor: u32 = 2; divisor < number; ++divisor) if (number % divisor == 0) return false;
  return true;
}

/** Newton's method, from above: exact to about 50 bits, of which 35 are used. */
function cubeRoot(number: f64): f64 {
  let root: f64 = 7; // the cube root of 311, the last prime, is 6.8
  for (let step = 0; step < 12; ++step) root = (2 * root + number / (root * root)) / 3;
  return root;
}

function fraction(number: f64): u32 { return <u32>((number - floor(number)) * 4294967296); }
