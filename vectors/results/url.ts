import { textOf } from '../given.ts';
import type { Question, UrlVector } from '../vector.ts';
import type { PublicApi } from './api.ts';
import { canonicalFields, outcome } from './outcome.ts';

export function urlResult(question: Question<UrlVector>, { url }: PublicApi) {
  const input = textOf(question);
  return outcome(() => {
    const { base, options } = question;
    const hash = url.UrlHash.of(input, base, options);
    return {
      ...(options && { profile: url.profileOf(options) }),
      ...canonicalFields(url.canonicalize(input, base, options)),
      sha256: hash.toHex(),
      words: hash.toString(),
      short: hash.short().toString(),
      veryShort: hash.veryShort().toString(),
    };
  });
}
