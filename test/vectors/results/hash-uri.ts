import { bytesOfContent, textOf } from '../given.ts';
import type { HashUriVector, MakeVector, PartsVector, Question, VerifyVector } from '../vector.ts';
import type { PublicApi } from './api.ts';

export function hashUriResult(question: Question<HashUriVector>, api: PublicApi) {
  if (question.operation === 'parts') return partsOf(question, api);
  return question.operation === 'make' ? made(question, api) : verified(question, api);
}

function partsOf(question: Question<PartsVector>, { hashUri }: PublicApi) {
  const input = textOf(question);
  return {
    potential: hashUri.isPotentialHashUri(input),
    trusty: hashUri.isPotentialTrustyUri(input),
    stripped: hashUri.stripExtension(input),
    parts: hashUri.isPotentialHashUri(hashUri.stripExtension(input)) ? hashUri.parse(input) : null,
  };
}

function made({ base, separator, content }: Question<MakeVector>, { hashUri }: PublicApi) {
  const uri = hashUri.make(base, bytesOfContent(content), separator === undefined ? {} : { separator });
  return { uri, ni: hashUri.toNi(uri) };
}

function verified(question: Question<VerifyVector>, { hashUri }: PublicApi) {
  const { result } = hashUri.verdictOf(textOf(question), bytesOfContent(question.content));
  return { result };
}
