import { PageSettings } from '../url/page-settings.ts';
import { hostTable } from './host-table.ts';
import { SiteLine } from './site-line.ts';

/** Lines of site rules, as pages are looked up in them. */
export class SiteTable {
  /** The settings of lines, by the numbers of rules: lines of equal settings have one. */
  readonly rules: PageSettings[];
  /** The table of hosts for the kernel. */
  readonly hosts: Uint8Array;
  /** Lines of one host follow each other, that with the longest path first. */
  private readonly lines: SiteLine[];
  private readonly firstOf: Map<string, i32>;
  private readonly longestHost: i32;

  constructor(given: SiteLine[]) {
    const lines = given.slice(0).sort((one, other) => {
      if (one.host === other.host) return other.path.length - one.path.length;
      return one.host < other.host ? -1 : 1;
    });
    const rules: PageSettings[] = [];
    const numbers = new Map<string, i32>();
    const firstOf = new Map<string, i32>();
    let longestHost = 0;
    for (let at = 0; at < lines.length; at++) {
      const line = lines[at]!;
      const key = line.path.length.toString() + line.text.slice(line.text.indexOf(' '));
      if (!numbers.has(key)) {
        numbers.set(key, rules.length);
        rules.push(line.settings);
      }
      line.rule = numbers.get(key)!;
      if (!firstOf.has(line.host)) firstOf.set(line.host, at);
      if (line.host.length > longestHost) longestHost = line.host.length;
    }
    this.rules = rules;
    this.lines = lines;
    this.firstOf = firstOf;
    this.longestHost = longestHost;
    this.hosts = hostTable(lines);
  }

  /**
   * Returns the line for a page, whose host comes without leading `www` labels: of the lines that fit, that with the
   * longest HOST, then the longest PATH.
   */
  lineFor(host: string, path: string): SiteLine | null {
    let at = 0;
    do {
      const line = host.length - at <= this.longestHost ? this.lineOfHost(host.slice(at), path) : null;
      if (line !== null) return line;
      at = host.indexOf('.', at) + 1;
    } while (at > 0);
    return this.lineOfHost('', path);
  }

  private lineOfHost(host: string, path: string): SiteLine | null {
    if (!this.firstOf.has(host)) return null;
    for (let at: i32 = this.firstOf.get(host)!; at < this.lines.length && this.lines[at]!.host === host; at++)
      if (path.startsWith(this.lines[at]!.path)) return this.lines[at]!;
    return null;
  }
}
