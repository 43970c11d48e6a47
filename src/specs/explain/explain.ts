import {
  mustBeBoolean,
  mustBeOneOf,
  mustBeOptions,
  mustBeRecord,
  mustBeUrl,
  mustNotBeBase,
} from '../../core/argument.ts';
import { OPTION_NAMES, type Options } from '../../core/url/options.ts';
import { mustBeReadingMode, mustBeSuffixList } from '../safe-browsing/settings.ts';
import { BUNDLED_LIST, type SuffixList } from '../safe-browsing/suffix-list.ts';
import type { UrlInput } from '../safe-browsing/url-bytes.ts';
import type { Explanation, Specification } from './explanation.ts';
import { explainSafeBrowsing } from './safe-browsing.ts';
import { explainUrl } from './url.ts';

/** The options of `canonicalize` of `urlsum`. */
type ExplainUrlOptions = Options & {
  /** The URL Standard, which is the default. */
  readonly specification?: 'url' | undefined;
};

/** The options of `expressions` of `urlsum/safe-browsing`; one reading is explained at a time. */
type ExplainSafeBrowsingOptions = {
  /** Web Risk and Safe Browsing v4, or Safe Browsing v5. */
  readonly specification: 'web-risk' | 'v5';
  /** Default: `spec`. */
  readonly mode?: 'spec' | 'browser' | undefined;
  /** Whether the private section of the Public Suffix List counts (github.io). Default: true; of `v5` only. */
  readonly privateSuffixes?: boolean | undefined;
  /** Default: the bundled one. */
  readonly suffixList?: SuffixList | undefined;
};

/**
 * The options of each specification; `specification` says of which. They have no names that the declarations of
 * programs that narrow them would need.
 */
export type ExplainOptions = ExplainUrlOptions | ExplainSafeBrowsingOptions;

const URL_OPTIONS = ['specification', ...OPTION_NAMES];
const SPECIFICATIONS: readonly Specification[] = ['url', 'web-risk', 'v5'];

/**
 * Explains how a specification brings a URL to its canonical form: each step with what it left and the clause that asks
 * for it, reported by the code that canonicalizes. What has no canonical form is explained too, by the steps up to
 * there, the reason, and where in the input it lies; only wrong arguments are thrown.
 *
 * @param url what is explained; bytes for `web-risk` and `v5` only
 * @param options the specification, `url` by default, and what its own functions take
 * @returns steps of which the last leaves the canonical form; none where the input is canonical
 * @throws {TypeError} where `url` or an option is of the wrong kind; as a `UrlError` on a bad base
 * @throws {RangeError} on an option, or a value of one, that does not exist
 * @example
 * const { steps, canonical } = explain('HTTP://Example.com:80/a/../b');
 * canonical; //=> 'http://example.com/b'
 * steps.map(({ part, change }) => `${part}: ${change}`);
 * //=> ['scheme: lower-cased', 'host: lower-cased', 'port: left out, because it is the default port of http', …]
 * explain('http://exa mple.com/').failure?.span; //=> [10, 11]
 * const { expressions } = explain('http://good.com%2F@evil.com/', { specification: 'v5', mode: 'browser' });
 * expressions?.map(({ expression, readings }) => `${expression}: ${readings.map(({ mode }) => mode)}`);
 * //=> ['evil.com/: browser,browser']
 */
export function explain(url: UrlInput, options: ExplainOptions = {}): Explanation {
  mustNotBeBase('options', options);
  const own = mustBeRecord('options', options);
  if (own.specification !== undefined) mustBeOneOf('specification', own.specification, SPECIFICATIONS);
  if (isSafeBrowsing(own)) return explainReading(url, own);
  return explainUrl(mustBeUrl('url', url as string), mustBeOptions('options', own, URL_OPTIONS));
}

function isSafeBrowsing(options: ExplainOptions): options is ExplainSafeBrowsingOptions {
  return options.specification === 'web-risk' || options.specification === 'v5';
}

function explainReading(url: UrlInput, options: ExplainSafeBrowsingOptions): Explanation {
  const own = mustBeOptions('options', options, ['specification', 'mode', 'privateSuffixes', 'suffixList']);
  const { specification: profile, mode = 'spec', privateSuffixes = true, suffixList = BUNDLED_LIST } = own;
  mustBeReadingMode(mode);
  mustBeBoolean('privateSuffixes', privateSuffixes);
  mustBeSuffixList(suffixList);
  return explainSafeBrowsing(url, { profile, mode, privateSuffixes, suffixList });
}
