/** A case that came out otherwise than its file says. */
export interface Disagreement {
  readonly title: string;
  /** The index of the case, from 0. */
  readonly index: number;
  readonly expected: string;
  readonly actual: string;
}
