import { UrlsumError } from '../error.ts';
import { quote } from '../quote.ts';

/**
 * Why an input is not a URL: the standard's name for the validation error. `IDNA-limit` is ours, for a label of more
 * than 1000 UTF-16 units that Punycode would have to work on, and so is `length-limit`, for a URL that is longer than a
 * string of the runtime can be, or would be in its canonical form.
 *
 * @see https://url.spec.whatwg.org/#validation-error
 */
export type UrlReason =
  | 'missing-scheme-non-relative-URL'
  | 'host-missing'
  | 'host-invalid-code-point'
  | 'domain-to-ASCII'
  | 'domain-invalid-code-point'
  | 'IDNA-limit'
  | 'IPv4-too-many-parts'
  | 'IPv4-non-numeric-part'
  | 'IPv4-out-of-range-part'
  | 'IPv6-unclosed'
  | 'IPv6-invalid-compression'
  | 'IPv6-too-many-pieces'
  | 'IPv6-multiple-compression'
  | 'IPv6-invalid-code-point'
  | 'IPv6-too-few-pieces'
  | 'IPv4-in-IPv6-too-many-pieces'
  | 'IPv4-in-IPv6-invalid-code-point'
  | 'IPv4-in-IPv6-out-of-range-part'
  | 'IPv4-in-IPv6-too-few-parts'
  | 'port-invalid'
  | 'port-out-of-range'
  | 'length-limit';

/** The component of the URL in which a failure lies. */
export type UrlPlace = 'scheme' | 'host' | 'port';

/**
 * Why an input is not what its specification asks for, by default a URL. Inside the package a failure is a value; only
 * the border makes an exception of it.
 */
export class Failure<Reason extends string = UrlReason, Place extends string = UrlPlace> {
  /** A word that programs can compare. */
  readonly reason: Reason;
  readonly place: Place;
  /** The reason in words. */
  readonly sentence: string;
  /** The UTF-16 unit that the failure is at, if it is at one. */
  readonly position: number | undefined;

  constructor(reason: Reason, place: Place, sentence: string, position?: number) {
    this.reason = reason;
    this.place = place;
    this.sentence = sentence;
    this.position = position;
  }
}

/** Returns the place of a reason; of a URL that is too long, its start. */
function placeOf(reason: UrlReason): UrlPlace {
  if (reason === 'missing-scheme-non-relative-URL' || reason === 'length-limit') return 'scheme';
  return reason.startsWith('port') ? 'port' : 'host';
}

const failures: Partial<Record<UrlReason, Failure>> = {};

/** Returns the one Failure of this reason: a corpus of bad lines allocates nothing per line. */
export function failure(reason: UrlReason): Failure {
  return (failures[reason] ??= new Failure(reason, placeOf(reason), SENTENCES[reason]));
}

/** The meaning of each reason, in words. */
const SENTENCES: Readonly<Record<UrlReason, string>> = {
  'missing-scheme-non-relative-URL': 'it has no scheme, and there is no base URL',
  'host-missing': 'the host is empty',
  'host-invalid-code-point': 'the host holds a forbidden code point',
  'domain-to-ASCII': 'the domain has no ASCII form under UTS #46',
  'domain-invalid-code-point': 'the host holds a forbidden code point',
  'IDNA-limit': 'a label with non-ASCII characters is longer than 1000',
  'IPv4-too-many-parts': 'the IPv4 address has more than four parts',
  'IPv4-non-numeric-part': 'the host ends in a number and one of its parts is not a number',
  'IPv4-out-of-range-part': 'the IPv4 address has a part out of range',
  'IPv6-unclosed': 'the IPv6 address has no closing bracket',
  'IPv6-invalid-compression': 'the IPv6 address begins with a single colon',
  'IPv6-too-many-pieces': 'the IPv6 address has more than eight pieces',
  'IPv6-multiple-compression': 'the IPv6 address has more than one ::',
  'IPv6-invalid-code-point': 'the IPv6 address holds a forbidden code point',
  'IPv6-too-few-pieces': 'the IPv6 address has fewer than eight pieces',
  'IPv4-in-IPv6-too-many-pieces': 'the IPv6 address has no room for its IPv4 part',
  'IPv4-in-IPv6-invalid-code-point': 'the IPv4 part of the IPv6 address holds a forbidden code point',
  'IPv4-in-IPv6-out-of-range-part': 'the IPv4 part of the IPv6 address has a part out of range',
  'IPv4-in-IPv6-too-few-parts': 'the IPv4 part of the IPv6 address has fewer than four parts',
  'port-invalid': 'the port is not a number',
  'port-out-of-range': 'the port is over 65535',
  'length-limit': 'it, or its canonical form, is longer than a string can be',
};

/**
 * The input is not a URL.
 *
 * @see https://url.spec.whatwg.org/#validation-error
 * @example
 * try {
 *   canonicalize('x', { base: 'not a base' });
 * } catch (error) {
 *   if (!(error instanceof UrlError)) throw error;
 *   error.argument; //=> 'base'
 *   error.input; //=> 'not a base'
 *   error.reason; //=> 'missing-scheme-non-relative-URL'
 * }
 */
export class UrlError extends UrlsumError<'ERR_INVALID_URL', UrlReason, string, UrlPlace> {
  /** @internal */
  static override readonly name = 'UrlError';
  /** Which of the two is not a URL. */
  declare readonly argument: 'url' | 'base';

  private constructor(input: string, failure: Failure, argument: 'url' | 'base') {
    const subject = argument === 'base' ? 'the base is not a URL' : 'not a URL';
    super('ERR_INVALID_URL', `${subject}: ${quote(input)}: ${failure.sentence} (${failure.reason})`, {
      input,
      argument,
      reason: failure.reason,
      place: failure.place,
    });
  }

  /** @internal */
  static from(input: string, failure: Failure, argument: 'url' | 'base' = 'url'): UrlError {
    return new this(input, failure, argument);
  }
}

/**
 * Receives each step that the code of a specification has taken, or what it has found, with what that left, for
 * `urlsum/explain`. `Steps` has a name for each step. Without a trace, the code pays for one comparison per step.
 */
export type Trace<Steps extends { readonly [Step in keyof Steps]: readonly unknown[] }> = <Step extends keyof Steps>(
  step: Step,
  ...left: Steps[Step]
) => void;
