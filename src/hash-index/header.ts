import type { Width } from '../kernel/kernel.ts';
import { isSealed, seal } from './checksum.ts';
import { HashIndexError, type HashIndexReason } from './error.ts';
import {
  DATA_PAGE_COUNT_AT,
  END_MAGIC_AT,
  HASH_COUNT_AT,
  hashesPerPage,
  MAGIC,
  PAGE_BYTES,
  PROFILE_AT,
  PROFILE_LENGTH_AT,
  PROFILE_LIMIT_BYTES,
  VERSION,
  VERSION_AT,
  WIDTH_AT,
} from './layout.ts';

/** What the first page of an index says. */
export interface HashIndexHeader {
  readonly width: Width;
  /** Of the canonical form that was hashed. */
  readonly profile: string;
}

/** What the last page says. */
export interface HashIndexFooter {
  readonly hashCount: number;
  readonly dataPageCount: number;
}

/** @throws {RangeError} where the first page has no room for it */
export function mustFitHeader(profile: string): string {
  if (profile.length <= PROFILE_LIMIT_BYTES) return profile;
  throw new RangeError(`profile must have at most ${PROFILE_LIMIT_BYTES} bytes in an index, got ${profile.length}`);
}

/** `profile` fits: whoever makes an index has seen to it. */
export function encodeHeader({ width, profile }: HashIndexHeader): Uint8Array<ArrayBuffer> {
  const page = new Uint8Array(PAGE_BYTES);
  const view = new DataView(page.buffer);
  writeAsciiAt(page, 0, MAGIC);
  view.setUint32(VERSION_AT, VERSION, true);
  view.setUint32(WIDTH_AT, width, true);
  view.setUint32(PROFILE_LENGTH_AT, profile.length, true);
  writeAsciiAt(page, PROFILE_AT, profile);
  seal(page, 0);
  return page;
}

/** @param number of the page */
export function encodeFooter({ hashCount, dataPageCount }: HashIndexFooter, number: number): Uint8Array<ArrayBuffer> {
  const page = new Uint8Array(PAGE_BYTES);
  const view = new DataView(page.buffer);
  view.setBigUint64(HASH_COUNT_AT, BigInt(hashCount), true);
  view.setBigUint64(DATA_PAGE_COUNT_AT, BigInt(dataPageCount), true);
  writeAsciiAt(page, END_MAGIC_AT, MAGIC);
  seal(page, number);
  return page;
}

/** @throws {HashIndexError} where the bytes are not the first page of an index */
export function decodeHeader(page: Uint8Array, source: string): HashIndexHeader {
  const fail = (reason: HashIndexReason, message: string) => {
    throw new HashIndexError(source, reason, message);
  };
  if (asciiAt(page, 0, MAGIC.length) !== MAGIC) fail('not-an-index', 'it is not a hash index');
  if (page.length < PAGE_BYTES) fail('truncated', `it ends in its first page, at ${page.length} bytes`);
  const view = new DataView(page.buffer, page.byteOffset, page.byteLength);
  const version = view.getUint32(VERSION_AT, true);
  if (version !== VERSION) fail('unknown-version', `its version is ${version}, not ${VERSION}`);
  if (!isSealed(page, 0)) fail('wrong-checksum', 'its header is damaged');
  const width = view.getUint32(WIDTH_AT, true) as Width;
  if (![8, 16, 32].includes(width)) fail('not-an-index', `its hashes have ${width} bytes`);
  return { width, profile: asciiAt(page, PROFILE_AT, view.getUint32(PROFILE_LENGTH_AT, true)) };
}

/**
 * @param number of the page: the last of the file
 * @throws {HashIndexError} where the page is not the last of an index of this width
 */
export function decodeFooter(page: Uint8Array, number: number, source: string, width: Width): HashIndexFooter {
  const isEnd = isSealed(page, number) && asciiAt(page, END_MAGIC_AT, MAGIC.length) === MAGIC;
  if (!isEnd) throw new HashIndexError(source, 'truncated', 'it has no end, or that is damaged');
  const view = new DataView(page.buffer, page.byteOffset, page.byteLength);
  const hashCount = Number(view.getBigUint64(HASH_COUNT_AT, true));
  const dataPageCount = Number(view.getBigUint64(DATA_PAGE_COUNT_AT, true));
  if (dataPageCount === Math.ceil(hashCount / hashesPerPage(width))) return { hashCount, dataPageCount };
  throw new HashIndexError(source, 'not-an-index', 'the numbers in its footer contradict each other');
}

function writeAsciiAt(page: Uint8Array, at: number, text: string): void {
  for (let index = 0; index < text.length; index++) page[at + index] = text.charCodeAt(index);
}

function asciiAt(page: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...page.subarray(at, at + Math.min(length, PROFILE_LIMIT_BYTES)));
}
