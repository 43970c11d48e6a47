import type { Observer } from '../url/observer.ts';

/** What the parser said while it parsed; undefined is what it did not come to. */
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
