import { createHash } from 'node:crypto';
import * as assert from 'uvu/assert';
import { decodeLine } from '../../src/core/bytes/text.ts';
import { SiteRules } from '../../src/core/sites/site-rules.ts';
import { canonicalForm, parseBase } from '../../src/core/url/canonicalize.ts';
import { Failure, UrlError } from '../../src/core/url/failure.ts';
import { formOf, type Options, type UrlForm } from '../../src/core/url/options.ts';
import type { Base, DefaultScheme } from '../../src/core/url/parsed-url.ts';
import { optionsOf, profileOf } from '../../src/core/url/profile.ts';
import { NoVarySearchError } from '../../src/core/url/search-variance.ts';
import { groupKeyOf } from '../../src/specs/sites/site.ts';
import { inputOf, type NAMES, stored } from '../vectors/stored.ts';
import { type Answer, ModuleInV8, type Output, type Question } from './answers.ts';

const REASONS = new ModuleInV8().text('reasonNames').trimEnd().split('\n');
/** As src/core/url/failure.ts numbers them: from 1. */
export const reasonNumber = (name: string): number => REASONS.indexOf(name) + 1;
export const NO_VALUE = 255;

type Name = (typeof NAMES)[number];

/** What the library in JavaScript answers. */
export function answerOfLibrary({ profile, base, scheme, siteRules, output, rows }: Question): Answer {
  const rules = siteRules === undefined ? undefined : SiteRules.parse(siteRules);
  const form = formOf(optionsOf(profile, rules));
  const read = baseIfUrl({ base, defaultScheme: scheme as DefaultScheme | undefined }, form);
  if (read instanceof UrlError) return { refused: read.message };
  const answers = rows.map((row) => valueOf(canonicalForm(decodeLine(Buffer.from(row, 'base64')), read, form), output));
  return { reasons: answers.map(([reason]) => reason), values: answers.map(([, value]) => value) };
}

function baseIfUrl(options: Options, form: UrlForm): Base | undefined | UrlError {
  try {
    return parseBase(options, form);
  } catch (error) {
    if (error instanceof UrlError) return error;
    throw error;
  }
}

function valueOf(canonical: string | Failure, output: Output): readonly [reason: number, value: string] {
  if (canonical instanceof Failure)
    return [reasonNumber(canonical.reason), typeof output === 'number' ? '00'.repeat(output) : ''];
  if (typeof output === 'number')
    return [
      0,
      createHash('sha256')
        .update(canonical)
        .digest('hex')
        .slice(0, 2 * output),
    ];
  if (output === 'reason') return [0, ''];
  const value = output === 'form' ? canonical : groupKeyOf(output, canonical);
  return value === null ? [NO_VALUE, ''] : [0, value];
}

/** The vectors of forms, those of equal profiles and bases together. */
export function questionsOfVectors(names: readonly Name[], outputs: readonly Output[]): Question[] {
  const questions = new Map<string, Omit<Question, 'output' | 'rows'> & { rows: string[] }>();
  for (const name of names) {
    for (const vector of stored(name).cases) {
      const { defaultScheme, siteRules, ...options } = vector['options'] ?? {};
      const { base } = vector;
      const profile = profileIfAny(
        siteRules === undefined ? options : { ...options, siteRules: SiteRules.parse(siteRules) },
      );
      if (profile === undefined || base === '') continue;
      const question = { profile, base, scheme: defaultScheme, siteRules, rows: [] as string[] };
      const key = JSON.stringify(question);
      const kept = questions.get(key) ?? question;
      questions.set(key, kept);
      kept.rows.push(Buffer.from(inputOf(vector)).toString('base64'));
    }
  }
  return [...questions.values()].flatMap((question) => outputs.map((output) => ({ ...question, output })));
}

/** A header that has no meaning chooses no form. */
function profileIfAny(options: Options): string | undefined {
  try {
    return profileOf(options);
  } catch (error) {
    if (error instanceof NoVarySearchError) return undefined;
    throw error;
  }
}

/** Fails where an answer is not that of the library. */
export function mustBeAnswers(questions: readonly Question[], answers: readonly Answer[]): number {
  let rowCount = 0;
  for (const [index, question] of questions.entries()) {
    const expected = answerOfLibrary(question);
    const { refused, reasons = [], values = [] } = answers[index]!;
    const { rows, ...rest } = question;
    const about = JSON.stringify(rest);
    assert.is(refused === undefined, expected.refused === undefined, `${about}: ${refused}`);
    for (const [row, text] of rows.entries()) {
      if (expected.refused !== undefined) break;
      const shown = `${about} ${Buffer.from(text, 'base64').subarray(0, 300)}`;
      assert.is(reasons[row], expected.reasons![row], `reason: ${shown}`);
      assert.is(values[row], expected.values![row], shown);
    }
    rowCount += rows.length;
  }
  return rowCount;
}
