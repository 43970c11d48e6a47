// Rules for sites, as src/core/sites/site-rules.ts has them for hosts of JavaScript.

import { SiteLine, SiteLineReader } from '../../src/core/sites/site-line';
import { SiteTable } from '../../src/core/sites/site-table';
import { HOST_BITS_BYTES, SITES, SITES_BYTES, SLACK_BYTES, SLOTS } from '../layout';
import { sha256 } from '../sha256';
import { Buffer } from './memory';

export class SiteRules extends SiteTable {
  /** The first half of the SHA-256 of the canonical text, in hex. */
  readonly id: string;

  constructor(lines: SiteLine[]) {
    super(lines);
    this.id = idOf(lines);
  }

  /** Puts the table where the kernel reads it, unless it is there; of one that is too long, the bits alone and a 0. */
  load(): void {
    if (loaded === this) return;
    const table = this.hosts, fits = <u32>table.length <= SITES_BYTES;
    memory.copy(SITES, table.dataStart, fits ? table.length : HOST_BITS_BYTES);
    if (!fits) memory.fill(SITES + HOST_BITS_BYTES, 0, SLOTS - HOST_BITS_BYTES);
    loaded = this;
  }
}

/** The rules that the kernel reads. */
let loaded: SiteRules | null = null;

let problem: string = '';

/** Says which line was refused last, and why, in a word. */
export function siteRulesProblem(): string { return problem; }

/** Reads lines of rules; null where one is refused. */
export function siteRulesOf(text: string): SiteRules | null {
  const reader = new SiteLineReader();
  const lines = reader.read(text);
  if (lines !== null) return new SiteRules(lines);
  problem = `line ${reader.lineNumber} of the site rules: ${reader.problem} (${reader.reason})`;
  return null;
}

function idOf(lines: SiteLine[]): string {
  const message = new Buffer();
  for (let index = 0; index < lines.length; ++index) {
    message.appendAscii(lines[index].text);
    message.appendByte(0x0a);
  }
  const digest = new Uint8Array(32 + SLACK_BYTES);
  sha256(message.address, message.length, digest.dataStart, 16);
  message.free();
  let id = '';
  for (let index = 0; index < 16; ++index) id += (<u32>digest[index] + 0x100).toString(16).slice(1);
  return id;
}
