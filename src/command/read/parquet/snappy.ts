/** How far a copy goes back at most, where not all that was unpacked is in memory: writers pack 64 KiB at a time. */
const HISTORY_BYTES = 1 << 16;

/** Bytes of a tag and of the numbers after it. */
const TAG_BYTES = 5;

/** A loop copies fewer bytes than this in less time than it takes to make a view of them. */
const FEW_BYTES = 64;

const NO_BYTES = new Uint8Array(0);

/** Returns the `byteLength` bytes that are packed in `bytes`. @throws where it is damaged */
export function unpackSnappy(bytes: Uint8Array, byteLength: number): Uint8Array {
  const unpacker = new SnappyUnpacker(byteLength);
  for (const _ of unpacker.push(bytes)) throw new Error('Snappy goes on for too long');
  const [unpacked = NO_BYTES] = unpacker.end();
  if (unpacked.length !== byteLength) throw new Error('Snappy ends too early');
  return unpacked;
}

/**
 * Unpacks Snappy, https://github.com/google/snappy/blob/main/format_description.txt. That of hyparquet goes back in its
 * input where a literal's length is damaged, and does not end.
 */
export class SnappyUnpacker {
  /** What was unpacked last, up to `#to`; up to `#from`, it was passed on. */
  readonly #out: Uint8Array;
  #from = 0;
  #to = 0;
  #rest: Uint8Array = NO_BYTES;
  /** What is left of the last literal, or of a copy from `#offset` bytes before. */
  #literalBytes = 0;
  #copyBytes = 0;
  #offset = 0;
  #isBegun = false;
  #isFull = false;

  /** @param roomBytes how many are passed on at a time, but for HISTORY_BYTES of them, or all at once */
  constructor(roomBytes: number) {
    this.#out = new Uint8Array(roomBytes);
  }

  /** Takes packed bytes, and yields unpacked ones, each valid until the next are asked for. */
  push(piece: Uint8Array): Generator<Uint8Array> {
    return this.#unpack(this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]), TAG_BYTES);
  }

  *end(): Generator<Uint8Array> {
    yield* this.#unpack(this.#rest, 1);
    if (this.#literalBytes > 0) throw new Error('a literal of Snappy is too long');
    if (this.#to > this.#from) yield this.#out.subarray(this.#from, this.#to);
  }

  *#unpack(bytes: Uint8Array, least: number): Generator<Uint8Array> {
    let at = 0;
    if (!this.#isBegun && bytes.length >= least) {
      while (bytes[at]! >= 128) at++;
      at++; // the length, which the header of the page says, too
      this.#isBegun = true;
    }
    for (at = this.#fill(bytes, at, least); this.#isFull; at = this.#fill(bytes, at, least)) {
      yield this.#out.subarray(this.#from);
      this.#out.copyWithin(0, this.#out.length - HISTORY_BYTES);
      this.#from = this.#to = HISTORY_BYTES;
    }
    this.#rest = bytes.subarray(at);
  }

  /** Reads tags as long as there are `least` bytes for each, and room. Returns where it has stopped. */
  #fill(bytes: Uint8Array, start: number, least: number): number {
    const out = this.#out; // in locals: fields of the class are read again each time
    let [at, to, literalBytes, copyBytes] = [start, this.#to, this.#literalBytes, this.#copyBytes];
    let offset = this.#offset;
    let isFull = false;
    while (copyBytes > 0 || (literalBytes > 0 ? at < bytes.length : bytes.length - at >= least)) {
      if (literalBytes === 0 && copyBytes === 0) {
        const tag = bytes[at++]!;
        const kind = tag & 3;
        if (kind === 0) {
          literalBytes = (tag >> 2) + 1;
          if (literalBytes > 60) {
            const lengthBytes = literalBytes - 60;
            literalBytes = littleEndian(bytes, at, lengthBytes) + 1;
            at += lengthBytes;
          }
        } else {
          copyBytes = kind === 1 ? ((tag >> 2) & 7) + 4 : (tag >> 2) + 1;
          if (kind === 1) offset = bytes[at]! | ((tag >> 5) << 8);
          else offset = kind === 2 ? bytes[at]! | (bytes[at + 1]! << 8) : littleEndian(bytes, at, 4);
          at += kind === 3 ? 4 : kind;
        }
      }
      isFull = to === out.length;
      if (isFull) break;
      if (copyBytes > 0) {
        if (offset === 0 || offset > to) throw new Error('a copy of Snappy is outside');
        const end = Math.min(to + copyBytes, out.length);
        copyBytes -= end - to;
        for (; to < end; to++) out[to] = out[to - offset]!;
      } else {
        const length = Math.max(0, Math.min(literalBytes, bytes.length - at, out.length - to));
        if (length < FEW_BYTES) for (let index = 0; index < length; index++) out[to + index] = bytes[at + index]!;
        else out.set(bytes.subarray(at, at + length), to);
        at += length;
        to += length;
        literalBytes -= length;
      }
    }
    [this.#to, this.#literalBytes, this.#copyBytes, this.#offset, this.#isFull] = [
      to,
      literalBytes,
      copyBytes,
      offset,
      isFull,
    ];
    return at;
  }
}

/** Bytes after the end are zeros: what needs them is then found to be outside. */
function littleEndian(bytes: Uint8Array, at: number, byteLength: number): number {
  let value = 0;
  for (let index = byteLength - 1; index >= 0; index--) value = value * 256 + (bytes[at + index] ?? 0);
  return value;
}
