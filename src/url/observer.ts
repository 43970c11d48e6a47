/**
 * Hears what the parser does while it does it: `urlsum/explain`. Without one the parser pays for one comparison per
 * part. Only what neither the input nor the finished record tells is told.
 */
export interface Observer {
  /** The authority, or a file's host, begins at `start` of what the parser reads. */
  authority(start: number): void;
  /** A domain as its escapes are decoded, and then as its ASCII form. */
  domain(text: string): void;
  /** A path that is not canonical as it stands, without the slash that opens it, in its three states. */
  path(base: string, slashed: string, encoded: string): void;
  /** The path ends, and the query or the fragment begins, at `end` of what the parser reads. */
  pathEnd(end: number): void;
}
