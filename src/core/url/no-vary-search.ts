import { mustBeString } from '../argument.ts';
import { canonicalize } from './canonicalize.ts';
import { SearchVariance } from './search-variance.ts';

/**
 * The header No-Vary-Search of a response: which of the requests that differ by their query it answers. A server may
 * write anything there, so nothing is thrown for a value that is none: every parameter counts then, as without a header.
 *
 * @example
 * NoVarySearch.of('except=("id")').matches('http://h/?id=1&t=2', 'http://h/?t=3&id=1'); //=> true
 * NoVarySearch.of('except=("id"').reason; //=> 'not a structured field: no member of a dictionary at position 0'
 */
export class NoVarySearch {
  /** @internal */
  static readonly name = 'NoVarySearch';
  /** The value as the draft spells it, for the option `noVarySearch`; undefined where every parameter counts. */
  readonly value: string | undefined;
  /** Why every parameter counts: `equivalent to no header`, or what is wrong with the value; otherwise undefined. */
  readonly reason: string | undefined;

  private constructor(variance: SearchVariance | string) {
    this.value = typeof variance === 'string' ? undefined : variance.text;
    this.reason = typeof variance === 'string' ? variance : undefined;
  }

  /**
   * Reads the value of a header.
   *
   * @param header as `Headers.get` returns it: null, or undefined, for none
   * @throws {TypeError} on anything else that is not a string
   */
  static of(header: string | null | undefined): NoVarySearch {
    return new NoVarySearch(SearchVariance.parse(mustBeString('header', header ?? '')));
  }

  /**
   * Whether a response for one URL is one for the other: by the comparison of the draft, which leaves out fragments.
   *
   * @param url the URL of the response that is kept
   * @param other the URL that is asked for
   * @throws {UrlError} where one of them is not a URL
   * @throws {TypeError} where one is neither a string nor a `URL`
   */
  matches(url: string | URL, other: string | URL): boolean {
    const [form, otherForm] = [url, other].map((each) =>
      canonicalize(each, { noVarySearch: this.value }).replace(/#.*/s, ''),
    );
    return form === otherForm;
  }
}
