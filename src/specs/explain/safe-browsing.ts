import { isBytes } from '../../core/argument.ts';
import { CARRIAGE_RETURN, LINE_FEED, TAB } from '../../core/bytes/code-points.ts';
import { decodeLine } from '../../core/bytes/utf8.ts';
import { CanonicalUrl } from '../safe-browsing/canonical-url.ts';
import { Canonicalizer } from '../safe-browsing/canonicalize.ts';
import { expressionList } from '../safe-browsing/expressions.ts';
import type { SafeBrowsingFailure } from '../safe-browsing/failure.ts';
import { InputBytes, type UrlInput } from '../safe-browsing/input.ts';
import { schemeColon } from '../safe-browsing/scheme.ts';
import { READINGS, type Reading, type Settings } from '../safe-browsing/settings.ts';
import { type ExplainedExpression, type Explanation, type Span, Steps } from './explanation.ts';
import { shownBytes, TracedUrl } from './safe-browsing-steps.ts';
import { explainUrl, sha256Hex } from './url.ts';

/** Explains what `canonicalize`, `expressions` and `hashes` of `urlsum/safe-browsing` do in one reading. */
export function explainSafeBrowsing(url: UrlInput, settings: Settings & Pick<Reading, 'mode'>): Explanation {
  const { profile, mode } = settings;
  const input = new InputBytes();
  input.set(url);
  const bytes = input.bytes.slice(input.start, input.end);
  const shown = isBytes(url) ? shownBytes(url) : String(url);
  const steps = new Steps(shown);
  steps.add(shownBytes(bytes), 'read as UTF-8, without a byte order mark', { name: 'RFC 3629', address: undefined });
  const traced = new TracedUrl(steps, profile);
  const canonicalUrl = new CanonicalUrl();
  const failed = new Canonicalizer(traced.onStep).run(bytes, 0, bytes.length, settings, canonicalUrl);
  const explained = {
    specification: profile,
    profile: `${profile}/${mode}`,
    input: shown,
    steps: steps.list,
    parts: [],
  };
  if (failed !== undefined) {
    const span = mode === 'browser' ? browserSpan(shown, failed) : specSpan(shown, bytes, failed, traced);
    return { ...explained, failure: { reason: failed.reason, sentence: failed.sentence, place: failed.place, span } };
  }
  const { bytes: canonicalBytes, start, end } = canonicalUrl;
  return {
    ...explained,
    canonical: decodeLine(canonicalBytes.subarray(start, end)),
    hash: undefined,
    expressions: explainedExpressions(url, settings),
  };
}

function explainedExpressions(url: UrlInput, settings: Settings): ExplainedExpression[] {
  const list = expressionList(url, settings);
  if (!Array.isArray(list)) return [];
  const readings = readingsOfExpressions(url, settings);
  return list.map((expression) => ({
    expression,
    hash: sha256Hex(expression),
    readings: readings.get(expression) ?? [],
  }));
}

/** Returns where the page's steps fail: in the host that they found, or in what they read as a scheme. */
function specSpan(input: string, bytes: Uint8Array, { place }: SafeBrowsingFailure, url: TracedUrl): Span | undefined {
  const { escaped, unescaped, start, hostSpan } = url;
  const colon = start + schemeColon(unescaped, 0, unescaped.length);
  const [from, to] = place === 'host' && hostSpan !== undefined ? hostSpan : [start, colon];
  const unchanged = start + commonLength(escaped, unescaped);
  if (to > unchanged) return undefined; // only the removal of escapes made it
  const kept = keptOffsets(bytes);
  const first = kept[from] ?? bytes.length;
  const last = to > from ? kept[to - 1]! + 1 : first;
  const markLength = input.startsWith('\ufeff') ? 1 : 0;
  return [first, last].map((offset) => markLength + shownBytes(bytes.subarray(0, offset)).length) as unknown as Span;
}

function commonLength(one: Uint8Array, other: Uint8Array): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}

/** Returns the positions of the bytes that the first step does not remove. */
function keptOffsets(bytes: Uint8Array): number[] {
  return Array.from(bytes.keys()).filter((at) => ![TAB, LINE_FEED, CARRIAGE_RETURN].includes(bytes[at]!));
}

const ADDED_SCHEME = 'http://';

/** Returns where the URL Standard fails, on the input or, as in a browser, with `http://` before it. */
function browserSpan(input: string, { reason, place }: SafeBrowsingFailure): Span | undefined {
  const given = explainUrl(input, {});
  if (given.failure?.reason === reason) return given.failure.span;
  if (place === 'scheme') return given.parts.find(({ name }) => name === 'scheme')?.given;
  const start = input.search(/[^\0- ]/);
  const { failure } = explainUrl(`${input.slice(0, start)}${ADDED_SCHEME}${input.slice(start)}`, {});
  if (failure?.reason !== reason || failure.span === undefined) return undefined;
  const [from, to] = failure.span;
  return [from - ADDED_SCHEME.length, to - ADDED_SCHEME.length];
}

/** Returns each expression that any reading looks up, with the readings that do. */
function readingsOfExpressions(url: UrlInput, settings: Settings): Map<string, Reading[]> {
  const readings = new Map<string, Reading[]>();
  for (const reading of READINGS) {
    const list = expressionList(url, { ...settings, ...reading });
    if (!Array.isArray(list)) continue;
    for (const expression of list) readings.set(expression, [...(readings.get(expression) ?? []), reading]);
  }
  return readings;
}
