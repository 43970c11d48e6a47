// Rules for pages, as src/core/url/page-rules.ts has them for hosts of JavaScript.

import { decodeUtf8 } from '../../src/core/bytes/code-points';
import { PageForm } from '../../src/core/url/page-form';
import { PageSettings } from '../../src/core/url/page-settings';
import { ParameterRules } from '../../src/core/url/parameters';
import { QueryVariance } from '../../src/core/url/query-variance';
import { LISTED, LISTED_COUNT, PENDING, PENDING_COUNT, SPANS } from '../layout';
import { MEMORY } from './memory';
import { SiteRules } from './site-rules';

export class PageRules extends PageForm {
  private readonly variance: QueryVariance | null;
  private readonly sites: SiteRules | null;

  /** @param fragment what of fragments is excluded: EXCLUDES_NONE, EXCLUDES_ALL or EXCLUDES_BUT_ROUTES */
  constructor(run: PageSettings, fragment: i32, sites: SiteRules | null, variance: QueryVariance | null) {
    super(run, sites === null ? [] : sites.rules, fragment, variance);
    this.sites = sites;
    this.variance = variance;
  }

  protected ruleFor(host: string, path: string): i32 {
    const sites = this.sites;
    if (sites === null) return -1;
    const line = sites.lineFor(host, path);
    return line === null ? -1 : line.rule;
  }

  protected keptQuery(query: string, parameters: ParameterRules): string {
    parameters.hasDropped = false;
    const length = query.length;
    if (length == 0) return query;
    const bytes = new Uint8Array(length);
    for (let at = 0; at < length; ++at) bytes[at] = <u8>query.charCodeAt(at);
    return parameters.affects(bytes, 0, length) ? decodeUtf8(bytes.subarray(0, parameters.write(bytes, 0, length, 0))) : query;
  }

  /** Puts the rules for sites where classifyRows reads them. */
  loadSites(): void {
    const sites = this.sites;
    if (sites !== null) sites.load();
  }

  /** Rewrites the queries of those of the listed messages that the rules change; some are left to the parser. */
  applyToListed(): void {
    const count = load<u32>(LISTED_COUNT);
    for (let listed = LISTED, end = LISTED + (count << 4); listed < end; listed += 16) {
      const row = load<u32>(listed);
      if (this.variance !== null) {
        const pendingCount = load<u32>(PENDING_COUNT);
        store<u32>(PENDING + (pendingCount << 2), row);
        store<u32>(PENDING_COUNT, pendingCount + 1);
        continue;
      }
      const parameters = this.parametersOf(<i32>load<u32>(listed, 4));
      const queryStart: i32 = load<u32>(listed, 8), queryEnd: i32 = load<u32>(listed, 12);
      if (!parameters.affects(MEMORY, queryStart, queryEnd)) continue;
      const keptEnd = parameters.write(MEMORY, queryStart, queryEnd, queryStart);
      const span = SPANS + (row << 3);
      const messageEnd = load<u32>(span) + load<u32>(span, 4);
      memory.copy(keptEnd, queryEnd, messageEnd - queryEnd);
      store<u32>(span, load<u32>(span, 4) - (queryEnd - keptEnd), 4);
    }
  }
}
