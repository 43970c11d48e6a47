/**
 * Receives each step of the URL Standard's parser, for `urlsum/explain`: only what neither the input nor the finished
 * record shows. Without a trace, the parser pays for one comparison per step.
 */
export abstract class UrlTrace {
  /** The authority, or a file's host, begins at `start` of what the parser reads. */
  abstract authority(start: i32): void;
  /** A domain that is not only ASCII letters, digits, hyphens and dots, with its escapes decoded. */
  abstract decoded(domain: string): void;
  /** A domain in its ASCII form. */
  abstract ascii(domain: string): void;
  /**
   * A path that is not canonical as it is, without the slash that opens it, resolved against the segments of `base` (''
   * or a slash before each): with its backslashes read as slashes, and then escaped.
   */
  abstract path(base: string, slashed: string, encoded: string): void;
  /** The path ends, and the query or the fragment begins, at `end` of what the parser reads. */
  abstract pathEnd(end: i32): void;
}
