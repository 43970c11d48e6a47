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
/** Returns the number of a reason, as src/core/url/failure.ts has them: from 1. */
export const reasonNumber = (name: string): number => REASONS.indexOf(name) + 1;
export const NO_VALUE = 255;

type Next = (below: number) => number;
type Name = (typeof NAMES)[number];

/** The files of URLs whose inputs are Unicode. */
export const URL_VECTORS: readonly Name[] = [
  'url.json',
  'url-base.json',
  'url-unicode.json',
  'url-parameters.json',
  'url-pages.json',
  'site.json',
];

/** Returns the answer of the library in JavaScript. */
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

const NAMES_OF_PARAMETERS = ['a', 'b*', 'utm_id', 'ä', 'A b', "it's", 'x.y', '\u{1f600}', '~', 'sort', '\ud7ff'];
const FOLD_NAMES = ['empty-query', 'escapes', 'https', 'index', 'session', 'slash', 'www'] as const;

/** Options by chance, most of which can be combined. */
export function someOptions(next: Next): Options {
  const some = <T>(values: readonly T[]) => values.filter(() => next(3) === 0);
  const one = <T>(values: readonly T[]) => values[next(values.length)];
  const names = some(NAMES_OF_PARAMETERS);
  const variance = ['key-order', 'params=("a" "b")', 'except=()', 'key-order, except=("%C3%A4" "A b" "")'];
  const filters: Options[] = [
    {},
    { dropParams: names },
    { dropParams: names, dropList: 'tracking-2026' },
    names.length === 0 ? {} : { keepParams: names },
    { noVarySearch: one(variance) },
  ];
  const filter = one(filters)!;
  const isVariance = filter.noVarySearch !== undefined;
  return {
    ...filter,
    unicode: one([17, 18]),
    excludeFragment: one([true, false, 'but-routes'] as const),
    fold: some(FOLD_NAMES).filter((fold) => !isVariance || (fold !== 'empty-query' && fold !== 'session')),
    sortParams: !isVariance && next(2) === 0,
  };
}

const RULE_PARTS = [
  ...['drop a', 'keep b* c', 'sort', 'fragment', 'fold www https', 'fold index slash', 'drop %61 it%27s', 'keep ä'],
  ...['fold empty-query', 'drop %73ort', 'drop a*b', 'fold session', 'keep', 'drop x#', 'sort now', 'drop %zz', ''],
];
const RULE_HOSTS = [
  'h',
  'www.shop.example',
  'shop.example',
  '*',
  'a.b.co.uk',
  'xn--bcher-kva.example',
  '[::1]',
  'u@h',
  'B',
  '',
];
const RULE_PATHS = ['', '', '/*', '/a*', '/a/b/*', '/%41*', '/a', '/../*', '/ä*'];

/** Lines of site rules by chance; a few are refused. */
export function someSiteRules(next: Next): string {
  const one = (values: readonly string[]) => values[next(values.length)]!;
  const line = () => {
    const parts = Array.from({ length: 1 + next(3) }, () => (next(8) === 0 ? one(RULE_PARTS) : RULE_PARTS[next(8)]!));
    const [host, path] =
      next(8) === 0 ? [one(RULE_HOSTS), one(RULE_PATHS)] : [RULE_HOSTS[next(6)], RULE_PATHS[next(5)]];
    return `${host}${path} ${parts.join(one(['; ', ';', ' ;\t']))}`;
  };
  return Array.from({ length: next(8) }, line).join(one(['\n', '\r\n', '\n# comment\n\n']));
}

const PAGE_PIECES = [
  ...[
    '/a',
    '/b',
    '/',
    '//',
    '/index.html',
    '/Default.asp',
    ';jsessionid=1',
    ';JSESSIONID',
    ';x',
    '/%41',
    '/%2f',
    '%',
    '%4',
  ],
  ...[
    '?',
    '?',
    '&',
    'a=1',
    'b=2',
    'bc',
    'utm_id=1',
    'c',
    '%61=3',
    'ä=1',
    'A+b=',
    "it's",
    '#',
    '#!/x',
    '#/',
    '#!',
    '=',
    ';',
  ],
];
const PAGE_HOSTS = [
  'h',
  'www.shop.example',
  'shop.example',
  'www.www.a.co',
  'a.b.co.uk',
  'c.a.b.co.uk',
  'u:p@h:8080',
  '[::1]',
  'bücher.example',
  'www.com',
];

/** A page by chance. */
export function somePage(next: Next): string {
  const one = (values: readonly string[]) => values[next(values.length)]!;
  const scheme = one(['http://', 'https://', 'HTTP:\\\\', 'ftp://', 'http://', 'mailto:']);
  return scheme + one(PAGE_HOSTS) + one(['', '/']) + Array.from({ length: next(9) }, () => one(PAGE_PIECES)).join('');
}
