import { ownProperties } from './argument.ts';

/**
 * What every error of this package is: an input that is not what its specification asks for. A wrong argument is a
 * plain TypeError (of the wrong kind) or RangeError (of the wrong value) instead.
 *
 * @example
 * try {
 *   UrlHash.of('not a url');
 * } catch (error) {
 *   error instanceof UrlsumError && [error.code, error.reason]; //=> ['ERR_INVALID_URL', 'missing-scheme-non-relative-URL']
 * }
 */
export abstract class UrlsumError extends TypeError {
  /** @internal */
  static override readonly name: string = 'UrlsumError';
  /** Names the class: all its errors have it, and no others. */
  declare readonly code: string;
  /** Why: one of the words that the class documents. */
  declare readonly reason: string;
  /** The part of the input in which the failure lies. */
  declare readonly place?: string | undefined;
  /** What was refused, whole. */
  declare readonly input?: unknown;
  /** The UTF-16 unit of `input` that the failure lies at, where it is known. */
  declare readonly position?: number | undefined;

  /** @internal `facts` are its other members, in the order in which they are shown; a class has its name and its code. */
  constructor(message: string, facts: Readonly<Record<string, unknown>>, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    const { name, code } = new.target as unknown as { readonly name: string; readonly code: string };
    // defined, as an assignment fails where a program has frozen the prototypes of errors, which have a name
    for (const [key, value] of Object.entries({ code, ...facts, name }))
      Object.defineProperty(this, key, ownProperties({ value, configurable: true, enumerable: true, writable: true }));
  }
}
