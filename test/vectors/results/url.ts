import type { FormOptions } from '../../../src/index.ts';
import { textOf } from '../given.ts';
import type { Question, UrlVector } from '../vector.ts';
import type { PublicApi } from './api.ts';
import { canonicalFields, outcome } from './outcome.ts';

/** Reads the text of site rules, if there is one. */
export function optionsOf({ options }: Pick<UrlVector, 'options'>, { site }: PublicApi): FormOptions | undefined {
  if (options === undefined) return undefined;
  const { siteRules, ...others } = options;
  return siteRules === undefined ? others : { ...others, siteRules: site.SiteRules.parse(siteRules) };
}

export function urlResult(question: Question<UrlVector>, api: PublicApi) {
  const { url } = api;
  const input = textOf(question);
  return outcome(() => {
    const { base } = question;
    const options = optionsOf(question, api);
    const hash = url.UrlHash.of(input, { ...options, base });
    return {
      ...(options && { profile: url.profileOf(options) }),
      ...canonicalFields(url.canonicalize(input, { ...options, base })),
      sha256: hash.hex,
      words: hash.toDecimal(),
      short: hash.short().toDecimal(),
      veryShort: hash.veryShort().toDecimal(),
    };
  });
}
