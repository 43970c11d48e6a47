import { mustBeString } from '../argument.ts';
import { asciiBytes } from '../bytes/ascii.ts';
import { FULL_STOP } from '../bytes/code-points.ts';
import { hexOfBytes } from '../bytes/hex.ts';
import { digestOfString } from '../digest/digest.ts';
import { openKernel } from '../kernel/open.ts';
import type { SiteRule, SiteRuleSet } from '../url/page-rules.ts';
import { type SiteLine, siteLines, textOfSiteLine } from './site-line.ts';

/** Bytes of the SHA-256 that name the rules. */
const ID_BYTES = 16;

/** The lines of one HOST, that with the longest PATH first. */
interface Host {
  readonly name: Uint8Array;
  readonly rules: readonly { readonly path: Uint8Array; readonly rule: SiteRule }[];
}

/**
 * Rules for sites: which parameters of their pages count, and which of their addresses are one page. docs/parameters.md
 * defines them.
 *
 * @example
 * const siteRules = SiteRules.parse('shop.example drop si t; fold index');
 * canonicalize('http://www.shop.example/index.html?t=1', { siteRules }); //=> 'http://www.shop.example/'
 */
export class SiteRules implements SiteRuleSet {
  /** @internal */
  static readonly name = 'SiteRules';
  /** The canonical text: ASCII, one line per address, in the order of their bytes; `parse` makes the same rules of it. */
  readonly text: string;
  /** Names the rules in a profile: 32 hex digits, the first half of the SHA-256 of `text`. */
  readonly id: string;
  /** The number of lines of `text`. */
  readonly size: number;
  /** By the hashes of their names; two may have one. */
  readonly #hosts: ReadonlyMap<number, readonly Host[]>;

  private constructor(lines: readonly SiteLine[]) {
    this.size = lines.length;
    this.text = lines.map((line) => `${textOfSiteLine(line)}\n`).join('');
    this.id = hexOfBytes(digestOfString(openKernel(), this.text, ID_BYTES), 0, ID_BYTES);
    this.#hosts = hostsOf(lines);
  }

  /**
   * Reads rules, one per line: `HOST[/PATH*] ACTION…`, its actions separated by `;`: `keep NAME…`, `drop NAME…`, `sort`,
   * `fold RULE…`. LF or CR LF ends a line; empty lines and those that begin with `#` are skipped.
   *
   * @param text the lines of a file of rules
   * @throws {TypeError} where `text` is not a string
   * @throws {SiteRulesError} on a line that is not a rule, or that contradicts another
   */
  static parse(text: string): SiteRules {
    return new SiteRules(siteLines(mustBeString('text', text)));
  }

  /** @internal Of the lines that match: that with the longest HOST, then the longest PATH. */
  ruleOf(
    bytes: Uint8Array,
    hostStart: number,
    hostEnd: number,
    pathStart: number,
    pathEnd: number,
  ): SiteRule | undefined {
    let rule: SiteRule | undefined;
    let hash = FIRST_HASH;
    for (let at = hostEnd - 1; at >= hostStart; at--) {
      hash = nextHash(hash, bytes[at]!);
      if (at > hostStart && bytes[at - 1] !== FULL_STOP) continue;
      for (const { name, rules } of this.#hosts.get(hash) ?? []) {
        if (name.length !== hostEnd - at || !startsWith(bytes, at, hostEnd, name)) continue;
        rule = rules.find(({ path }) => startsWith(bytes, pathStart, pathEnd, path))?.rule ?? rule;
      }
    }
    return rule;
  }

  /** What a program that looks at an option tells it by: a copy of this package may have made it. */
  get [Symbol.toStringTag](): string {
    return 'SiteRules';
  }
}

function hostsOf(lines: readonly SiteLine[]): ReadonlyMap<number, readonly Host[]> {
  const linesOf = new Map<string, SiteLine[]>();
  for (const line of lines) linesOf.set(line.host, [...(linesOf.get(line.host) ?? []), line]);
  const hosts = new Map<number, Host[]>();
  for (const [host, ofHost] of linesOf) {
    const name = asciiBytes(host);
    const rules = ofHost
      .sort((one, other) => other.path.length - one.path.length)
      .map((line) => ({ path: asciiBytes(line.path), rule: { ...line, pathLength: line.path.length } }));
    const hash = name.reduceRight(nextHash, FIRST_HASH);
    hosts.set(hash, [...(hosts.get(hash) ?? []), { name, rules }]);
  }
  return hosts;
}

// FNV-1a, of 32 bits, from a name's last byte to its first: a look at a host passes each of its parent domains.
const FIRST_HASH = 0x811c9dc5 | 0;

function nextHash(hash: number, byte: number): number {
  return Math.imul(hash ^ byte, 0x01000193);
}

function startsWith(bytes: Uint8Array, start: number, end: number, prefix: Uint8Array): boolean {
  if (prefix.length > end - start) return false;
  for (let index = 0; index < prefix.length; index++) if (bytes[start + index] !== prefix[index]) return false;
  return true;
}
