import { digestOfBytes } from '../../digest/digest.ts';
import { openKernel } from '../../kernel/open.ts';
import { HASH_BYTES } from '../hashes.ts';
import { PrefixSetError } from './error.ts';
import { HEAD_BYTES, isAscending, packInto, type SortedPrefixes } from './sorted-prefixes.ts';

// A prefix set as bytes; numbers are little-endian:
//
//    0   8   "urlsumPS"
//    8   4   version, 1
//   12   4   bytes per prefix, 4 to 32
//   16   8   number of prefixes
//   24  32   SHA-256 of the prefixes
//   56   8   zero
//   64       the prefixes, packed, ascending
const MAGIC = 'urlsumPS';
const VERSION = 1;
const VERSION_AT = 8;
const LENGTH_AT = 12;
const COUNT_AT = 16;
const CHECKSUM_AT = 24;
const RESERVED_AT = 56;
const HEADER_BYTES = 64;

export interface EncodedPrefixes {
  readonly length: number;
  /** Packed, ascending, without duplicates. */
  readonly prefixes: Uint8Array;
}

export function encodePrefixes(sorted: SortedPrefixes, length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(HEADER_BYTES + sorted.heads.length * length);
  const prefixes = bytes.subarray(HEADER_BYTES);
  packInto(sorted, length, prefixes);
  const view = new DataView(bytes.buffer);
  bytes.set(Array.from(MAGIC, (character) => character.charCodeAt(0)));
  view.setUint32(VERSION_AT, VERSION, true);
  view.setUint32(LENGTH_AT, length, true);
  view.setBigUint64(COUNT_AT, BigInt(sorted.heads.length), true);
  bytes.set(checksumOf(prefixes), CHECKSUM_AT);
  return bytes;
}

/** @throws {PrefixSetError} where the bytes are not whole and unchanged */
export function decodePrefixes(bytes: Uint8Array): EncodedPrefixes {
  const length = checkedHeader(bytes);
  const prefixes = bytes.subarray(HEADER_BYTES);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const byteLength = view.getBigUint64(COUNT_AT, true) * BigInt(length);
  if (byteLength !== BigInt(prefixes.length)) {
    throw new PrefixSetError(
      'wrong-size',
      `${byteLength} bytes of prefixes are announced, ${prefixes.length} are there`,
    );
  }
  const checksum = checksumOf(prefixes);
  if (checksum.some((byte, index) => byte !== bytes[CHECKSUM_AT + index])) {
    throw new PrefixSetError('wrong-checksum', 'the SHA-256 of the prefixes is not the one in the header');
  }
  if (!isAscending(prefixes, length)) throw new PrefixSetError('not-ascending', 'the prefixes do not ascend');
  return { length, prefixes };
}

/** Bytes per prefix, from a header that can be one. */
function checkedHeader(bytes: Uint8Array): number {
  const isMagic = Array.from(MAGIC).every((character, index) => bytes[index] === character.charCodeAt(0));
  if (!isMagic) throw new PrefixSetError('not-a-prefix-set', 'it does not begin with "urlsumPS"');
  if (bytes.length < HEADER_BYTES) throw new PrefixSetError('wrong-size', `its header is cut at ${bytes.length} bytes`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const version = view.getUint32(VERSION_AT, true);
  if (version !== VERSION) throw new PrefixSetError('unknown-version', `its version is ${version}, not ${VERSION}`);
  if (view.getBigUint64(RESERVED_AT, true) !== 0n)
    throw new PrefixSetError('unknown-version', 'its reserved bytes are not zero');
  const length = view.getUint32(LENGTH_AT, true);
  if (length >= HEAD_BYTES && length <= HASH_BYTES) return length;
  throw new PrefixSetError('not-a-prefix-set', `its prefixes have ${length} bytes, not ${HEAD_BYTES} to ${HASH_BYTES}`);
}

function checksumOf(prefixes: Uint8Array): Uint8Array {
  return digestOfBytes(openKernel(), prefixes, 32);
}
