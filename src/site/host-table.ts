import { FIRST_RULE, HOST_BITS_BYTES, RULE_SHIFT, SITES, SLOTS } from '../../assembly/layout.ts';
import { writeAscii } from '../bytes/ascii.ts';
import { FULL_STOP } from '../bytes/code-points.ts';

/** Where a rule applies, a host and the beginning of a path, and what it asks `Kernel.classifyRows` for. */
interface Rule {
  readonly host: string;
  readonly path: string;
  readonly asked: number;
}

/**
 * Finds the rules of hosts by hashes of their names, and among them by paths: by open addressing in one buffer, which
 * assembly/pages.ts reads, too. After bits for names (assembly/layout.ts) it has slots of two words, a hash and the
 * address of its host, or 0; then each host: the length of its name, that of its rules in bytes, for each rule
 * the length of its path and its settings, and the text of all these.
 */
export class HostTable {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly #words: Uint32Array<ArrayBuffer>;
  readonly #mask: number;

  /** @param rules by their numbers; those of one host one after another, that with the longest path first */
  constructor(rules: readonly Rule[]) {
    const hosts: Rule[][] = [];
    for (const [number, rule] of rules.entries()) {
      if (rule.host === rules[number - 1]?.host) hosts.at(-1)!.push(rule);
      else hosts.push([rule]);
    }
    const texts = hosts.map((own) => own[0]!.host + own.map(({ path }) => path).join(''));
    const slotCount = 2 ** Math.ceil(Math.log2(1.25 * hosts.length + 1)); // few names without rules get past the bits
    const hostWords = texts.map((text, index) => 2 + 2 * hosts[index]!.length + Math.ceil(text.length / 4));
    let at = SLOTS / 4 + 2 * slotCount;
    this.#mask = slotCount - 1;
    this.#words = new Uint32Array(hostWords.reduce((sum, count) => sum + count, at));
    this.bytes = new Uint8Array(this.#words.buffer);
    this.#words[HOST_BITS_BYTES / 4] = this.#mask;
    let number = FIRST_RULE;
    for (const [index, own] of hosts.entries()) {
      const ruleWords = own.flatMap(({ path, asked }) => [path.length, (number++ << RULE_SHIFT) | asked]);
      const nameLength = own[0]!.host.length;
      this.#words.set([nameLength, 4 * ruleWords.length, ...ruleWords], at);
      const textStart = 4 * (at + 2 + 2 * own.length);
      writeAscii(this.bytes, textStart, texts[index]!);
      this.#setBits(textStart, textStart + nameLength);
      this.#takeSlot(textStart, textStart + nameLength, 4 * at);
      at += hostWords[index]!;
    }
  }

  /**
   * Returns the number of the rule for a page: of those that fit, that with the longest host, then the longest path; -1
   * if there is none.
   */
  ruleOf(bytes: Uint8Array, hostStart: number, hostEnd: number, pathStart: number, pathEnd: number): number {
    for (let at = hostStart; at < hostEnd; at++) {
      if (at > hostStart && bytes[at - 1] !== FULL_STOP) continue;
      const host = this.#hostOf(bytes, at, hostEnd);
      if (host === 0) continue;
      const rule = this.#ruleIn(host, bytes, pathStart, pathEnd);
      if (rule !== -1) return rule;
    }
    return -1;
  }

  /** Returns the first word of a host, or 0. */
  #hostOf(bytes: Uint8Array, start: number, end: number): number {
    const words = this.#words;
    const hash = hashOfHost(bytes, start, end) >>> 0;
    for (let at = firstOf(hash); ; at++) {
      const slot = this.#slotAt(at);
      const address = words[slot + 1]!;
      if (address === 0) return 0;
      const host = (address - SITES) / 4;
      if (words[slot] === hash && words[host] === end - start && this.#isText(bytes, start, end, this.#textOf(host)))
        return host;
    }
  }

  #ruleIn(host: number, bytes: Uint8Array, pathStart: number, pathEnd: number): number {
    const words = this.#words;
    let text = this.#textOf(host) + words[host]!;
    for (let rule = host + 2; rule < host + 2 + words[host + 1]! / 4; rule += 2) {
      const prefixEnd = pathStart + words[rule]!;
      if (prefixEnd <= pathEnd && this.#isText(bytes, pathStart, prefixEnd, text))
        return (words[rule + 1]! >>> RULE_SHIFT) - FIRST_RULE;
      text += words[rule]!;
    }
    return -1;
  }

  /** Returns where the text of a host begins. */
  #textOf(host: number): number {
    return 4 * (host + 2) + this.#words[host + 1]!;
  }

  /** Whether the bytes [start, end) are those of the table from `text` on. */
  #isText(bytes: Uint8Array, start: number, end: number, text: number): boolean {
    const own = this.bytes;
    for (let index = 0; index < end - start; index++) if (bytes[start + index] !== own[text + index]) return false;
    return true;
  }

  #takeSlot(nameStart: number, nameEnd: number, host: number): void {
    const hash = hashOfHost(this.bytes, nameStart, nameEnd) >>> 0;
    let at = firstOf(hash);
    while (this.#words[this.#slotAt(at) + 1] !== 0) at++;
    this.#words.set([hash, SITES + host], this.#slotAt(at));
  }

  /** Sets the bits of a name and of its last two labels; all bits, of a name that has one label. */
  #setBits(start: number, end: number): void {
    const last = this.bytes.lastIndexOf(FULL_STOP, end - 1);
    if (last < start) return void this.bytes.fill(0xff, 0, HOST_BITS_BYTES);
    const before = this.bytes.lastIndexOf(FULL_STOP, last - 1);
    for (const at of [start, Math.max(start, before + 1)]) {
      const bit = hashOfHost(this.bytes, at, end) >>> BIT_SHIFT;
      this.bytes[bit >> 3]! |= 1 << (bit & 7);
    }
  }

  #slotAt(at: number): number {
    return SLOTS / 4 + 2 * (at & this.#mask);
  }
}

/** What is left of 32 bits is the number of a bit. */
const BIT_SHIFT = 32 - Math.log2(8 * HOST_BITS_BYTES);

function firstOf(hash: number): number {
  return hash ^ (hash >>> 15);
}

/** Hashes the first eight bytes of the name [start, end), its last four and its length, to 32 bits. */
function hashOfHost(bytes: Uint8Array, start: number, end: number): number {
  const length = end - start;
  const hash =
    Math.imul(wordAt(bytes, start, Math.min(4, length)), 0x9e3779b1) ^
    Math.imul(wordAt(bytes, start + 4, Math.min(4, length - 4)), 0x85ebca77) ^
    Math.imul(length < 4 ? 0 : wordAt(bytes, end - 4, 4), 0xc2b2ae3d) ^
    length;
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
}

/** The bytes of a word in little-endian order, up to `count` of them. */
function wordAt(bytes: Uint8Array, at: number, count: number): number {
  let word = 0;
  for (let index = 0; index < count; index++) word |= bytes[at + index]! << (8 * index);
  return word;
}
