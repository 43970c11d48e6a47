import { UrlsumError } from '../error.ts';
import type { Failure, UrlPlace, UrlReason } from './failure.ts';

const QUOTED_LENGTH = 200;

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
export class UrlError extends UrlsumError {
  /** @internal */
  static override readonly name = 'UrlError';
  /** @internal */
  static readonly code = 'ERR_INVALID_URL';
  /** As Node's own URL parser has it. */
  declare readonly code: 'ERR_INVALID_URL';
  /** The whole text that is not a URL. */
  declare readonly input: string;
  /** Which of the two is not a URL. */
  declare readonly argument: 'url' | 'base';
  /** The standard's name for the validation error, or one of ours. */
  declare readonly reason: UrlReason;
  /** The component of the URL that the failure lies in. */
  declare readonly place: UrlPlace;

  private constructor(input: string, failure: Failure, argument: 'url' | 'base') {
    const subject = argument === 'base' ? 'the base is not a URL' : 'not a URL';
    super(`${subject}: ${quote(input)}: ${failure.sentence} (${failure.reason})`, {
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

/** Quotes in JSON's escapes, cut where a message would drown in it; `input` keeps the whole. */
export function quote(input: string): string {
  return input.length <= QUOTED_LENGTH ? JSON.stringify(input) : `${JSON.stringify(input.slice(0, QUOTED_LENGTH))}…`;
}
