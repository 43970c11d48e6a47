import type { PublicApi } from '../results/api.ts';
import type { Given, Question, SafeBrowsingVector, VectorFile } from '../vector.ts';
import { fileOf } from './file.ts';
import { givenOf, type Input } from './grid.ts';
import { type Bytes, LONE_SURROGATES, SAFE_BROWSING_INPUTS, SUFFIX_HOSTS } from './safe-browsing-inputs.ts';

const FIELDS = {
  clause: 'the step of the page that the case is about',
  profile:
    "web-risk: Web Risk's page 'Hashing URLs', which is also Safe Browsing v4; v5: Safe Browsing v5's page 'URLs and Hashing'",
  privateSuffixes:
    'false: only the ICANN section of the Public Suffix List counts; all of it does where this is not there',
  input: 'the URL; the bytes of which the page speaks are its UTF-8',
  inputParts: 'the URL where it is long: [text, how many times], to be joined',
  inputBase64: 'the bytes of the URL where they are not UTF-8, in Base64',
  expect: 'all that must come of it, by reading',
  spec: "what the page's steps give on the input",
  browser: 'what they give on what the URL Standard makes of the input; as spec where it is not there',
  union:
    'the expressions of spec, then those of browser that are not among them; as those of spec where it is not there',
  canonical: 'the canonical URL',
  canonicalLength:
    'its length in bytes, in place of one that is longer than 1024; then there are no expressions and no union',
  expressions: 'the host-suffix path-prefix expressions, in the order of the page',
  hashes: 'the SHA-256 of each expression of the union in hex, in their order',
  prefix: 'the first bytes of the first hash, in hex: 4, 5, 8, 16, 31 or all 32',
  failure: 'there is no host to look up, in this reading, or in both: why',
  place: 'the part of the URL the failure lies in',
};

export function safeBrowsingFiles(api: PublicApi): Readonly<Record<string, VectorFile>> {
  const madeWith = { publicSuffixList: api.safeBrowsing.PUBLIC_SUFFIX_LIST, profile: api.url.PROFILE };
  const head = { specification: 'safe-browsing', madeWith, fields: FIELDS } as const;
  const v5 = [...questionsOf('v5'), ...icannQuestions()];
  const lone = loneQuestions();
  return {
    'safe-browsing-v5.json': fileOf({ ...head, title: 'Safe Browsing v5', questions: v5 }, api),
    'web-risk.json': fileOf({ ...head, title: 'Web Risk, Safe Browsing v4', questions: questionsOf('web-risk') }, api),
    'safe-browsing-lone-surrogates.json': fileOf(
      { ...head, title: 'Safe Browsing: lone surrogates', questions: lone },
      api,
    ),
  };
}

function questionsOf(profile: 'web-risk' | 'v5'): Question<SafeBrowsingVector>[] {
  const clauses = Object.entries(SAFE_BROWSING_INPUTS);
  return clauses.flatMap(([clause, inputs]) => inputs.map((input) => ({ clause, profile, ...bytesOrGiven(input) })));
}

function icannQuestions(): Question<SafeBrowsingVector>[] {
  return SUFFIX_HOSTS.map((host) => ({
    clause: 'host suffixes',
    profile: 'v5',
    privateSuffixes: false,
    input: `http://${host}/`,
  }));
}

function loneQuestions(): Question<SafeBrowsingVector>[] {
  const profiles = ['v5', 'web-risk'] as const;
  return profiles.flatMap((profile) =>
    LONE_SURROGATES.map((input) => ({ clause: 'scalar values', profile, ...givenOf(input) })),
  );
}

function bytesOrGiven(input: Input | Bytes): Given {
  return typeof input === 'object' && 'bytes' in input ? { inputBase64: btoa(input.bytes) } : givenOf(input);
}
