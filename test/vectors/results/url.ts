import type { FormOptions } from '../../../src/index.ts';
import { textOf } from '../given.ts';
import type { Question, UrlVector } from '../vector.ts';
import type { PublicApi } from './api.ts';
import { canonicalFields, outcome } from './outcome.ts';

/** Reads the text of site rules, if there is one; of a header that is read as the default, nothing is left. */
export function optionsOf({ options }: Pick<UrlVector, 'options'>, { site, url }: PublicApi): FormOptions | undefined {
  if (options === undefined) return undefined;
  const { siteRules, noVarySearch, ...others } = options;
  return {
    ...others,
    ...(noVarySearch !== undefined && { noVarySearch: url.NoVarySearch.of(noVarySearch).value }),
    ...(siteRules !== undefined && { siteRules: site.SiteRules.parse(siteRules) }),
  };
}

export function urlResult(question: Question<UrlVector>, api: PublicApi) {
  const { url } = api;
  const input = textOf(question);
  return outcome(() => {
    const { base } = question;
    const options = optionsOf(question, api);
    const hash = url.UrlHash.of(input, { ...options, base });
    const { reason } = url.NoVarySearch.of(question.options?.noVarySearch);
    return {
      ...(question.options?.noVarySearch !== undefined && reason !== undefined && { readAsDefault: reason }),
      ...(options && { profile: url.profileOf(options) }),
      ...canonicalFields(url.canonicalize(input, { ...options, base })),
      sha256: hash.hex,
      words: hash.toDecimal(),
      short: hash.short().toDecimal(),
      veryShort: hash.veryShort().toDecimal(),
    };
  });
}
