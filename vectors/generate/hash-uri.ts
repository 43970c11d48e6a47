import { bytesOfContent } from '../given.ts';
import type { PublicApi } from '../results/api.ts';
import type { HashUriVector, Question, VectorFile } from '../vector.ts';
import { fileOf } from './file.ts';
import { BASES, CONTENTS, HELLO_CODE, HELLO_CONTENT, NAMES, VERIFIED } from './hash-uri-inputs.ts';

const FIELDS = {
  clause: 'the definition of the Hash-URI specification that the case is about',
  operation:
    'parts: is input a potential hash-URI, and what are its parts? make: the hash-URI of content; verify: is content that of input?',
  input: 'the URI, or the name of a file',
  base: 'what the hash-URI begins with',
  separator: 'what separates a base that ends in a Base64 character from the code; a full stop where this is not there',
  content: 'the bytes, in Base64, as often as count says, once where it says nothing',
  base64: 'of the bytes, with padding',
  count: 'how many times they are repeated',
  expect: 'all that must come of it',
  potential: 'are the last 25 characters Base64 characters? The definition of the specification, of input as it stands',
  trusty:
    'does input end in exactly 45 Base64 characters that begin with FA, RA or RB, the last one with two zero bits at its end? The narrower definition of trusty URIs',
  stripped: 'input without its extension, where there is one after 25 Base64 characters',
  parts: 'of what is stripped; null where it is not a potential hash-URI',
  uri: 'the hash-URI, without extension',
  identifier: 'the identifier part: two characters',
  type: 'the first of them',
  version: 'the second of them',
  data: 'the data part: what follows the identifier part',
  hash: 'the hash part: of FA, RA and RB, where 43 characters can be that of 32 bytes',
  extension: 'what was stripped',
  ni: 'the ni: URI of the same bytes, RFC 6920',
  result: 'verified, mismatch, unsupported (its module is not FA), not-a-hash-uri',
};

export function hashUriFiles(api: PublicApi): Readonly<Record<string, VectorFile>> {
  const head = { specification: 'hash-uri', title: 'Hash-URI', madeWith: { module: 'FA' }, fields: FIELDS } as const;
  return {
    'hash-uri.json': fileOf(
      { ...head, questions: [...partsQuestions(), ...makeQuestions(), ...verifyQuestions(api)] },
      api,
    ),
  };
}

function partsQuestions(): Question<HashUriVector>[] {
  return Object.entries(NAMES).flatMap(([clause, names]) =>
    names.map((input) => ({ clause, operation: 'parts', input }) as const),
  );
}

function makeQuestions(): Question<HashUriVector>[] {
  const separators = [undefined, '.', '/', '#'] as const;
  return [
    ...CONTENTS.map((content) => ({ clause: 'module FA', operation: 'make', base: '', content }) as const),
    ...BASES.flatMap((base) =>
      separators.map(
        (separator) =>
          ({
            clause: 'base and separator',
            operation: 'make',
            base,
            ...(separator === undefined ? {} : { separator }),
            content: HELLO_CONTENT,
          }) as const,
      ),
    ),
  ];
}

function verifyQuestions({ hashUri }: PublicApi): Question<HashUriVector>[] {
  const start = { clause: 'verified hash-URI', operation: 'verify' } as const;
  return [
    ...CONTENTS.map((content) => ({
      ...start,
      input: hashUri.make('http://example.org/x', bytesOfContent(content)),
      content,
    })),
    ...CONTENTS.map((content) => ({ ...start, input: `http://example.org/x.${HELLO_CODE}.bin`, content })),
    ...VERIFIED.map((input) => ({ ...start, input, content: HELLO_CONTENT })),
  ];
}
