// An index in one file, which is also a segment of an index in a folder (folder.ts): pages of 4096, numbers
// little-endian, hashes in the order of their words.
//
//    first page           header      offset  bytes
//                                          0      8   "urlsumIX"
//                                          8      4   version, 1
//                                         12      4   width: bytes per hash, 8, 16 or 32
//                                         16      4   byte length of the profile
//                                         20      1   1 if some hash came from a host beyond ASCII, or else 0
//                                         21      1   how hashes are encoded in data pages: 0, as they are
//                                         22      1   12 in a segment of an index in a folder, or else 0
//                                         23      1   0
//                                         24          the profile, ASCII, up to 4052 bytes, or 4064 in an index in one file. One
//                                                    form's has up to 4000, and what is left names further versions of Unicode
//                                       4076      4   where offset 22 has 12: the generation that named it first
//                                       4080      8   and the id of that index
//    then                 data        4088 bytes of whole hashes, ascending, without duplicates; the last page may have
//                                     fewer; what is left of a page is zero
//    then                 fences      the first word of each data page, 511 to a page
//    last page            footer           0      8   number of hashes
//                                          8      8   number of data pages
//                                         16      8   "urlsumIX"
//
// Pages are written one after another, so that an index can go to a pipe; a truncated one has no footer.
//
// The last 8 bytes of a page are its checksum: the first 8 of the SHA-256 of its other bytes followed by its number (8
// bytes). So a page that is damaged, or in another's place, is noticed before anything is answered from it.

import { areSameBytes } from '../../core/bytes/order.ts';
import { asciiText, hasAsciiAt, writeAscii } from '../../core/bytes/text.ts';
import { UrlsumError } from '../../core/error.ts';
import { sha256 } from '../../core/kernel/js.ts';
import type { Width } from '../../core/kernel/kernel.ts';
import type { KeyOrigin } from '../../core/url/key-origin.ts';
import { builtinModule } from '../node-module.ts';

export const PAGE_BYTES = 4096;
const CHECKSUM_BYTES = 8;
/** Bytes of a page that its checksum covers, besides the page's number. */
export const CONTENT_BYTES = PAGE_BYTES - CHECKSUM_BYTES;
export const FENCES_PER_PAGE = CONTENT_BYTES / 8;

export const MAGIC = 'urlsumIX';
const VERSION = 1;
const VERSION_AT = 8;
const WIDTH_AT = 12;
const PROFILE_LENGTH_AT = 16;
const HAS_UNICODE_HOSTS_AT = 20;
const ENCODING_AT = 21;
const OWNER_LENGTH_AT = 22;
const PROFILE_AT = 24;
const PROFILE_ROOM_BYTES = CONTENT_BYTES - PROFILE_AT;
const OWNER_BYTES = 12;
const GENERATION_AT = CONTENT_BYTES - OWNER_BYTES;
const ID_AT = GENERATION_AT + 4;
/** The limit for the profile of one form; it leaves room for five versions of Unicode. */
export const PROFILE_LIMIT_BYTES = 4000;

/** Offsets in the footer. */
const HASH_COUNT_AT = 0;
const DATA_PAGE_COUNT_AT = 8;
const END_MAGIC_AT = 16;

/** Returns how many hashes of `width` bytes a data page has: 511, 255 or 127. */
export function hashesPerPage(width: number): number {
  return Math.floor(CONTENT_BYTES / width);
}

/** Writes a page's checksum after its content. */
export function seal(page: Uint8Array, number: number): void {
  page.set(checksumOf(page, number), CONTENT_BYTES);
}

/** Whether a page is what was written as page `number`. Its bytes are as before when this returns. */
export function isSealed(page: Uint8Array, number: number): boolean {
  const found = page.slice(CONTENT_BYTES);
  const expected = checksumOf(page, number);
  page.set(found, CONTENT_BYTES);
  return areSameBytes(expected, found);
}

/** The number takes the place of the checksum, so that a page is 64 blocks of SHA-256 and its padding. */
function checksumOf(page: Uint8Array, number: number): Uint8Array {
  new DataView(page.buffer, page.byteOffset).setBigUint64(CONTENT_BYTES, BigInt(number), true);
  return sha256OfPage(page).subarray(0, CHECKSUM_BYTES);
}

/**
 * Uses the host's SHA-256 if it can: with the processor's instructions a page takes a fifth of the time. Otherwise not
 * the kernel, which takes 20 us for a page: JavaScript takes 28, and would be a third of a bundle with it.
 */
function sha256OfPage(page: Uint8Array): Uint8Array {
  const crypto = builtinModule<typeof import('node:crypto')>('node:crypto'); // here, since nothing runs at import
  return crypto?.createHash('sha256').update(page).digest() ?? sha256(page);
}

/** The index that a segment belongs to. */
export interface SegmentOwner {
  /** 16 hex digits, random: they tell the segments of one index from those of another. */
  readonly id: string;
  /** The generation of the manifest that named it first. */
  readonly generation: number;
}

/** The contents of an index's first page. */
export interface HashIndexHeader extends KeyOrigin {
  readonly width: Width;
  /** Undefined for an index in one file. */
  readonly owner?: SegmentOwner | undefined;
}

/** The contents of the last page. */
export interface HashIndexFooter {
  readonly hashCount: number;
  readonly dataPageCount: number;
}

/** @throws {RangeError} where the first page has no room for it */
export function mustFitHeader(profile: string): string {
  if (profile.length <= PROFILE_LIMIT_BYTES) return profile;
  throw new RangeError(`profile must have at most ${PROFILE_LIMIT_BYTES} bytes in an index, got ${profile.length}`);
}

/** @throws {RangeError} where more versions of Unicode have joined a long profile than the page has room for */
export function encodeHeader({ width, profile, hasUnicodeHosts, owner }: HashIndexHeader): Uint8Array<ArrayBuffer> {
  if (profile.length > PROFILE_ROOM_BYTES - (owner === undefined ? 0 : OWNER_BYTES))
    throw new RangeError(`the first page has no room for ${profile}`);
  const page = new Uint8Array(PAGE_BYTES);
  const view = new DataView(page.buffer);
  writeAscii(page, 0, MAGIC);
  view.setUint32(VERSION_AT, VERSION, true);
  view.setUint32(WIDTH_AT, width, true);
  view.setUint32(PROFILE_LENGTH_AT, profile.length, true);
  view.setUint8(HAS_UNICODE_HOSTS_AT, Number(hasUnicodeHosts));
  writeAscii(page, PROFILE_AT, profile);
  if (owner !== undefined) {
    view.setUint8(OWNER_LENGTH_AT, OWNER_BYTES);
    view.setUint32(GENERATION_AT, owner.generation, true);
    view.setBigUint64(ID_AT, BigInt(`0x${owner.id}`));
  }
  seal(page, 0);
  return page;
}

/** @param number of the page */
export function encodeFooter({ hashCount, dataPageCount }: HashIndexFooter, number: number): Uint8Array<ArrayBuffer> {
  const page = new Uint8Array(PAGE_BYTES);
  const view = new DataView(page.buffer);
  view.setBigUint64(HASH_COUNT_AT, BigInt(hashCount), true);
  view.setBigUint64(DATA_PAGE_COUNT_AT, BigInt(dataPageCount), true);
  writeAscii(page, END_MAGIC_AT, MAGIC);
  seal(page, number);
  return page;
}

/** @throws {HashIndexError} where the bytes are not the first page of an index */
export function decodeHeader(page: Uint8Array, source: string): HashIndexHeader {
  const fail = (reason: HashIndexReason, message: string) => {
    throw new HashIndexError(source, reason, message);
  };
  if (!hasAsciiAt(page, 0, MAGIC)) fail('not-an-index', 'it is not a hash index');
  if (page.length < PAGE_BYTES) fail('truncated', `it ends in its first page, at ${page.length} bytes`);
  const view = new DataView(page.buffer, page.byteOffset, page.byteLength);
  const version = view.getUint32(VERSION_AT, true);
  if (version !== VERSION) fail('unknown-version', `its version is ${version}, not ${VERSION}; ${VERSION_REMEDY}`);
  if (!isSealed(page, 0)) fail('wrong-checksum', 'its header is damaged');
  const width = view.getUint32(WIDTH_AT, true) as Width;
  if (![8, 16, 32].includes(width)) fail('not-an-index', `its hashes have ${width} bytes`);
  const encoding = view.getUint8(ENCODING_AT);
  if (encoding !== 0) fail('unknown-version', `its pages have the encoding ${encoding}, not 0`);
  const profileLength = Math.min(view.getUint32(PROFILE_LENGTH_AT, true), PROFILE_ROOM_BYTES);
  const profile = asciiText(page.subarray(PROFILE_AT, PROFILE_AT + profileLength));
  const ownerBytes = view.getUint8(OWNER_LENGTH_AT);
  if (ownerBytes !== 0 && ownerBytes !== OWNER_BYTES)
    fail('unknown-version', `its owner has ${ownerBytes} bytes, not ${OWNER_BYTES}`);
  const id = view.getBigUint64(ID_AT).toString(16).padStart(16, '0');
  const owner = ownerBytes === 0 ? undefined : { id, generation: view.getUint32(GENERATION_AT, true) };
  return { width, profile, hasUnicodeHosts: view.getUint8(HAS_UNICODE_HOSTS_AT) !== 0, owner };
}

/**
 * @param number of the page: the last of the file
 * @throws {HashIndexError} where the page is not the last of an index of this width
 */
export function decodeFooter(page: Uint8Array, number: number, source: string, width: Width): HashIndexFooter {
  const isEnd = isSealed(page, number) && hasAsciiAt(page, END_MAGIC_AT, MAGIC);
  if (!isEnd) throw new HashIndexError(source, 'truncated', 'it has no end, or that is damaged');
  const view = new DataView(page.buffer, page.byteOffset, page.byteLength);
  const hashCount = Number(view.getBigUint64(HASH_COUNT_AT, true));
  const dataPageCount = Number(view.getBigUint64(DATA_PAGE_COUNT_AT, true));
  if (dataPageCount === Math.ceil(hashCount / hashesPerPage(width))) return { hashCount, dataPageCount };
  throw new HashIndexError(source, 'not-an-index', 'the numbers in its footer contradict each other');
}

// Hashes are compared as their little-endian unsigned 64-bit words, the first word first. Memory has each word as two
// 32-bit halves, low before high, which JavaScript compares without making a BigInt.

/** A hash: its 32-bit units begin at `at`. */
export interface HashAt {
  readonly units: Uint32Array;
  readonly at: number;
}

/** Negative if the hash at `one` of `words` comes before that at `other` of `others`. Both are in 32-bit units. */
export function compareHashes(
  words: Uint32Array,
  one: number,
  others: Uint32Array,
  other: number,
  unitCount: number,
): number {
  for (let unit = 0; unit < unitCount; unit += 2) {
    const high = words[one + unit + 1]! - others[other + unit + 1]!;
    if (high !== 0) return high;
    const low = words[one + unit]! - others[other + unit]!;
    if (low !== 0) return low;
  }
  return 0;
}

/** The remedy for an index of another version of the format. */
export const VERSION_REMEDY = 'urlsum index makes it again from the URLs';

/** The reason why an index cannot be used or made. */
export type HashIndexReason =
  | 'not-an-index'
  | 'unknown-version'
  | 'truncated'
  | 'wrong-checksum'
  | 'not-ascending'
  | 'wrong-segment'
  | 'other-width'
  | 'other-profile'
  | 'unreadable'
  | 'unwritable';

/** An index that cannot be read or written, is damaged, or does not fit the question. */
export class HashIndexError extends UrlsumError<'ERR_INVALID_HASH_INDEX', HashIndexReason, undefined, undefined> {
  /** @internal */
  static override readonly name = 'HashIndexError';
  /** The index: its path, or 'bytes'; 'the column' that does not fit one; the folder of temporary files. */
  declare readonly source: string;

  /** @internal */
  constructor(source: string, reason: HashIndexReason, message: string, cause?: unknown) {
    super('ERR_INVALID_HASH_INDEX', `${source}: ${message}`, { source, reason }, cause);
  }
}
