import type { UrlInput } from '../../specs/safe-browsing/url-bytes.ts';
import { LockedError } from '../../store/lock.ts';
import type { FullHashDetail } from '../lists/messages/search-responses.ts';
import { ListError } from '../lists/sorted-prefixes.ts';
import type { ThreatType } from '../lists/threats.ts';

/** `unsure` where there is no answer. */
export type Verdict = 'safe' | 'unsafe' | 'unsure';

/**
 * The evidence that decided: the local lists, an earlier answer of the server that still holds, or the server now; or
 * why nothing could decide.
 */
export type AnswerReason = 'list' | 'cache' | 'server' | `unsure: ${UnsureCause}`;

/** The answer of a check for one URL, and why. */
export interface Answer {
  /** The URL that was given: a `URL` as its href, bytes as a copy. */
  readonly url: UrlInput;
  /** Whether the URL is listed. */
  readonly verdict: Verdict;
  /** The evidence for the verdict, or why there is none. */
  readonly reason: AnswerReason;
  /** True for `safe`, false for `unsafe`; for `unsure` as the option `whenUnsure` says. */
  readonly isAllowed: boolean;
  /** The threats of each listed expression, the most exact one first: at least one if the URL is unsafe. */
  readonly threats: readonly Threat[];
  /** The first expression of the URL that is listed; undefined unless the URL is unsafe. */
  readonly expression: string | undefined;
  /**
   * The lists that are held here and have a prefix of the URL, and that were looked at: the verdict may still be `safe`,
   * by the server, or `unsure`, where it could not be asked.
   */
  readonly matched: readonly string[];
  /**
   * The fault, in words; undefined without one. Also set where the lists answered because the server could not, and
   * where a URL is unsafe by one expression and nothing could say whether others are listed too.
   */
  readonly detail: string | undefined;
  /**
   * The time until which this holds, in milliseconds of the clock: until the first of the server's answers that were
   * consulted expires or, where the lists were, until their next update. That of an `unsure` answer is the time at
   * which it was given.
   */
  readonly expiresAt: number;
}

/** A threat for which a URL is listed. */
export interface Threat {
  /**
   * The name of the threat in Safe Browsing v5; `UNKNOWN` where the server lists the expression and does not say why.
   */
  readonly type: ThreatType;
  /** Counts only where the URL is loaded in a frame. */
  readonly isFrameOnly: boolean;
  /** The expression of the URL that is listed for it. */
  readonly expression: string;
  /** The time until which the answer holds that lists it, in milliseconds of the clock. */
  readonly expiresAt: number;
}

/** A threat for which a hash is listed, whatever its expression. */
export type HashThreat = Pick<Threat, 'type' | 'isFrameOnly'>;

/**
 * Returns the threat of a detail, or undefined if a client must not act on it: a detail with an unknown value is
 * disregarded whole, and so is a canary, which is not for enforcement (ThreatAttribute of the v5 messages).
 */
export function threatOf({ threatType, attributes }: FullHashDetail): HashThreat | undefined {
  if (threatType === 'UNKNOWN' || attributes.some((attribute) => attribute !== 'FRAME_ONLY')) return undefined;
  return { type: threatType, isFrameOnly: attributes.length > 0 };
}

/** The lists of a checker, and its answers since it was made. */
export interface CheckerStatus {
  /** Each list that it holds or is to hold, the Global Cache last. */
  readonly lists: readonly {
    /** The name of the list. */
    readonly name: string;
    /** The number of prefixes that the list has. */
    readonly size: number;
    /** The version in hex; empty for a list that was never fetched. */
    readonly version: string;
    /**
     * When the server last updated or confirmed it, in milliseconds since 1970; undefined if it never did, and where that
     * is not known, since that time was ahead of the clock, or the clock was set back after it.
     */
    readonly updatedAt: number | undefined;
    /** Milliseconds since then. */
    readonly ageMs: number | undefined;
    /** Whether it may say that a URL is safe (`maxListAgeMs`). */
    readonly isFresh: boolean;
    /** The reason why the store does not hold this list as it is here: a damaged file, a full disk. */
    readonly trouble: string | undefined;
  }[];
  /** The number of answers that it gave, by verdict. */
  readonly verdicts: Readonly<Record<Verdict, number>>;
  /** The number of answers that had each reason; a reason that did not occur is left out. */
  readonly answers: Readonly<Partial<Record<AnswerReason, number>>>;
  /** The number of hash prefixes that it sent to the server. */
  readonly prefixesSent: number;
  /** When the next update has something to do, in milliseconds since 1970; Infinity without lists. */
  readonly nextUpdateAt: number;
}

/** A list of a checker. */
export type ListStatus = CheckerStatus['lists'][number];

/** The reason why there is no answer for a URL. */
export type UnsureCause =
  | 'no-host'
  | 'list-missing'
  | 'list-stale'
  | 'network'
  | 'time-out'
  | 'status'
  | 'malformed'
  | 'back-off';

/** The reason why a check or an update got no answer, as a value. */
export class CheckFailure {
  readonly cause: UnsureCause;
  /** The failure in words: "the server answered with the status 503". */
  readonly detail: string;
  /** The HTTP status code, of the cause `status`. */
  readonly status: number | undefined;

  constructor(cause: UnsureCause, detail: string, status?: number) {
    this.cause = cause;
    this.detail = detail;
    this.status = status;
  }
}

/** Codes of Node and its `fetch` (ECONNREFUSED, UND_ERR_SOCKET, CERT_HAS_EXPIRED): no key is of capitals alone. */
const CODE = /^[A-Z][A-Z_]{2,50}$/;
/** Names of classes of errors. */
const NAME = /^[A-Z][A-Za-z]{0,40}(?:Error|Exception)$/;
/** The words of Deno's `fetch`, which gives no codes, after the URL. */
const DENO = /client error \(\w+\): (.*)/i;
const DENO_KIND = /refused|dns error|connection closed|reset|certificate/i;
const DENO_KINDS: Readonly<Record<string, string>> = {
  refused: 'ECONNREFUSED',
  'dns error': 'ENOTFOUND',
  'connection closed': 'ECONNRESET',
  reset: 'ECONNRESET',
  certificate: 'an invalid certificate',
};

/**
 * Says what kind of error a host, a `fetch` or a store failed with, by its code or its class. Never its message: that of
 * Deno's `fetch` has the server's URL, others have headers, and both may hold a key. Only our own say what is wrong.
 */
export function kindOfError(error: unknown): string {
  if (error instanceof ListError || error instanceof LockedError) return error.message;
  try {
    return kindByMembers(error);
  } catch {
    return 'an error'; // a getter of it throws: what it throws may hold a key, too
  }
}

function kindByMembers(error: unknown): string {
  const { cause, code, name } = Object(error) as { cause?: unknown; code?: unknown; name?: unknown };
  const { code: causeCode, message } = Object(cause) as { code?: unknown; message?: unknown };
  for (const each of [causeCode, code]) if (typeof each === 'string' && CODE.test(each)) return each;
  const said = typeof message === 'string' ? DENO.exec(message)?.[1] : undefined;
  const phrase = said === undefined ? null : DENO_KIND.exec(said);
  if (phrase !== null) return DENO_KINDS[phrase[0].toLowerCase()]!;
  return typeof name === 'string' && NAME.test(name) ? name : 'an error';
}
