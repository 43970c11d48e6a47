import { textOrBytesOf } from '../given.ts';
import type { Question, SafeBrowsingVector } from '../vector.ts';
import type { PublicApi } from './api.ts';
import { hexOf } from './hex.ts';
import { isStored, outcome, type Refusal } from './outcome.ts';

type Asked = Question<SafeBrowsingVector>;

type Reading =
  | Refusal
  | { readonly canonicalLength: number }
  | { readonly canonical: string; readonly expressions: readonly string[] };

/** A prefix of each length that the page allows, one after the other as the first expression grows. */
const PREFIX_BYTES = [4, 5, 8, 16, 31, 32] as const;

/** Both readings, their union and its hashes, among which are those of both. What is as in `spec` is left out. */
export function safeBrowsingResult(question: Asked, api: PublicApi) {
  const spec = reading(question, api, 'spec');
  const browser = reading(question, api, 'browser');
  return { spec, ...(isSame(spec, browser) ? {} : { browser }), ...outcome(() => union(question, api, spec)) };
}

function reading(question: Asked, { safeBrowsing }: PublicApi, mode: 'spec' | 'browser'): Reading {
  const input = textOrBytesOf(question);
  return outcome(() => {
    const canonical = safeBrowsing.canonicalize(input, { profile: question.profile, mode });
    if (!isStored(canonical)) return { canonicalLength: canonical.length };
    return { canonical, expressions: safeBrowsing.expressions(input, { ...optionsOf(question), mode }) };
  });
}

function union(question: Asked, { safeBrowsing }: PublicApi, spec: Reading) {
  const input = textOrBytesOf(question);
  const options = { ...optionsOf(question), mode: 'union' } as const;
  const expressions = safeBrowsing.expressions(input, options);
  const hashes = safeBrowsing.hashes(input, options);
  const byteLength = PREFIX_BYTES[expressions[0]!.length % PREFIX_BYTES.length]!;
  const isTold = !expressions.every(isStored) || ('expressions' in spec && isSame(spec.expressions, expressions));
  return {
    ...(isTold ? {} : { union: expressions }),
    hashes: hashes.map(hexOf),
    prefix: hexOf(safeBrowsing.prefix(hashes[0]!, byteLength)),
  };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function optionsOf({ profile, privateSuffixes }: Asked) {
  return privateSuffixes === undefined ? { profile } : { profile, privateSuffixes };
}
