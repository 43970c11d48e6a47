import {
  FIRST_RULE,
  HOST_BITS_BYTES,
  RULE_BYTES,
  RULE_FOLDS,
  RULE_LISTS,
  SITES,
  SLOTS,
} from '../../../assembly/layout.ts';
import { afterLast, FULL_STOP } from '../bytes/code-points.ts';
import { multiplied, wordAt, wordsOf } from '../bytes/words.ts';
import { SiteLine } from './site-line.ts';

/**
 * Returns a table of the rules of lines in one buffer, as assembly/pages.ts finds them: by hashes of their names, with
 * open addressing, and among them by paths. After bits for names (assembly/layout.ts) it has slots of two words, a hash
 * and the address of its host, or 0; then each host: the length of its name, that of its rules in bytes, for each rule
 * RULE_BYTES (assembly/layout.ts), and the text of all these.
 *
 * @param lines those of one host one after another, that with the longest path first
 */
export function hostTable(lines: SiteLine[]): Uint8Array {
  let hostCount = 0;
  let hostWords = 0;
  for (let first = 0, end = 0; first < lines.length; first = end, hostCount++) {
    end = endOfHost(lines, first);
    hostWords += 2 + 2 * (end - first) + wordCount(textLength(lines, first, end));
  }
  let slotCount = 1; // a quarter more than hosts: few names without rules get past the bits
  while (4 * slotCount < 5 * hostCount + 4) slotCount *= 2;
  const bytes = new Uint8Array(SLOTS + 8 * slotCount + 4 * hostWords);
  const words = wordsOf(bytes);
  words[HOST_BITS_BYTES / 4] = slotCount - 1;
  let at: i32 = SLOTS / 4 + 2 * slotCount;
  for (let first = 0, end = 0; first < lines.length; first = end) {
    end = endOfHost(lines, first);
    writeHost(words, bytes, at, lines, first, end);
    at += 2 + 2 * (end - first) + wordCount(textLength(lines, first, end));
  }
  return bytes;
}

function endOfHost(lines: SiteLine[], first: i32): i32 {
  let end = first + 1;
  while (end < lines.length && lines[end]!.host === lines[first]!.host) end++;
  return end;
}

function textLength(lines: SiteLine[], first: i32, end: i32): i32 {
  let length = lines[first]!.host.length;
  for (let index = first; index < end; index++) length += lines[index]!.path.length;
  return length;
}

function wordCount(byteLength: i32): i32 {
  return (byteLength + 3) >> 2;
}

/** Writes a host and its rules, from the word `at` on, its slot and its bits. */
function writeHost(words: Int32Array, bytes: Uint8Array, at: i32, lines: SiteLine[], first: i32, end: i32): void {
  const host = lines[first]!.host;
  const textStart = 4 * (at + 2 + 2 * (end - first));
  words[at] = host.length;
  words[at + 1] = (RULE_BYTES as i32) * (end - first);
  let to = writeAscii(bytes, textStart, host);
  for (let index = first, word = at + 2; index < end; index++, word += 2) {
    const line = lines[index]!;
    words[word] = line.path.length;
    words[word + 1] = (FIRST_RULE as i32) + line.rule;
    bytes[4 * word + RULE_FOLDS] = line.settings.folds as u8;
    bytes[4 * word + RULE_LISTS] = line.lists as u8;
    to = writeAscii(bytes, to, line.path);
  }
  setBits(bytes, textStart, textStart + host.length);
  const hash = hashOfHost(bytes, textStart, textStart + host.length);
  const slot = freeSlot(words, hash);
  words[slot] = hash;
  words[slot + 1] = (SITES as i32) + 4 * at;
}

function writeAscii(bytes: Uint8Array, start: i32, text: string): i32 {
  for (let at = 0; at < text.length; at++) bytes[start + at] = text.charCodeAt(at) as u8;
  return start + text.length;
}

/** Sets the bits of a name and of its last two labels; all bits, of a name that has one label. */
function setBits(bytes: Uint8Array, start: i32, end: i32): void {
  const last = afterDot(bytes, start, end) - 1;
  if (last < start) {
    bytes.fill(0xff, 0, HOST_BITS_BYTES);
    return;
  }
  setBit(bytes, hashOfHost(bytes, start, end));
  setBit(bytes, hashOfHost(bytes, afterDot(bytes, start, last), end));
}

function setBit(bytes: Uint8Array, hash: i32): void {
  const bit = hash >>> BIT_SHIFT;
  bytes[bit >> 3] = ((bytes[bit >> 3]! as i32) | (1 << (bit & 7))) as u8;
}

/** Returns the position after the last dot in [start, end), or `start`. */
function afterDot(bytes: Uint8Array, start: i32, end: i32): i32 {
  return afterLast(FULL_STOP, bytes, start, end);
}

/** Returns the first word of the slot for a hash. */
function freeSlot(words: Int32Array, hash: i32): i32 {
  const mask: i32 = words[HOST_BITS_BYTES / 4]!;
  let at = hash ^ (hash >>> 15);
  while (words[SLOTS / 4 + 2 * (at & mask) + 1] !== 0) at++;
  return SLOTS / 4 + 2 * (at & mask);
}

/** The shift of a hash that leaves the number of a bit: 8 * HOST_BITS_BYTES are 2 to the power of 17. */
const BIT_SHIFT: i32 = 15;

/** Hashes the first eight bytes of the name [start, end), its last four and its length, to 32 bits. */
function hashOfHost(bytes: Uint8Array, start: i32, end: i32): i32 {
  const length = end - start;
  const hash =
    multiplied(wordAt(bytes, start, start + 4, end), 0x9e3779b1 | 0) ^
    multiplied(wordAt(bytes, start + 4, start + 8, end), 0x85ebca77 | 0) ^
    multiplied(length < 4 ? 0 : wordAt(bytes, end - 4, end, end), 0xc2b2ae3d | 0) ^
    length;
  return multiplied(hash ^ (hash >>> 15), 0x2c1b3c6d);
}
