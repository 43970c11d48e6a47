import { ownProperties } from '../../core/argument.ts';
import { bytesOfHex, hexOfBytes } from '../../core/bytes/hex.ts';
import { parseJson } from '../../core/bytes/json.ts';
import { areSameBytes } from '../../core/bytes/order.ts';
import { hasAsciiAt, textEncoder, writeAscii } from '../../core/bytes/text.ts';
import { quote } from '../../core/quote.ts';
import { sha256 } from '../../specs/safe-browsing/hash-prefix.ts';
import type { Profile } from '../../specs/safe-browsing/host.ts';
import { PROFILES } from '../../specs/safe-browsing/settings.ts';
import { checkedGroup, checksumOf, countOf, ListError, type ListReason, type PrefixGroup } from './sorted-prefixes.ts';

// A list, or a set of prefixes, as bytes; numbers are little-endian:
//
//    0   8   "urlsumHL"
//    8   4   version of the format, 1
//   12   4   bytes of the header, H
//   16  32   SHA-256 of the header
//   48   H   the header: JSON, UTF-8
//   48+H     the prefixes of each group, packed, ascending
const MAGIC = 'urlsumHL';
const FORMAT_VERSION = 1;
const VERSION_AT = 8;
const LENGTH_AT = 12;
const CHECKSUM_AT = 16;
const HEADER_AT = 48;

/** Bytes of the checksum in a version that is made from it. */
const VERSION_BYTES = 16;

/** The content of the file. */
export interface StoredList {
  readonly name: string;
  readonly version: Uint8Array;
  readonly profile: Profile;
  readonly suffixList?: string | undefined;
  readonly groups: readonly PrefixGroup[];
  /** SHA-256 of the sorted list. */
  readonly checksum: Uint8Array;
}

/** Makes a version from the checksum, so that lists of equal prefixes have equal versions if none is given. */
export function versionOf(checksum: Uint8Array): Uint8Array {
  return checksum.slice(0, VERSION_BYTES);
}

/** The JSON in the file, with bytes as lower-case hex. */
interface Header {
  readonly name: string;
  readonly version: string;
  readonly profile: Profile;
  /** Left out if the list is for any edition. */
  readonly suffixList?: string | undefined;
  readonly groups: readonly { readonly length: number; readonly count: number }[];
  readonly checksum: string;
}

export function encodeList(list: StoredList): Uint8Array<ArrayBuffer> {
  const { groups } = list;
  const header = textEncoder().encode(JSON.stringify(headerOf(list)));
  const bytes = new Uint8Array(groups.reduce((sum, { prefixes }) => sum + prefixes.length, HEADER_AT + header.length));
  const view = new DataView(bytes.buffer);
  writeAscii(bytes, 0, MAGIC);
  view.setUint32(VERSION_AT, FORMAT_VERSION, true);
  view.setUint32(LENGTH_AT, header.length, true);
  bytes.set(sha256(header), CHECKSUM_AT);
  bytes.set(header, HEADER_AT);
  let at = HEADER_AT + header.length;
  for (const { prefixes } of groups) {
    bytes.set(prefixes, at);
    at += prefixes.length;
  }
  return bytes;
}

/** Sets the keys in the order of the file. */
function headerOf({ name, version, profile, suffixList, groups, checksum }: StoredList): Header {
  return {
    name,
    version: hexOfBytes(version),
    profile,
    suffixList,
    groups: groups.map((group) => ({ length: group.width, count: countOf(group) })),
    checksum: hexOfBytes(checksum),
  };
}

/** Whether a file is such a list, whole or not, and not one of lines. */
export function isListFile(bytes: Uint8Array): boolean {
  return hasAsciiAt(bytes, 0, MAGIC);
}

/** Returns prefixes that are views of the bytes. @throws {ListError} where the bytes are not whole and unchanged */
export function decodeList(bytes: Uint8Array): StoredList {
  const { header, prefixesAt } = checkedHeader(bytes);
  const groups: PrefixGroup[] = [];
  let at = prefixesAt;
  for (const { length: width, count } of header.groups) {
    const end = at + width * count;
    if (end > bytes.length) throw fault('wrong-size', `its prefixes are cut at ${bytes.length - prefixesAt} bytes`);
    groups.push(checkedGroup(bytes.subarray(at, end), width, 'file'));
    at = end;
  }
  if (at !== bytes.length) throw fault('wrong-size', `${bytes.length - at} bytes follow its prefixes`);
  const checksum = checksumOf(groups);
  if (hexOfBytes(checksum) !== header.checksum)
    throw fault('checksum', 'the SHA-256 of its prefixes is not the one in its header');
  return { ...header, version: bytesOfHex(header.version), groups, checksum };
}

function checkedHeader(bytes: Uint8Array): { readonly header: Header; readonly prefixesAt: number } {
  if (!isListFile(bytes)) throw fault('not-a-list', `it does not begin with "${MAGIC}"`);
  if (bytes.length < HEADER_AT) throw fault('wrong-size', `it is cut at ${bytes.length} bytes`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const version = view.getUint32(VERSION_AT, true);
  if (version !== FORMAT_VERSION)
    throw fault('unknown-version', `the version of its format is ${version}, not ${FORMAT_VERSION}`);
  const prefixesAt = HEADER_AT + view.getUint32(LENGTH_AT, true);
  if (prefixesAt > bytes.length) throw fault('wrong-size', `its header is cut at ${bytes.length} bytes`);
  const header = bytes.subarray(HEADER_AT, prefixesAt);
  if (!areSameBytes(sha256(header), bytes.subarray(CHECKSUM_AT, HEADER_AT)))
    throw fault('checksum', 'the SHA-256 of its header is not the one before it');
  return { header: headerIn(header), prefixesAt };
}

/** A right checksum does not vouch for the header: anyone can make one. */
function headerIn(bytes: Uint8Array): Header {
  const header = parsed(bytes);
  if (!isHeader(header)) throw fault('not-a-list', 'its header does not describe a list');
  if (PROFILES.includes(header.profile)) return header;
  throw fault('unknown-version', `its profile is ${quote(header.profile)}, not one of ${PROFILES.join(', ')}`);
}

/** Returns undefined if the bytes are not JSON. */
function parsed(bytes: Uint8Array): unknown {
  try {
    return parseJson(new TextDecoder().decode(bytes));
  } catch {
    return undefined; // a SyntaxError, whose details are of no use
  }
}

function isHeader(value: unknown): value is Header {
  const { name, version, suffixList, groups, checksum } = ownProperties<Partial<Header>>(Object(value));
  return (
    typeof name === 'string' &&
    (suffixList === undefined || typeof suffixList === 'string') &&
    /^(?:[0-9a-f]{2})*$/.test(String(version)) &&
    /^[0-9a-f]{64}$/.test(String(checksum)) &&
    Array.isArray(groups) &&
    groups.every(isGroup) &&
    groups.every(({ length }, at) => at === 0 || length > groups[at - 1]!.length)
  );
}

function isGroup(value: unknown): boolean {
  const { length, count } = Object(value) as Partial<Header['groups'][number]>;
  return Number.isInteger(length) && Number.isSafeInteger(count) && count! >= 0;
}

function fault(reason: ListReason, message: string): ListError {
  return new ListError('file', reason, `not a list: ${message}`);
}
