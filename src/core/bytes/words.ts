// Words of 32 bits, as hashes in WebAssembly and JavaScript compute with them.

/** Multiplies to 32 bits: a product of JavaScript's numbers has only 53. */
export function multiplied(one: i32, other: i32): i32 {
  return ASC_TARGET === 0 ? Math.imul(one, other) : one * other;
}

/** Returns the bytes [start, wordEnd), those before `end`, in little-endian order. */
export function wordAt(bytes: Uint8Array, start: i32, wordEnd: i32, end: i32): i32 {
  let word = 0;
  for (let at = start; at < wordEnd && at < end; at++) word |= (bytes[at]! as i32) << (8 * (at - start));
  return word;
}

/** Returns a view of the same memory. */
export function wordsOf(bytes: Uint8Array): Int32Array {
  return ASC_TARGET === 0 ? new Int32Array(bytes.buffer) : Int32Array.wrap(bytes.buffer);
}
