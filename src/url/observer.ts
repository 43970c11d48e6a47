/**
 * Observes the parser at work, for `urlsum/explain`. Without one the parser pays for one comparison per
 * part. Only what neither the input nor the finished record shows is reported.
 */
export interface Observer {
  /** The authority, or a file's host, begins at `start` of what the parser reads. */
  authority(start: number): void;
  /** A domain that is not plain ASCII letters, digits, hyphens and dots, its escapes decoded. */
  decoded(domain: string): void;
  /** A domain in its ASCII form. */
  ascii(domain: string): void;
  /**
   * A path that is not canonical as it stands, without the slash that opens it, resolved against the segments of `base`
   * ('' or a slash before each): its backslashes read as slashes, and then escaped.
   */
  path(base: string, slashed: string, encoded: string): void;
  /** The path ends, and the query or the fragment begins, at `end` of what the parser reads. */
  pathEnd(end: number): void;
}
