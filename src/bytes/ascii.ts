// Canonical forms are ASCII: a unit of the string is a byte.

/** A loop: of 60 bytes it takes 60 ns, encodeInto and its subarray 110 to 160. */
export function writeAscii(bytes: Uint8Array, address: number, text: string): void {
  for (let at = 0; at < text.length; at++) bytes[address + at] = text.charCodeAt(at);
}

export function asciiBytes(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length);
  writeAscii(bytes, 0, text);
  return bytes;
}

/** In pieces: a call takes some 100,000 arguments, and fewer in some engines. */
export function asciiText(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 4096) text += String.fromCharCode(...bytes.subarray(at, at + 4096));
  return text;
}
