import { concatBytes } from '../../core/bytes/growing-bytes.ts';
import { areSameBytes } from '../../core/bytes/order.ts';
import { textEncoder } from '../../core/bytes/text.ts';
import { HASH_BYTES, sha256 } from '../../specs/safe-browsing/hashes.ts';
import { DAY, LAST_DATE } from './clock.ts';
import { ListError } from './error.ts';
import { HashList } from './hash-list.ts';

/** A list that a server keeps up to date, with its times in milliseconds of the clock. */
export interface HeldList {
  readonly list: HashList;
  /** Which server: another one says nothing of this list, nor when it may be fetched again (`serverIdentity`). */
  readonly server: Uint8Array;
  /** When the server last updated the list, or confirmed that it is up to date. */
  readonly updatedAt: number;
  /** When the server lets it be fetched again. */
  readonly nextUpdateAt: number;
}

/** Two numbers of eight bytes, little-endian: updatedAt and nextUpdateAt. */
const TIMES_BYTES = 16;
/** After the times and the server. */
const LIST_AT = TIMES_BYTES + HASH_BYTES;

/** Returns the SHA-256 of the URL of a server: its path may hold a key, and a store may be anywhere. */
export function serverIdentity(base: string): Uint8Array {
  return sha256(textEncoder().encode(base));
}

/** Returns a list as one piece for the store: the SHA-256 of the rest, the times, the server, the list's file. */
export function storedBytes({ list, server, updatedAt, nextUpdateAt }: HeldList): Uint8Array<ArrayBuffer> {
  const times = new DataView(new ArrayBuffer(TIMES_BYTES));
  times.setFloat64(0, updatedAt, true);
  times.setFloat64(8, nextUpdateAt, true);
  const rest = concatBytes([new Uint8Array(times.buffer), server, list.toBytes()]);
  return concatBytes([sha256(rest), rest]);
}

/** @throws {ListError} where the bytes are damaged */
export function heldList(bytes: Uint8Array): HeldList {
  const rest = bytes.subarray(HASH_BYTES);
  if (rest.length < LIST_AT || !areSameBytes(sha256(rest), bytes.subarray(0, HASH_BYTES)))
    throw new ListError('file', 'checksum', 'the checksum is not that of the bytes');
  const times = new DataView(rest.buffer, rest.byteOffset);
  const updatedAt = dateIn(times.getFloat64(0, true));
  const nextUpdateAt = Math.min(dateIn(times.getFloat64(8, true)), updatedAt + DAY);
  const list = HashList.fromBytes(rest.subarray(LIST_AT));
  return { list, server: rest.slice(TIMES_BYTES, LIST_AT), updatedAt, nextUpdateAt };
}

/** A right checksum does not vouch for the times: anyone can make one. */
function dateIn(milliseconds: number): number {
  if (Math.abs(milliseconds) <= LAST_DATE) return milliseconds;
  throw new ListError('file', 'not-a-list', `one of its times is ${milliseconds}, which is not a date`);
}
