/** A field in protobuf's wire format (protobuf.dev/programming-guides/encoding), written here without the library. */
export type Wire = readonly [number: number, value: bigint | Uint8Array | string];

export function message(...fields: readonly Wire[]): Buffer {
  return Buffer.concat(
    fields.map(([number, value]) => {
      if (typeof value === 'bigint') return Buffer.concat([varint(BigInt(number << 3)), varint(value)]);
      const bytes = typeof value === 'string' ? Buffer.from(value) : value;
      return Buffer.concat([varint(BigInt((number << 3) | 2)), varint(BigInt(bytes.length)), bytes]);
    }),
  );
}

/** The same field over and over, up to so many bytes: a field that does not fill them is cut. */
export function repeated(field: Wire, byteLength: number): Buffer {
  return Buffer.alloc(byteLength, message(field));
}

export function fixed64(number: number, value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return Buffer.concat([varint(BigInt((number << 3) | 1)), bytes]);
}

function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>= 7n) {
    bytes.push(Number(rest & 0x7fn) | (rest > 0x7fn ? 0x80 : 0));
    if (rest <= 0x7fn) return Buffer.from(bytes);
  }
}
