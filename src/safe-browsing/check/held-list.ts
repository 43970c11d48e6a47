import { concatBytes } from '../../bytes/concat.ts';
import { digestOfBytes } from '../../digest/digest.ts';
import { openKernel } from '../../kernel/open.ts';
import { HASH_BYTES } from '../hashes.ts';
import { ListError } from '../lists/error.ts';
import { HashList } from '../lists/hash-list.ts';
import { DAY } from './clock.ts';

/** A list as it is held, with its times in milliseconds of the clock. */
export interface HeldList {
  readonly list: HashList;
  /** When the server last said that it is up to date, or made it so. */
  readonly updatedAt: number;
  /** From when on the server lets it be fetched again. */
  readonly nextUpdateAt: number;
}

/** Two numbers of eight bytes, little-endian: updatedAt and nextUpdateAt. */
const TIMES_BYTES = 16;
/** Of `Date` (ECMAScript, 21.4.1.1), in milliseconds. */
const LAST_DATE = 8.64e15;

/** What a store keeps of a list, in one piece: the SHA-256 of the rest, the times, the list's file. */
export function storedBytes({ list, updatedAt, nextUpdateAt }: HeldList): Uint8Array<ArrayBuffer> {
  const times = new DataView(new ArrayBuffer(TIMES_BYTES));
  times.setFloat64(0, updatedAt, true);
  times.setFloat64(8, nextUpdateAt, true);
  const rest = concatBytes([new Uint8Array(times.buffer), list.toBytes()]);
  return concatBytes([checksumOf(rest), rest]);
}

/** @throws {ListError} where the bytes are damaged */
export function heldList(bytes: Uint8Array): HeldList {
  const rest = bytes.subarray(HASH_BYTES);
  if (rest.length < TIMES_BYTES || !checksumOf(rest).every((byte, at) => byte === bytes[at]))
    throw new ListError('file', 'checksum', 'the checksum is not that of the bytes');
  const times = new DataView(rest.buffer, rest.byteOffset);
  const updatedAt = dateIn(times.getFloat64(0, true));
  const nextUpdateAt = Math.min(dateIn(times.getFloat64(8, true)), updatedAt + DAY);
  return { list: HashList.fromBytes(rest.subarray(TIMES_BYTES)), updatedAt, nextUpdateAt };
}

/** Its checksum is right, but anyone can make one. */
function dateIn(milliseconds: number): number {
  if (Math.abs(milliseconds) <= LAST_DATE) return milliseconds;
  throw new ListError('file', 'not-a-list', `one of its times is ${milliseconds}, which is not a date`);
}

function checksumOf(bytes: Uint8Array): Uint8Array {
  return digestOfBytes(openKernel(), bytes, HASH_BYTES);
}
