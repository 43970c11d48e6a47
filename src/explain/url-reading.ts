import type { Observer } from '../url/observer.ts';

/** What the parser reported; undefined where it did not get there. */
export class UrlReading {
  authorityStart: number | undefined;
  pathEnd: number | undefined;
  decodedDomain: string | undefined;
  asciiDomain: string | undefined;
  /** undefined too where the path is canonical as it stands. */
  path: { readonly base: string; readonly slashed: string; readonly encoded: string } | undefined;

  readonly observer: Observer = {
    authority: (start) => void (this.authorityStart = start),
    decoded: (domain) => void (this.decodedDomain = domain),
    ascii: (domain) => void (this.asciiDomain = domain),
    path: (base, slashed, encoded) => void (this.path = { base, slashed, encoded }),
    pathEnd: (end) => void (this.pathEnd = end),
  };
}
