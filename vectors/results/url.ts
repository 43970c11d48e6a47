import { textOf } from '../given.ts';
import type { Question, UrlVector } from '../vector.ts';
import type { PublicApi } from './api.ts';
import { canonicalFields, outcome } from './outcome.ts';

export function urlResult(question: Question<UrlVector>, { url }: PublicApi) {
  const input = textOf(question);
  return outcome(() => {
    const { base, options } = question;
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
