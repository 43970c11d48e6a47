/**
 * Receives each step that the code of a specification has taken, or what it has found, with what that left, for
 * `urlsum/explain`. `Steps` has a name for each step. Without a trace, the code pays for one comparison per step.
 */
export type Trace<Steps extends { readonly [Step in keyof Steps]: readonly unknown[] }> = <Step extends keyof Steps>(
  step: Step,
  ...left: Steps[Step]
) => void;

/** The steps of the URL Standard's parser: only what neither the input nor the finished record shows. */
export interface UrlSteps {
  /** The authority, or a file's host, begins at `start` of what the parser reads. */
  readonly authority: [start: number];
  /** A domain that is not only ASCII letters, digits, hyphens and dots, with its escapes decoded. */
  readonly decoded: [domain: string];
  /** A domain in its ASCII form. */
  readonly ascii: [domain: string];
  /**
   * A path that is not canonical as it is, without the slash that opens it, resolved against the segments of `base` (''
   * or a slash before each): with its backslashes read as slashes, and then escaped.
   */
  readonly path: [base: string, slashed: string, encoded: string];
  /** The path ends, and the query or the fragment begins, at `end` of what the parser reads. */
  readonly pathEnd: [end: number];
}
