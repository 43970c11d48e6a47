/** Why there is no answer for a URL. */
export type UnsureCause =
  | 'no-host'
  | 'list-missing'
  | 'list-stale'
  | 'network'
  | 'time-out'
  | 'status'
  | 'malformed'
  | 'back-off';

/** Why something could not be had, as a value: what a check or an update gives as its reason. */
export class CheckFailure {
  readonly cause: UnsureCause;
  /** Half a sentence: "the server answered 503". */
  readonly detail: string;

  constructor(cause: UnsureCause, detail: string) {
    this.cause = cause;
    this.detail = detail;
  }
}
