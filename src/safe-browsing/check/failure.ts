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

/** Why a check or an update got no answer, as a value. */
export class CheckFailure {
  readonly cause: UnsureCause;
  /** Such as "the server answered with the status 503". */
  readonly detail: string;

  constructor(cause: UnsureCause, detail: string) {
    this.cause = cause;
    this.detail = detail;
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
