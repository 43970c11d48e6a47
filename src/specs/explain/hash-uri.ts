import { isBase64Character } from '../hash-uri/base64.ts';
import { FAILURES } from '../hash-uri/error.ts';
import { type HashUri, partsOf } from '../hash-uri/hash-uri.ts';
import { type Clause, type ExplainedPart, type Explanation, type Span, Steps } from './explanation.ts';

/** The definition looks at this many characters at the end, and at nothing before them. */
const TAIL_LENGTH = 25;

const DEFINITION: Clause = { name: 'Hash-URI Specification, potential hash-URI', address: undefined };

/** Explains what `parse` of `urlsum/hash-uri` does: the canonical form is the hash-URI without its extension. */
export function explainHashUri(input: string): Explanation {
  const steps = new Steps(input);
  const found = partsOf(input);
  if (found !== undefined) steps.add(found.uri, `extension ${found.extension ?? ''} stripped`, DEFINITION);
  const explained = { specification: 'hash-uri', profile: 'hash-uri', input, steps: steps.list } as const;
  if (found !== undefined)
    return {
      ...explained,
      parts: explainedParts(found, input),
      canonical: found.uri,
      hash: found.hash,
      expressions: [],
    };
  const [place, sentence] = FAILURES['not-a-hash-uri'];
  return { ...explained, parts: [], failure: { reason: 'not-a-hash-uri', sentence, place, span: spanIn(input) } };
}

/** Returns the parts, whose spans are the same in both texts, since an extension comes last. */
function explainedParts({ uri, data, extension }: HashUri, input: string): ExplainedPart[] {
  const dataStart = uri.length - data.length;
  const part = (name: string, span: Span): ExplainedPart => ({ name, given: span, canonical: span });
  return [
    part('type', [dataStart - 2, dataStart - 1]),
    part('version', [dataStart - 1, dataStart]),
    part('data', [dataStart, uri.length]),
    ...(extension === undefined
      ? []
      : [{ name: 'extension', given: [uri.length, input.length] as const, canonical: undefined }]),
  ];
}

/** The span of the last character that is not Base64; of too short an input, the place where some are missing. */
function spanIn(input: string): Span {
  const tailStart = Math.max(0, input.length - TAIL_LENGTH);
  let at = input.length - 1;
  while (at >= tailStart && isBase64Character(input.charCodeAt(at))) at--;
  return at < tailStart ? [tailStart, tailStart] : [at, at + 1];
}
