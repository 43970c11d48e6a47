import { textOf } from '../given.ts';
import type { HashedUriVector, HashVector, MatchVector, ParseVector, Question } from '../vector.ts';
import type { PublicApi } from './api.ts';
import { canonicalFields, outcome } from './outcome.ts';

export function hashedUriResult(question: Question<HashedUriVector>, api: PublicApi) {
  return outcome<object>(() => {
    if (question.operation === 'hash') return hashed(question, api);
    return question.operation === 'match' ? matched(question, api) : parsed(question, api);
  });
}

function hashed(question: Question<HashVector>, { hashedUri }: PublicApi) {
  const input = textOf(question);
  const { variant, keep, base } = question;
  const options = { variant, keep, base };
  return {
    ...canonicalFields(hashedUri.canonicalize(input, options)),
    md5: hashedUri.hash(input, { ...options, algorithm: 'md5' }).toString(),
    sha1: hashedUri.hash(input, { ...options, algorithm: 'sha1' }).toString(),
  };
}

function matched(question: Question<MatchVector>, { hashedUri }: PublicApi) {
  const { hashed, variant, base } = question;
  const { result } = hashedUri.verdictOf(textOf(question), hashed, { variant, base });
  return { result };
}

function parsed(question: Question<ParseVector>, { hashedUri }: PublicApi) {
  const read = hashedUri.parse(textOf(question));
  const { algorithm, value, keep, problems } = read;
  return { text: read.toString(), algorithm, value, keep, problems };
}
