import { algorithmNamed } from './algorithm.ts';
import type { KeepFlag } from './options.ts';

/**
 * A hashed URI, as `parse` and `hash` give it. It does not say which variant it was made by: whoever compares must
 * know, or try both.
 *
 * @example
 * const hashed = hash('http://www.thus.net', { variant: 'N', algorithm: 'md5' });
 * hashed.value; //=> 'be96302a0468481aca954431cf293e05'
 * hashed.toString(); //=> 'hashed:md5=be96302a0468481aca954431cf293e05'
 */
export class HashedUri {
  /** @internal */
  static readonly name = 'HashedUri';
  /** In lower case. */
  readonly algorithm: string;
  /** Two lower-case hex digits per octet. */
  readonly value: string;
  /** What was retained, and must be when a candidate is compared: 'frag' before 'query'. */
  readonly keep: readonly KeepFlag[];

  /** @internal From parts that `parse` or `hash` vouches for. */
  constructor(algorithm: string, value: string, keep: readonly KeepFlag[]) {
    this.algorithm = algorithm;
    this.value = value;
    this.keep = keep;
  }

  /**
   * Why nothing can match: an algorithm that is neither md5, sha1 nor registered (section 4.2), or a value that
   * is not as long as the algorithm's digests (section 4.3 (4)). Empty where all is well.
   */
  get problems(): readonly ('unregistered-algorithm' | 'digest-length')[] {
    const algorithm = algorithmNamed(this.algorithm);
    if (algorithm === undefined) return ['unregistered-algorithm'];
    return this.value.length === 2 * algorithm.byteLength ? [] : ['digest-length'];
  }

  /** @returns the hashed URI in lower case, each flag once, `+frag` first */
  toString(): string {
    return `hashed:${this.algorithm}=${this.value}${this.keep.map((flag) => `+${flag}`).join('')}`;
  }

  /** @returns what `toString` gives */
  toJSON(): string {
    return this.toString();
  }
}
