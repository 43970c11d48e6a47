/** Where requests come from. */
export interface ByteInput {
  /** Reads what is there, at least one byte, to the start of `target`. @returns the number of bytes, 0 at the end */
  read(target: Uint8Array): number;
}

/** Where answers go. */
export interface ByteOutput {
  /** Returns when every byte is taken. */
  write(bytes: Uint8Array): void;
}

/** Fills `target`. @returns the number of bytes read, fewer than `target` has only where the input ends */
export function fill(input: ByteInput, target: Uint8Array): number {
  let filled = 0;
  while (filled < target.length) {
    const byteLength = input.read(target.subarray(filled));
    if (byteLength === 0) break;
    filled += byteLength;
  }
  return filled;
}
