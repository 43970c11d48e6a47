import { textOrBytesOf } from '../given.ts';
import type { Question, SafeBrowsingVector } from '../vector.ts';
import type { PublicApi } from './api.ts';
import { hexOf } from './hex.ts';
import { canonicalFields, isStored, outcome } from './outcome.ts';

type Asked = Question<SafeBrowsingVector>;

/** A prefix of each length that the page allows, one after the other from case to case. */
const PREFIX_BYTES = [4, 5, 8, 16, 31, 32] as const;

/**
 * Both readings with their expressions, and their union with its hashes, among which are those of both. The
 * prefix is that of the first hash, of a length that the host's decides.
 */
export function safeBrowsingResult(question: Asked, api: PublicApi) {
  return { spec: reading(question, api, 'spec'), browser: reading(question, api, 'browser'), union: union(question, api) };
}

function reading(question: Asked, { safeBrowsing }: PublicApi, mode: 'spec' | 'browser') {
  const input = textOrBytesOf(question);
  return outcome(() => {
    const canonical = safeBrowsing.canonicalize(input, { profile: question.profile, mode });
    if (!isStored(canonical)) return canonicalFields(canonical);
    return { canonical, expressions: safeBrowsing.expressions(input, { ...optionsOf(question), mode }) };
  });
}

function union(question: Asked, { safeBrowsing }: PublicApi) {
  const input = textOrBytesOf(question);
  const options = { ...optionsOf(question), mode: 'union' } as const;
  return outcome(() => {
    const expressions = safeBrowsing.expressions(input, options);
    const hashes = safeBrowsing.hashes(input, options);
    const byteLength = PREFIX_BYTES[expressions[0]!.length % PREFIX_BYTES.length]!;
    return {
      ...(expressions.every(isStored) ? { expressions } : {}),
      hashes: hashes.map(hexOf),
      prefix: hexOf(safeBrowsing.prefix(hashes[0]!, byteLength)),
    };
  });
}

function optionsOf({ profile, privateSuffixes }: Asked) {
  return privateSuffixes === undefined ? { profile } : { profile, privateSuffixes };
}
