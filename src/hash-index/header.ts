import type { Width } from '../kernel/kernel.ts';
import { isSealed, seal } from './checksum.ts';
import { HashIndexError } from './error.ts';
import {
  DATA_PAGE_COUNT_AT,
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

/** What an index says of itself. */
export interface HashIndexHeader {
  readonly width: Width;
  readonly hashCount: number;
  readonly dataPageCount: number;
  /** Of the canonical form that was hashed. */
  readonly profile: string;
}

export function encodeHeader({ width, hashCount, dataPageCount, profile }: HashIndexHeader): Uint8Array<ArrayBuffer> {
  if (profile.length > PROFILE_LIMIT_BYTES) throw new RangeError(`a profile has at most ${PROFILE_LIMIT_BYTES} bytes`);
  const page = new Uint8Array(PAGE_BYTES);
  const view = new DataView(page.buffer);
  writeAsciiAt(page, 0, MAGIC);
  view.setUint32(VERSION_AT, VERSION, true);
  view.setUint32(WIDTH_AT, width, true);
  view.setBigUint64(HASH_COUNT_AT, BigInt(hashCount), true);
  view.setBigUint64(DATA_PAGE_COUNT_AT, BigInt(dataPageCount), true);
  view.setUint32(PROFILE_LENGTH_AT, profile.length, true);
  writeAsciiAt(page, PROFILE_AT, profile);
  seal(page, 0);
  return page;
}

/** @throws {HashIndexError} where the page is not the header of an index */
export function decodeHeader(page: Uint8Array, source: string): HashIndexHeader {
  if (asciiAt(page, 0, MAGIC.length) !== MAGIC)
    throw new HashIndexError(source, 'not-an-index', 'it is not a hash index');
  if (page.length < PAGE_BYTES)
    throw new HashIndexError(source, 'truncated', `it ends in its header, at ${page.length} bytes`);
  const view = new DataView(page.buffer, page.byteOffset, page.byteLength);
  const version = view.getUint32(VERSION_AT, true);
  if (version !== VERSION)
    throw new HashIndexError(source, 'unknown-version', `its version is ${version}, not ${VERSION}`);
  if (!isSealed(page, 0)) throw new HashIndexError(source, 'wrong-checksum', 'its header is damaged');
  const header = {
    width: view.getUint32(WIDTH_AT, true) as Width,
    hashCount: Number(view.getBigUint64(HASH_COUNT_AT, true)),
    dataPageCount: Number(view.getBigUint64(DATA_PAGE_COUNT_AT, true)),
    profile: asciiAt(page, PROFILE_AT, view.getUint32(PROFILE_LENGTH_AT, true)),
  };
  mustAgree(header, source);
  return header;
}

function mustAgree({ width, hashCount, dataPageCount }: HashIndexHeader, source: string): void {
  const isAgreed = [8, 16, 32].includes(width) && dataPageCount === Math.ceil(hashCount / hashesPerPage(width));
  if (!isAgreed) throw new HashIndexError(source, 'not-an-index', 'the numbers in its header contradict each other');
}

function writeAsciiAt(page: Uint8Array, at: number, text: string): void {
  for (let index = 0; index < text.length; index++) page[at + index] = text.charCodeAt(index);
}

function asciiAt(page: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...page.subarray(at, at + Math.min(length, PROFILE_LIMIT_BYTES)));
}
