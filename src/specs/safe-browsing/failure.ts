import { isBytes } from '../../core/argument.ts';
import { UrlsumError } from '../../core/error.ts';
import { quote } from '../../core/quote.ts';
import { Failure, type Trace as TraceOf, type UrlReason } from '../../core/url/failure.ts';
import type { EntryReason, Refusal } from './block-list.ts';
import type { UrlInput } from './url-bytes.ts';

/**
 * The reason why an input has nothing to look up, or is not a list entry: our reasons, and in browser mode the URL
 * Standard's.
 */
export type SafeBrowsingReason =
  | 'scheme-without-authority'
  | 'scheme-unusable'
  | 'host-missing'
  | 'host-unclosed'
  | DoubtReason
  | EntryReason
  | UrlReason;

/** The reason why a text may hide a URL that nothing looks up. */
export type DoubtReason =
  | 'space-in-line'
  | 'tab-in-line'
  | 'line-end-in-line'
  | 'quotation-mark'
  | 'text-before-scheme'
  | 'bracket-in-host'
  | 'neither-url-nor-host';

type OwnReason = 'scheme-without-authority' | 'scheme-unusable' | 'host-missing' | 'host-unclosed' | DoubtReason;

type PlaceAndSentence = readonly [place: 'input' | 'scheme' | 'host', sentence: string];

const DOUBTS: Readonly<Record<DoubtReason, PlaceAndSentence>> = {
  'space-in-line': ['input', 'it is more than a URL: it has a space'],
  'tab-in-line': ['input', 'it is more than a URL: it has a tab'],
  'line-end-in-line': ['input', 'it is more than a URL: it has a line end or NUL'],
  'quotation-mark': ['input', 'it is more than a URL: it ends in a quotation mark'],
  'text-before-scheme': ['input', 'there is text before its scheme'],
  'bracket-in-host': ['host', 'its host is in brackets, as [.] for a dot'],
  'neither-url-nor-host': ['host', 'it is not an absolute URL and does not begin with a host'],
};

const FAILURES: Readonly<Record<OwnReason, PlaceAndSentence>> = {
  ...DOUBTS,
  'scheme-without-authority': ['scheme', 'its scheme is not followed by // and a host'],
  'scheme-unusable': ['scheme', 'no browser visits a host under its scheme'],
  'host-missing': ['host', 'the host is empty'],
  'host-unclosed': ['host', 'the host begins with a bracket that is never closed'],
};

type OwnFailure = Failure<OwnReason, 'input' | 'scheme' | 'host'>;

export type SafeBrowsingFailure = OwnFailure | Failure;

const failures: Partial<Record<OwnReason, OwnFailure>> = {};

/** Returns the one Failure of this reason: a corpus of bad lines allocates nothing per line. */
export function failure(reason: OwnReason): OwnFailure {
  return (failures[reason] ??= new Failure(reason, ...FAILURES[reason]));
}

/**
 * The input has no host to look up, or no URL has the entry that it would be. `reason` says why, `place` in which part,
 * `input` is as it was given.
 */
export class SafeBrowsingUrlError extends UrlsumError<
  'ERR_INVALID_SAFE_BROWSING_URL',
  SafeBrowsingReason,
  UrlInput,
  'input' | 'scheme' | 'host' | 'port'
> {
  /** @internal */
  static override readonly name = 'SafeBrowsingUrlError';

  /** @internal */
  constructor(input: UrlInput, failure: SafeBrowsingFailure | Refusal) {
    const { reason, place, sentence } = failure;
    super('ERR_INVALID_SAFE_BROWSING_URL', `${subjectOf(failure)}: ${quote(textOf(input))}: ${sentence} (${reason})`, {
      input,
      reason,
      place,
    });
  }
}

function subjectOf(failure: SafeBrowsingFailure | Refusal): string {
  if (!(failure instanceof Failure)) return 'not listed';
  return Object.hasOwn(DOUBTS, failure.reason) ? 'not looked up' : 'nothing to look up';
}

/** Returns what was found for an input. @throws {SafeBrowsingUrlError} where that is a failure */
export function mustBeFound<T>(input: UrlInput, found: T | SafeBrowsingFailure): T {
  if (found instanceof Failure) throw new SafeBrowsingUrlError(input, found);
  return found;
}

/** The bytes that are decoded for a message, which shows fewer: a text of all may be longer than a string can be. */
const QUOTED_BYTES = 1000;

function textOf(input: UrlInput): string {
  return isBytes(input) ? new TextDecoder().decode(input.subarray(0, QUOTED_BYTES)) : String(input);
}

/** The steps and findings of the canonicalizer, in their order. */
export type TracedStep =
  | 'tabs and line ends removed'
  | 'fragment removed'
  | 'visited by a browser'
  | 'spaces around removed'
  | 'unescaped'
  | 'scheme'
  | 'authority'
  | 'host'
  | 'host in Punycode'
  | 'host without surplus dots'
  | 'host as an address'
  | 'host lower-cased'
  | 'host canonicalized'
  | 'path'
  | 'path without dot segments'
  | 'path canonicalized'
  | 'path of an empty path'
  | 'canonical';

/** The bytes [start, end) after each step. */
export type Trace = TraceOf<Record<TracedStep, [bytes: Uint8Array, start: number, end: number]>>;
