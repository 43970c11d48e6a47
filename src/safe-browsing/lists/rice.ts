import { BitReader, BitWriter } from './bits.ts';
import { ListError } from './error.ts';

/** The bits of a value, and the Rice parameters that its deltas may have (Safe Browsing v5, RiceDeltaEncoded…Bit). */
interface Range {
  readonly bits: number;
  readonly least: number;
  readonly most: number;
}

const RANGES: Readonly<Record<PrefixBytes, Range>> = {
  4: { bits: 32, least: 3, most: 30 },
  8: { bits: 64, least: 35, most: 62 },
  16: { bits: 128, least: 99, most: 126 },
  32: { bits: 256, least: 227, most: 254 },
};

/** Bytes per prefix that the encodings know. */
export type PrefixBytes = 4 | 8 | 16 | 32;

/** Ascending values, each after the first as its distance from the one before, in Rice-Golomb code. */
export interface RiceDeltas {
  readonly firstValue: bigint;
  /** Low bits of a distance that are written as they are. */
  readonly riceParameter: number;
  /** Values after the first. */
  readonly entriesCount: number;
  readonly encodedData: Uint8Array;
}

/**
 * Big-endian values of `prefixBytes` bytes, packed, ascending.
 *
 * @throws {ListError} where the parameter, the count or a value is out of range, or the data end too early; memory is
 * claimed only for as many entries as the data can hold
 */
export function decodeRice(deltas: RiceDeltas, prefixBytes: PrefixBytes): Uint8Array<ArrayBuffer> {
  const packed = new Uint8Array(prefixBytes * (1 + checkedCount(deltas, prefixBytes)));
  return prefixBytes === 4 ? decodeNumbers(deltas, packed) : decodeBigInts(deltas, prefixBytes, packed);
}

/** The same for indices of 32 bits: the entries to remove from a list. @throws {ListError} */
export function decodeIndices(deltas: RiceDeltas): Uint32Array<ArrayBuffer> {
  const packed = decodeRice(deltas, 4);
  const view = new DataView(packed.buffer);
  return Uint32Array.from({ length: packed.length / 4 }, (_, index) => view.getUint32(4 * index));
}

/** Deltas of at least one value; `packed` ascends strictly. The parameter is the one that fits evenly spread values. */
export function encodeRice(packed: Uint8Array, prefixBytes: PrefixBytes): RiceDeltas {
  const { bits } = RANGES[prefixBytes];
  const count = packed.length / prefixBytes;
  const firstValue = bigEndianAt(packed, 0, prefixBytes);
  if (count === 1) return { firstValue, riceParameter: 0, entriesCount: 0, encodedData: new Uint8Array(0) };
  const spread = bigEndianAt(packed, packed.length - prefixBytes, prefixBytes) - firstValue;
  const riceParameter = fittingParameter(spread / BigInt(count - 1), prefixBytes);
  const writer = new BitWriter();
  let value = firstValue;
  for (let at = prefixBytes; at < packed.length; at += prefixBytes) {
    const next = bigEndianAt(packed, at, prefixBytes);
    writer.unary(Number((next - value) >> BigInt(riceParameter)));
    writer.bigBits((next - value) & ((1n << BigInt(riceParameter)) - 1n), Math.min(riceParameter, bits));
    value = next;
  }
  return { firstValue, riceParameter, entriesCount: count - 1, encodedData: writer.take() };
}

/** Of values that lie `mean` apart on average: its logarithm, since about half of the distances are then shorter. */
function fittingParameter(mean: bigint, prefixBytes: PrefixBytes): number {
  const { least, most } = RANGES[prefixBytes];
  return Math.max(least, Math.min(most, mean.toString(2).length - 1));
}

function checkedCount({ entriesCount, riceParameter, encodedData }: RiceDeltas, prefixBytes: PrefixBytes): number {
  const { least, most } = RANGES[prefixBytes];
  if (entriesCount < 0) throw new ListError('rice-count', `the number of deltas is ${entriesCount}`);
  if (entriesCount === 0) return 0;
  if (riceParameter < least || riceParameter > most) {
    throw new ListError('rice-parameter', `the Rice parameter is ${riceParameter}, not ${least} to ${most}`);
  }
  const mostCount = Math.floor((8 * encodedData.length) / (riceParameter + 1));
  if (entriesCount <= mostCount) return entriesCount;
  throw new ListError(
    'rice-truncated',
    `${encodedData.length} bytes hold at most ${mostCount} deltas, not ${entriesCount}`,
  );
}

function decodeNumbers(deltas: RiceDeltas, packed: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const { riceParameter, entriesCount } = deltas;
  const reader = new BitReader(deltas.encodedData);
  const view = new DataView(packed.buffer);
  const mostOnes = Math.floor((2 ** 32 - 1) / 2 ** riceParameter);
  let value = Number(deltas.firstValue);
  for (let index = 0; ; index++) {
    if (value >= 2 ** 32) throw overflow(index, 32);
    view.setUint32(4 * index, value);
    if (index === entriesCount) return packed;
    const quotient = reader.unary(mostOnes);
    value += quotient * 2 ** riceParameter + reader.bits(riceParameter);
    if (reader.isPastEnd) throw truncated(index);
  }
}

function decodeBigInts(deltas: RiceDeltas, prefixBytes: PrefixBytes, packed: Uint8Array<ArrayBuffer>) {
  const { riceParameter, entriesCount } = deltas;
  const { bits } = RANGES[prefixBytes];
  const reader = new BitReader(deltas.encodedData);
  const mostOnes = 2 ** (bits - riceParameter) - 1;
  let value = deltas.firstValue;
  for (let index = 0; ; index++) {
    if (value >> BigInt(bits) !== 0n) throw overflow(index, bits);
    writeBigEndian(packed, prefixBytes * index, value, prefixBytes);
    if (index === entriesCount) return packed;
    const quotient = reader.unary(mostOnes);
    value += (BigInt(quotient) << BigInt(riceParameter)) + reader.bigBits(riceParameter);
    if (reader.isPastEnd) throw truncated(index);
  }
}

function overflow(index: number, bits: number): ListError {
  return new ListError('rice-overflow', `value ${index} has more than ${bits} bits`);
}

function truncated(index: number): ListError {
  return new ListError('rice-truncated', `the data end in delta ${index}`);
}

function bigEndianAt(packed: Uint8Array, at: number, byteLength: number): bigint {
  let value = 0n;
  for (let byte = 0; byte < byteLength; byte++) value = (value << 8n) | BigInt(packed[at + byte]!);
  return value;
}

function writeBigEndian(packed: Uint8Array, at: number, value: bigint, byteLength: number): void {
  for (let byte = byteLength - 1, rest = value; byte >= 0; byte--, rest >>= 8n)
    packed[at + byte] = Number(rest & 0xffn);
}
