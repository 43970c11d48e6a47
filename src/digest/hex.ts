const HEX: readonly string[] = /* @__PURE__ */ Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** What hosts have for this: Uint8Array's own method (ES2026), or that of Node's Buffer. */
interface HostBytes extends Uint8Array {
  toHex?(): string;
}
type HexSlice = (this: Uint8Array, start: number, end: number) => string;
const hexSlice = (globalThis as { Buffer?: { prototype: { hexSlice?: HexSlice } } }).Buffer?.prototype.hexSlice;

/** Two lower-case digits a byte, of bytes [start, end). The host takes 80 ns for 32 bytes, the table 300. */
export function hexOfBytes(bytes: Uint8Array, start: number, end: number): string {
  if (hexSlice !== undefined) return hexSlice.call(bytes, start, end);
  const part: HostBytes = bytes.subarray(start, end);
  return part.toHex === undefined ? hexByTable(part) : part.toHex();
}

/** For hosts that have neither. */
export function hexByTable(bytes: Uint8Array): string {
  let hex = '';
  for (const byte of bytes) hex += HEX[byte]!;
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
