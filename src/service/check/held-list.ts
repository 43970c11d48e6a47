import { concatBytes } from '../../core/bytes/growing-bytes.ts';
import { areSameBytes } from '../../core/bytes/order.ts';
import { HASH_BYTES, sha256 } from '../../specs/safe-browsing/hash-prefix.ts';
import { HashList } from '../lists/hash-list.ts';
import { isListFile } from '../lists/list-file.ts';
import { ListError } from '../lists/sorted-prefixes.ts';
import { DAY } from './remote-method.ts';
import { LAST_DATE } from './steady-clock.ts';

/** A list that a server keeps up to date, with its times in milliseconds since 1970. */
export interface HeldList {
  readonly list: HashList;
  /** The server: another one says nothing of this list, nor when it may be fetched again (`serverIdentity`). */
  readonly server: Uint8Array;
  /** When the server last updated the list, or confirmed that it is up to date; undefined where that is not known. */
  readonly updatedAt: number | undefined;
  /** When the server lets it be fetched again. */
  readonly nextUpdateAt: number;
}

/** Two numbers of eight bytes, little-endian: updatedAt and nextUpdateAt. */
const TIMES_BYTES = 16;
/** Stands for a time that is not known: other versions take the list for a very old one. */
const UNKNOWN_TIME = -LAST_DATE;
/** After the times and the server. */
const LIST_AT = TIMES_BYTES + HASH_BYTES;

/** Returns a list as one piece for the store: the SHA-256 of the rest, the times, the server, the list's file. */
export function storedBytes({ list, server, updatedAt, nextUpdateAt }: HeldList): Uint8Array<ArrayBuffer> {
  const times = new DataView(new ArrayBuffer(TIMES_BYTES));
  times.setFloat64(0, updatedAt ?? UNKNOWN_TIME, true);
  times.setFloat64(8, nextUpdateAt, true);
  const rest = concatBytes([new Uint8Array(times.buffer), server, list.toBytes()]);
  return concatBytes([sha256(rest), rest]);
}

/** Whether bytes are a list as one piece: no other file has a list's first bytes there. */
export function isHeldList(bytes: Uint8Array): boolean {
  return isListFile(bytes.subarray(HASH_BYTES + LIST_AT));
}

/** Reads a list that a file holds in either form. @throws {ListError} */
export function listInFile(bytes: Uint8Array): HashList {
  return isHeldList(bytes) ? heldList(bytes).list : HashList.fromBytes(bytes);
}

/** @throws {ListError} where the bytes are damaged */
export function heldList(bytes: Uint8Array): HeldList {
  const rest = bytes.subarray(HASH_BYTES);
  if (rest.length < LIST_AT || !areSameBytes(sha256(rest), bytes.subarray(0, HASH_BYTES)))
    throw new ListError('file', 'checksum', 'the checksum is not that of the bytes');
  const times = new DataView(rest.buffer, rest.byteOffset);
  const storedAt = dateIn(times.getFloat64(0, true));
  const nextUpdateAt = Math.min(dateIn(times.getFloat64(8, true)), storedAt + DAY);
  const list = HashList.fromBytes(rest.subarray(LIST_AT));
  const updatedAt = storedAt === UNKNOWN_TIME ? undefined : storedAt;
  return { list, server: rest.slice(TIMES_BYTES, LIST_AT), updatedAt, nextUpdateAt };
}

/** A right checksum does not vouch for the times: anyone can make one. */
function dateIn(milliseconds: number): number {
  if (Math.abs(milliseconds) <= LAST_DATE) return milliseconds;
  throw new ListError('file', 'not-a-list', `one of its times is ${milliseconds}, which is not a date`);
}
