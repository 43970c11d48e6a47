import type { PublicApi } from '../results/api.ts';
import type { Question, UrlVector, VectorFile } from '../vector.ts';
import { fileOf } from './file.ts';
import { givenOf } from './grid.ts';
import { PARAMETER_INPUTS } from './parameters-inputs.ts';
import { BASED_INPUTS, LONE_SURROGATE_INPUTS, URL_INPUTS } from './url-inputs.ts';

const FIELDS = {
  clause:
    'the part of the URL Standard that the case is about, by its anchor in https://url.spec.whatwg.org/, or a name of ours',
  input: 'the URL',
  inputParts: 'the URL where it is long: [text, how many times], to be joined',
  base: 'what it is resolved against; none where it is not there',
  expect: 'all that must come of it: the digests, or why there are none',
  canonical: 'the serialization of the URL Standard, fragment included',
  canonicalLength: 'its length in bytes, in place of one that is longer than 1024',
  sha256: 'the SHA-256 of the canonical form, in hex',
  words: 'the same as four little-endian unsigned 64-bit words in decimal, joined by hyphens',
  short: 'the first two of the words',
  veryShort: 'the first of the words',
  failure: 'input or base is not a URL: the name of the validation error in the URL Standard; IDNA-limit is ours',
  place: 'the part of the URL the failure lies in: scheme, host or port',
};

const OPTION_FIELDS = {
  options: 'which canonical form: docs/parameters.md defines it',
  excludeFragment: 'of the options: the fragment is left out',
  dropParams: 'the names of parameters that are removed',
  dropList: 'the name of a list of such parameters',
  sortParams: 'the parameters are sorted by name',
  profile: 'the name of that canonical form',
};

const SPECIFICATION = { specification: 'url', fields: FIELDS } as const;

export function urlFiles(api: PublicApi): Readonly<Record<string, VectorFile>> {
  const madeWith = { profile: api.url.PROFILE };
  const head = { ...SPECIFICATION, madeWith };
  const alone = Object.entries(URL_INPUTS).flatMap(([clause, inputs]) =>
    inputs.map((input) => ({ clause, ...givenOf(input) })),
  );
  const based: Question<UrlVector>[] = BASED_INPUTS.map(([base, input]) => ({
    clause: 'url-parsing with a base',
    input,
    base,
  }));
  const lone = LONE_SURROGATE_INPUTS.map((input) => ({ clause: 'scalar values', ...givenOf(input) }));
  const parameters = Object.entries(PARAMETER_INPUTS).flatMap(([clause, asked]) =>
    asked.flatMap(([options, inputs]) => inputs.map((input) => ({ clause, input, options }))),
  );
  return {
    'url.json': fileOf({ ...head, title: 'url-hash', questions: alone }, api),
    'url-base.json': fileOf({ ...head, title: 'url-hash: URLs with a base', questions: based }, api),
    'url-parameters.json': fileOf(
      {
        ...head,
        fields: { ...FIELDS, ...OPTION_FIELDS, clause: 'the option that the case is about' },
        title: 'url-hash: parameters',
        questions: parameters,
      },
      api,
    ),
    'url-lone-surrogates.json': fileOf({ ...head, title: 'url-hash: lone surrogates', questions: lone }, api),
  };
}
