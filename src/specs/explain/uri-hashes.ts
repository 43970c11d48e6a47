import { isBase64Character } from '../../core/bytes/base64.ts';
import { asciiLowercase } from '../../core/bytes/code-points.ts';
import { Failure } from '../../core/url/failure.ts';
import { FAILURES, type HashUri, partsOf } from '../hash-uri/hash-uri.ts';
import { canonicalizer } from '../hashed-uri/canonical-form.ts';
import { type HashOptions, hash } from '../hashed-uri/hashed-uri.ts';
import type { UriFailure } from '../hashed-uri/reference.ts';
import {
  type Clause,
  type ExplainedFailure,
  type ExplainedPart,
  type Explanation,
  type Span,
  Steps,
} from './explanation.ts';

/** What a step of the draft does, and where the draft has it. */
type Rule = readonly [change: string, place: string];

/** The rules of appendix A, by number; 2 stands for what section 4.3 (2) leaves to the scheme. */
const APPENDIX_RULES: Readonly<Record<number, Rule>> = {
  2: ['escapes of unreserved characters decoded', 'section 4.3 (2)'],
  3: ['default port deleted', 'appendix A (3)'],
  4: ['lower-cased', 'appendix A (4)'],
  5: ['leading zeroes removed', 'appendix A (5)'],
  6: ['empty segments removed', 'appendix A (6)'],
  7: ['suffix shortened', 'appendix A (7)'],
  8: ['index file removed', 'appendix A (8)'],
};

/** Explains `canonicalize` and `hash` of `urlsum/hashed-uri`. @throws as they do on options, and on a bad base */
export function explainHashedUri(input: string, { algorithm, ...options }: HashOptions): Explanation {
  const steps = new Steps(input);
  const form = canonicalizer(options, (step, text) => addStep(steps, step, text))(input);
  const explained = {
    specification: 'hashed-uri',
    profile: `hashed-uri/${options.variant}`,
    input,
    steps: steps.list,
    parts: [],
  } as const;
  if (form instanceof Failure) return { ...explained, failure: explainedFailure(form, input) };
  const hashed = hash(input, { algorithm, ...options }).toString();
  return { ...explained, canonical: form.text, hash: hashed, expressions: [] };
}

function addStep(steps: Steps, step: 'escaped' | 'absolute' | 'retained' | number, text: string): void {
  if (step === 'absolute') return addAbsolute(steps, text);
  const [change, place] = ruleOf(step);
  steps.add(text, change, draft(place));
}

function ruleOf(step: 'escaped' | 'retained' | number): Rule {
  if (step === 'escaped') return ['what no URI may hold percent-encoded', 'section 4.3, RFC 2396 section 2.4'];
  if (step === 'retained') return ['fragment and query removed, where they are not kept', 'section 4.3 (1)'];
  return APPENDIX_RULES[step]!;
}

/** Adds the absolute URI: its scheme in lower case and empty parts left out, or the one that a reference stands for. */
function addAbsolute(steps: Steps, text: string): void {
  const colon = text.indexOf(':') + 1;
  const isRelative = asciiLowercase(steps.text.slice(0, colon)) !== text.slice(0, colon);
  if (isRelative)
    return steps.add(text, 'resolved against the base URI', draft('section 4.3 (2), RFC 2396 section 5.2'));
  steps.add(text.slice(0, colon) + steps.text.slice(colon), 'scheme lower-cased', draft('section 4.3 (2)'));
  steps.add(text, 'empty parts left out', draft('appendix A (9)'));
}

function draft(place: string): Clause {
  return { name: `draft-feather-hashed-uri-03, ${place}`, address: undefined };
}

function explainedFailure(failure: UriFailure, input: string): ExplainedFailure {
  const { reason, sentence, place } = failure;
  return { reason, sentence, place, span: spanOf(failure, input) };
}

function spanOf({ reason, place, position }: UriFailure, input: string): Span {
  if (reason === 'scheme-malformed') return [0, input.indexOf(':')];
  if (position !== undefined) return [position, position + String.fromCodePoint(input.codePointAt(position)!).length];
  if (place === 'scheme') return [0, 0];
  const authority = /\/\/([^/]*)/.exec(input)?.[1];
  const start = authority === undefined ? 0 : input.indexOf(authority);
  return [start, start + (authority ?? input).length];
}

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
