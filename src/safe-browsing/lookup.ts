import { CanonicalUrl } from './canonical-url.ts';
import { Canonicalizer } from './canonicalizer.ts';
import type { SafeBrowsingFailure } from './failure.ts';
import type { Settings } from './settings.ts';
import { ExpressionSpans } from './spans.ts';

/** What there is to look up for one input after another: in one reading, or in both with each expression once. */
export class Lookup {
  readonly urls = [new CanonicalUrl(), new CanonicalUrl()] as const;
  readonly spans = [new ExpressionSpans(), new ExpressionSpans()] as const;
  /** Readings that gave a canonical URL. */
  count = 0;
  readonly #canonicalizer = new Canonicalizer();

  /** Gives the reason where no reading has a host: that of the first. */
  run(bytes: Uint8Array, start: number, end: number, settings: Settings): SafeBrowsingFailure | undefined {
    this.count = 0;
    const failed = this.#read(bytes, start, end, settings, settings.mode === 'browser' ? 'browser' : 'spec');
    const isWhole = settings.mode !== 'union' || (failed === undefined && this.urls[0].isProven);
    if (isWhole) return failed;
    this.#read(bytes, start, end, settings, 'browser');
    if (this.count === 2) this.spans[1].removeKnown(this.urls[1], this.spans[0], this.urls[0]);
    return this.count === 0 ? failed : undefined;
  }

  #read(
    bytes: Uint8Array,
    start: number,
    end: number,
    settings: Settings,
    mode: 'spec' | 'browser',
  ): SafeBrowsingFailure | undefined {
    const index = this.count === 0 ? 0 : 1;
    const url = this.urls[index];
    const failed = this.#canonicalizer.run(bytes, start, end, { profile: settings.profile, mode }, url);
    if (failed !== undefined) return failed;
    this.spans[index].set(url, settings);
    this.count++;
    return undefined;
  }
}
