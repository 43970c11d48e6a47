const HEX: readonly string[] = /* @__PURE__ */ Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Two lower-case digits a byte, of bytes [start, end). */
export function hexOfBytes(bytes: Uint8Array, start: number, end: number): string {
  let hex = '';
  for (let at = start; at < end; at++) hex += HEX[bytes[at]!]!;
  return hex;
}

/** @throws {RangeError} where `hex` is not `byteLength` pairs of hex digits, in either case */
export function bytesOfHex(hex: string, byteLength: number): Uint8Array<ArrayBuffer> {
  if (hex.length !== 2 * byteLength || !/^[0-9a-f]*$/i.test(hex)) {
    throw new RangeError(`expected ${2 * byteLength} hex digits, got ${JSON.stringify(hex.slice(0, 100))}`);
  }
  const bytes = new Uint8Array(byteLength);
  for (let at = 0; at < byteLength; at++) bytes[at] = Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16);
  return bytes;
}
