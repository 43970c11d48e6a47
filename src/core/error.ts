import { ownProperties } from './argument.ts';

/**
 * The parent of all errors of this package: an input is not what its specification asks for. A wrong argument is a plain
 * TypeError (of the wrong kind) or RangeError (of the wrong value) instead.
 *
 * @typeParam Code the code that all errors of a class have
 * @typeParam Reason the words of the class for why an input is refused
 * @typeParam Input what the class refuses
 * @typeParam Place the parts of an input that the class names
 * @example
 * try {
 *   UrlHash.of('not a url');
 * } catch (error) {
 *   error instanceof UrlsumError && [error.code, error.reason]; //=> ['ERR_INVALID_URL', 'missing-scheme-non-relative-URL']
 * }
 */
export abstract class UrlsumError<
  Code extends string = string,
  Reason extends string = string,
  Input = unknown,
  Place extends string | undefined = string | undefined,
> extends TypeError {
  /** @internal */
  static override readonly name: string = 'UrlsumError';
  /** Names the class: all its errors have it, and no others. */
  declare readonly code: Code;
  /** The reason, a word that programs can compare. */
  declare readonly reason: Reason;
  /** The part of the input in which the failure lies. */
  declare readonly place: Place;
  /** The input, whole. */
  declare readonly input: Input;
  /** The UTF-16 unit of `input` that the failure lies at, where it is known. */
  declare readonly position: number | undefined;

  /** @internal `facts` are its other members, in the order in which they are shown; a class has its name. */
  constructor(
    code: Code,
    message: string,
    facts: { readonly reason: Reason } & Readonly<Record<string, unknown>>,
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
    const { name } = new.target;
    // defined, as an assignment fails where a program has frozen the prototypes of errors, which have a name
    for (const [key, value] of Object.entries({ code, ...facts, name }))
      Object.defineProperty(this, key, ownProperties({ value, configurable: true, enumerable: true, writable: true }));
  }
}
