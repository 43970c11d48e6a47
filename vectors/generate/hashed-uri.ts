import type { PublicApi } from '../results/api.ts';
import type { HashedUriVector, HashVector, Question, VectorFile } from '../vector.ts';
import { fileOf } from './file.ts';
import { givenOf } from './grid.ts';
import { ALIKE, HASHED_TEXTS, MATCHES, RELATIVE_URIS, URIS, URIS_TO_KEEP } from './hashed-uri-inputs.ts';

const FIELDS = {
  clause: 'the step or section of draft-feather-hashed-uri-03, or of RFC 2396, that the case is about',
  operation:
    'hash: make the hashed URI of input; match: is it the URI that hashed was made of? parse: read a hashed URI',
  input: 'the URI; for parse, the hashed URI',
  inputParts: 'the same where it is long: [text, how many times], to be joined',
  base: 'an absolute URI that a relative one is resolved against; none where it is not there',
  variant: 'of appendix A: N or P; for match, both is also possible',
  keep: 'what is not removed, where it is there: frag, query',
  hashed: 'what is matched against',
  expect: 'all that must come of it',
  canonical: 'the text that is hashed',
  canonicalLength: 'its length in bytes, in place of one that is longer than 1024',
  md5: 'the hashed URI by MD5',
  sha1: 'the hashed URI by SHA-1',
  result: 'match, no-match, or unsupported: whether it matches cannot be told',
  text: 'the hashed URI in lower case, each flag once, +frag first',
  algorithm: 'what stands before the equals sign',
  value: 'what follows it',
  problems: 'why nothing can match it: unregistered-algorithm, digest-length',
  failure: 'input, base or hashed is not what it has to be: why',
  place: 'the part the failure lies in',
  position: 'the character it lies at, from 0, where it lies at one',
};

const KEEP_SETS = [[], ['frag'], ['query'], ['frag', 'query']] as const;
const VARIANTS = ['N', 'P'] as const;
const MATCH_VARIANTS = [...VARIANTS, 'both'] as const;

export function hashedUriFiles(api: PublicApi): Readonly<Record<string, VectorFile>> {
  const madeWith = { draft: 'draft-feather-hashed-uri-03' };
  const head = { specification: 'hashed-uri', madeWith, fields: FIELDS } as const;
  const compared = [...parseQuestions(), ...matchQuestions(api)];
  return {
    'hashed-uri.json': fileOf({ ...head, title: 'Hashed URI: made', questions: hashQuestions() }, api),
    'hashed-uri-match.json': fileOf({ ...head, title: 'Hashed URI: read and matched', questions: compared }, api),
  };
}

/** Both variants of one URI stand side by side. */
function hashQuestions(): Question<HashVector>[] {
  const clauses = Object.entries(URIS);
  const plain = clauses.flatMap(([clause, inputs]) => inputs.map((input) => ({ clause, ...givenOf(input), keep: [] })));
  const kept = URIS_TO_KEEP.flatMap((input) => KEEP_SETS.map((keep) => ({ clause: '4.3 (1)', input, keep })));
  const relative = RELATIVE_URIS.map(([base, input]) => ({
    clause: 'RFC 2396 section 5.2',
    input,
    base,
    keep: KEEP_SETS[3],
  }));
  return [...plain, ...kept, ...relative].flatMap(({ clause, ...given }) =>
    VARIANTS.map((variant) => ({ clause, operation: 'hash', ...given, variant })),
  );
}

function matchQuestions(api: PublicApi): Question<HashedUriVector>[] {
  return [...MATCHES, ...alikeMatches(api)].flatMap(([input, hashed, base]) => {
    const given = {
      clause: '4.3',
      operation: 'match',
      input,
      hashed,
      ...(base === undefined ? {} : { base }),
    } as const;
    return MATCH_VARIANTS.map((variant) => ({ ...given, variant }));
  });
}

function alikeMatches({ hashedUri }: PublicApi): (readonly [candidate: string, hashed: string, base?: string])[] {
  return ALIKE.flatMap((uris) =>
    VARIANTS.flatMap((variant) =>
      KEEP_SETS.flatMap((keep) => {
        const hashed = hashedUri
          .hash(uris[0]!, { variant, keep, algorithm: keep.length === 1 ? 'md5' : 'sha1' })
          .toString();
        return uris.map((candidate) => [candidate, hashed] as const);
      }),
    ),
  );
}

function parseQuestions(): Question<HashedUriVector>[] {
  return HASHED_TEXTS.map((input) => ({ clause: '4.1 and 4.2', operation: 'parse', input }));
}
