import { asciiBytes } from '../../core/bytes/ascii.ts';
import { hexOfBytes } from '../../core/bytes/hex.ts';
import { sha256 } from '../../core/kernel/js-sha256.ts';
import { withRules } from '../../core/url/canonicalize.ts';
import { parseBase } from '../../core/url/compiled-options.ts';
import { Failure } from '../../core/url/failure.ts';
import { FORBIDDEN_DOMAIN, FORBIDDEN_HOST } from '../../core/url/host.ts';
import { formOf, type Options } from '../../core/url/options.ts';
import { siteLineOf } from '../../core/url/page-rules.ts';
import { parseUrl, withoutC0ControlsAround, withoutTabsAndNewlines } from '../../core/url/parser.ts';
import { profileOfForm } from '../../core/url/profile.ts';
import { serialize, type UrlRecord } from '../../core/url/record.ts';
import { type ExplainedFailure, type ExplainedPart, type Explanation, type Span, Steps } from './explanation.ts';
import { addRuleSteps } from './rule-steps.ts';
import {
  joined,
  PART_NAMES,
  type PartSpans,
  type Pieces,
  type Reported,
  readPositions,
  schemeIn,
  spanAt,
  spansOf,
} from './url-pieces.ts';
import { addPartSteps, addStepsBeforeFailure, PartSteps, standard } from './url-steps.ts';

/** Explains what `canonicalize` of `urlsum` does. @throws {UrlError} where `base` is not a URL */
export function explainUrl(input: string, { base, ...options }: Options): Explanation {
  const form = formOf(options);
  const { excludeFragment } = form;
  const baseRecord = parseBase(base, form);
  const steps = new Steps(input);
  addCleaning(steps, input);
  const reported: Reported = {};
  const record = parseUrl(steps.text, baseRecord, form.unicode, (step, ...left) =>
    Object.assign(reported, { [step]: left }),
  );
  const read = steps.text;
  const scheme = schemeIn(read, baseRecord?.scheme);
  const given = spansOf(read, scheme, reported);
  const explained = { specification: 'url', profile: profileOfForm(form), input } as const;
  const partSteps = new PartSteps(steps, piecesOf(read, given), unread(read, given, record));
  if (record instanceof Failure) {
    addStepsBeforeFailure(partSteps, reported);
    const failure = explainedFailure(record, input, given);
    return { ...explained, steps: steps.list, parts: partsOf(input, given, new Map()), failure };
  }
  addPartSteps(partSteps, record, baseRecord, reported);
  if (excludeFragment) partSteps.change('fragment', undefined, 'left out, as asked for', 'url-serializing');
  const serialized = serialize(record, excludeFragment);
  const canonical = withRules(serialized, form);
  addRuleSteps(partSteps, serialized, canonical, siteLineOf(serialized, form.rules?.sites));
  return {
    ...explained,
    steps: steps.list,
    parts: partsOf(input, given, joined(partSteps.pieces).spans),
    canonical,
    hash: sha256Hex(canonical),
    expressions: [],
  };
}

function addCleaning(steps: Steps, input: string): void {
  const trimmed = withoutC0ControlsAround(input);
  steps.add(trimmed, 'spaces and control characters around it removed', standard('concept-basic-url-parser'));
  steps.add(withoutTabsAndNewlines(trimmed), 'tabs and newlines removed', standard('concept-basic-url-parser'));
}

function piecesOf(text: string, spans: PartSpans): Pieces {
  return Object.fromEntries(Array.from(spans, ([name, [start, end]]) => [name, text.slice(start, end)]));
}

/** Returns what comes after the last part that the parser got to. */
function unread(text: string, given: PartSpans, record: UrlRecord | Failure): string {
  if (!(record instanceof Failure)) return '';
  const end = Math.max(0, ...Array.from(given.values(), ([, partEnd]) => partEnd));
  return text.slice(end);
}

function partsOf(input: string, given: PartSpans, canonical: PartSpans): ExplainedPart[] {
  const positions = readPositions(input);
  return PART_NAMES.filter((name) => given.has(name) || canonical.has(name)).map((name) => {
    const span = given.get(name);
    return { name, given: span && spanAt(positions, span), canonical: canonical.get(name) };
  });
}

function explainedFailure({ reason, sentence, place }: Failure, input: string, given: PartSpans): ExplainedFailure {
  const [start, end] = spanAt(readPositions(input), given.get(place) ?? [0, 0]);
  const [from, to] = offendingSpan(input.slice(start, end), reason);
  return { reason, sentence, place, span: [start + from, start + to] };
}

/** The span of the character, or its escape, that a reason is about; the whole part if it is about no one character. */
function offendingSpan(part: string, reason: string): Span {
  if (reason === 'host-invalid-code-point') return spanOfMatch(part, FORBIDDEN_HOST);
  if (reason === 'port-invalid') return spanOfMatch(part, /[^0-9]/);
  if (reason !== 'domain-invalid-code-point') return [0, part.length];
  for (const { 0: text, index } of part.matchAll(/%[0-9A-Fa-f]{2}|./gs)) {
    const character = text.length === 1 ? text : String.fromCharCode(Number.parseInt(text.slice(1), 16));
    if (FORBIDDEN_DOMAIN.test(character)) return [index, index + text.length];
  }
  return [0, part.length];
}

function spanOfMatch(part: string, pattern: RegExp): Span {
  const found = pattern.exec(part);
  return found === null ? [0, part.length] : [found.index, found.index + found[0].length];
}

/** The SHA-256 of a canonical form or an expression, which is ASCII; in JavaScript, so that one build serves all. */
export function sha256Hex(text: string): string {
  return hexOfBytes(sha256(asciiBytes(text)));
}
