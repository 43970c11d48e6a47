import { FIRST_RULE, HOST_BITS_BYTES, RULE_SHIFT, SITES, SLOTS } from '../../../assembly/layout.ts';
import { FULL_STOP } from '../bytes/code-points.ts';
import { writeAscii } from '../bytes/text.ts';

/** Where a rule applies, a host and the beginning of a path, its number, and what it asks `Kernel.classifyRows` for. */
export interface HostRule {
  readonly host: string;
  readonly path: string;
  readonly rule: number;
  readonly asked: number;
}

/**
 * Returns a table of the rules of hosts in one buffer, as assembly/pages.ts finds them: by hashes of their names, with
 * open addressing, and among them by paths. After bits for names (assembly/layout.ts) it has slots of two words, a hash
 * and the address of its host, or 0; then each host: the length of its name, that of its rules in bytes, for each rule
 * the length of its path and its settings, and the text of all these.
 *
 * @param rules those of one host one after another, that with the longest path first
 */
export function hostTable(rules: readonly HostRule[]): Uint8Array<ArrayBuffer> {
  const hosts: HostRule[][] = [];
  for (const [index, rule] of rules.entries()) {
    if (rule.host === rules[index - 1]?.host) hosts.at(-1)!.push(rule);
    else hosts.push([rule]);
  }
  const texts = hosts.map((own) => own[0]!.host + own.map(({ path }) => path).join(''));
  const slotCount = 2 ** Math.ceil(Math.log2(1.25 * hosts.length + 1)); // few names without rules get past the bits
  const hostWords = texts.map((text, index) => 2 + 2 * hosts[index]!.length + Math.ceil(text.length / 4));
  let at = SLOTS / 4 + 2 * slotCount;
  const words = new Uint32Array(hostWords.reduce((sum, count) => sum + count, at));
  const bytes = new Uint8Array(words.buffer);
  words[HOST_BITS_BYTES / 4] = slotCount - 1;
  for (const [index, own] of hosts.entries()) {
    const ruleWords = own.flatMap(({ path, rule, asked }) => [
      path.length,
      ((FIRST_RULE + rule) << RULE_SHIFT) | asked,
    ]);
    const nameLength = own[0]!.host.length;
    words.set([nameLength, 4 * ruleWords.length, ...ruleWords], at);
    const textStart = 4 * (at + 2 + 2 * own.length);
    writeAscii(bytes, textStart, texts[index]!);
    setBits(bytes, textStart, textStart + nameLength);
    const hash = hashOfHost(bytes, textStart, textStart + nameLength);
    words.set([hash, SITES + 4 * at], freeSlot(words, hash));
    at += hostWords[index]!;
  }
  return bytes;
}

/** Sets the bits of a name and of its last two labels; all bits, of a name that has one label. */
function setBits(bytes: Uint8Array, start: number, end: number): void {
  const last = bytes.lastIndexOf(FULL_STOP, end - 1);
  if (last < start) return void bytes.fill(0xff, 0, HOST_BITS_BYTES);
  const before = bytes.lastIndexOf(FULL_STOP, last - 1);
  for (const at of [start, Math.max(start, before + 1)]) {
    const bit = hashOfHost(bytes, at, end) >>> BIT_SHIFT;
    bytes[bit >> 3]! |= 1 << (bit & 7);
  }
}

/** Returns the first word of the slot for a hash. */
function freeSlot(words: Uint32Array, hash: number): number {
  const mask = words[HOST_BITS_BYTES / 4]!;
  for (let at = hash ^ (hash >>> 15); ; at++) {
    const slot = SLOTS / 4 + 2 * (at & mask);
    if (words[slot + 1] === 0) return slot;
  }
}

/** The shift of a hash of 32 bits that leaves the number of a bit. */
const BIT_SHIFT = 32 - Math.log2(8 * HOST_BITS_BYTES);

/** Hashes the first eight bytes of the name [start, end), its last four and its length, to 32 bits. */
function hashOfHost(bytes: Uint8Array, start: number, end: number): number {
  const length = end - start;
  const hash =
    Math.imul(wordAt(bytes, start, Math.min(4, length)), 0x9e3779b1) ^
    Math.imul(wordAt(bytes, start + 4, Math.min(4, length - 4)), 0x85ebca77) ^
    Math.imul(length < 4 ? 0 : wordAt(bytes, end - 4, 4), 0xc2b2ae3d) ^
    length;
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0;
}

/** The bytes of a word in little-endian order, up to `count` of them. */
function wordAt(bytes: Uint8Array, at: number, count: number): number {
  let word = 0;
  for (let index = 0; index < count; index++) word |= bytes[at + index]! << (8 * index);
  return word;
}
