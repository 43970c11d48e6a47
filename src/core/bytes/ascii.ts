// Canonical forms are ASCII: each unit of the string is a byte.

/** Copies in a loop: 60 bytes take 60 ns, by encodeInto and its subarray 110 to 160. */
export function writeAscii(bytes: Uint8Array, address: number, text: string): void {
  for (let at = 0; at < text.length; at++) bytes[address + at] = text.charCodeAt(at);
}

export function asciiBytes(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length);
  writeAscii(bytes, 0, text);
  return bytes;
}

export function hasAsciiAt(bytes: Uint8Array, address: number, text: string): boolean {
  for (let at = 0; at < text.length; at++) if (bytes[address + at] !== text.charCodeAt(at)) return false;
  return true;
}

/**
 * Decodes in pieces: a call takes about 100,000 arguments, and fewer in some engines. With spread in place of `apply`,
 * it took five times as long.
 */
export function asciiText(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 4096)
    text += String.fromCharCode.apply(null, bytes.subarray(at, at + 4096) as unknown as number[]);
  return text;
}
