import { hexOfByte } from '../bytes/hex.ts';
import { CanonicalUrl } from './canonical-url.ts';
import { Canonicalizer } from './canonicalizer.ts';
import { expressionList } from './expressions.ts';
import { failure, type SafeBrowsingPlace, type SafeBrowsingReason } from './failure.ts';
import { InputBytes, type UrlInput } from './input.ts';
import { type ExpressionOptions, type Reading, readingOf, settingsOf } from './settings.ts';

/** Every way to read a URL. */
export const READINGS: readonly Reading[] = [
  { profile: 'web-risk', mode: 'spec' },
  { profile: 'web-risk', mode: 'browser' },
  { profile: 'v5', mode: 'spec' },
  { profile: 'v5', mode: 'browser' },
];

/** What a step of the page left. */
export interface ExplainedStep {
  /** The step, in words. */
  readonly step: string;
  /** Bytes that are not printable appear as \xHH. */
  readonly text: string;
}

/** Why the steps ended early. */
export interface ExplainedFailure {
  /** The reason, as SafeBrowsingUrlError has it. */
  readonly reason: SafeBrowsingReason;
  /** The part of the input that it lies in. */
  readonly place: SafeBrowsingPlace;
  /** The reason in words. */
  readonly sentence: string;
}

/** How one reading of a URL comes about. */
export interface Explanation {
  /** The input, its bytes shown as those of the steps are. */
  readonly given: string;
  /** Those that changed the text, in order. */
  readonly steps: readonly ExplainedStep[];
  /** Why the steps ended early. */
  readonly failure: ExplainedFailure | undefined;
}

/**
 * How `canonicalize` gets to its result under one reading, from the canonicalizer itself; what has no host has a
 * failure.
 *
 * @deprecated `explain` of `urlsum/explain` has one shape for all specifications; gone in the next version
 * @param url a string, or bytes
 * @param reading one of READINGS
 */
export function explain(url: UrlInput, reading: Reading): Explanation {
  const { profile, mode } = readingOf(reading);
  const steps: ExplainedStep[] = [];
  const input = new InputBytes();
  if (!input.set(url)) return { given: '', steps, failure: failure('input-type') };
  const canonicalizer = new Canonicalizer((step, bytes, start, end) =>
    steps.push({ step, text: visible(bytes, start, end) }),
  );
  const given = visible(input.bytes, input.start, input.end);
  return {
    given,
    steps,
    failure: canonicalizer.runSteps(input.bytes, input.start, input.end, { profile, mode }, new CanonicalUrl()),
  };
}

function visible(bytes: Uint8Array, start: number, end: number): string {
  return Array.from(bytes.subarray(start, end), (byte) => {
    return byte > 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\x${hexOfByte(byte)}`;
  }).join('');
}

/**
 * Each expression that any reading looks up, with the readings that do.
 *
 * @param url a string, or bytes
 * @param options whether private suffixes count
 * @throws {TypeError} on options that are not an object
 * @throws {RangeError} on an option, or a value of one, that does not exist
 * @example
 * const readings = readingsOfExpressions('http://good.com%2F@evil.com/');
 * readings.get('evil.com/')?.map(({ mode }) => mode); //=> ['browser', 'browser']
 */
export function readingsOfExpressions(url: UrlInput, options: ExpressionOptions = {}): Map<string, Reading[]> {
  const settings = settingsOf(options);
  const readings = new Map<string, Reading[]>();
  for (const reading of READINGS) {
    const list = expressionList(url, { ...settings, ...reading });
    if (!Array.isArray(list)) continue;
    for (const expression of list) readings.set(expression, [...(readings.get(expression) ?? []), reading]);
  }
  return readings;
}
