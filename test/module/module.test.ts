import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SiteRules, SiteRulesError } from '../../src/core/sites/site-rules.ts';
import { failure, type UrlReason } from '../../src/core/url/failure.ts';
import type { Options } from '../../src/core/url/options.ts';
import { optionsOf, ProfileError, profileOf } from '../../src/core/url/profile.ts';
import { corpusLines, sampled } from '../data.ts';
import { assembled, mutated } from '../samples.ts';
import { cases, random } from '../seed.ts';
import { ModuleInV8, type Question } from './answers.ts';
import { mustBeAnswers, questionsOfVectors, someOptions, somePage, someSiteRules, URL_VECTORS } from './questions.ts';

const tests = suite('urlsum.wasm in V8');

const PROFILE = 'url/1+unicode18';
const module = new ModuleInV8();
const base64 = (rows: readonly string[]) => rows.map((row) => Buffer.from(row).toString('base64'));
const answered = (questions: readonly Question[]) => questions.map((question) => module.answer(question));

tests('it imports nothing, and says its version', () => {
  assert.is(module.exports.abi(), 1);
  assert.is(module.text('profile'), PROFILE);
});

tests('its reasons are those of the library', () => {
  const names = module.text('reasonNames').trimEnd().split('\n');
  for (const name of names) assert.is(failure(name as UrlReason).reason, name);
  assert.is(names.length, new Set(names).size);
  assert.ok(names.every((name) => failure(name as UrlReason).sentence !== undefined));
});

tests('vectors', () => {
  const questions = questionsOfVectors(URL_VECTORS, ['form', 32, 'host', 'site', 'surt']);
  assert.ok(mustBeAnswers(questions, answered(questions)) > 10_000);
});

tests('lines put together, and with edits', () => {
  const next = random();
  const urls = ['https://user@example.com:8080/a/../b?c=d#e', 'http://bücher.example/ä', 'file:///C|/x'];
  const rows = Array.from({ length: cases(20_000) }, (_, index) =>
    index % 2 === 0 ? assembled(next) : mutated(urls[next(urls.length)]!, next),
  );
  const profiles = [PROFILE, 'url/1+unicode17;exclude-fragment'];
  const questions = profiles.flatMap((profile): Question[] => [
    { profile, output: 'form', rows: base64(rows) },
    { profile, output: 8, scheme: 'http', rows: base64(rows) },
    { profile, output: 'form', base: 'http://h/a/b?c', rows: base64(rows) },
  ]);
  mustBeAnswers(questions, answered(questions));
});

tests('options and pages by chance', () => {
  const next = random();
  for (let round = cases(150); round > 0; round--) {
    const rules = someSiteRules(next);
    const siteRules = next(2) === 0 && rulesIfAny(rules) !== undefined ? rules : undefined;
    const options = {
      ...someOptions(next),
      siteRules: siteRules === undefined ? undefined : SiteRules.parse(siteRules),
    };
    const profile = profileIfAny(options);
    if (profile === undefined) continue;
    const rows = base64(Array.from({ length: 200 }, () => somePage(next)));
    const questions: Question[] = [{ profile, ...(siteRules && { siteRules }), output: 'form', rows }];
    mustBeAnswers(questions, answered(questions));
  }
});

tests('site rules are read and refused as by the library', () => {
  const next = random();
  let refusedCount = 0;
  for (let round = cases(2000); round > 0; round--) {
    const text = someSiteRules(next);
    const { refused, values } = module.siteRules(text);
    const expected = rulesIfAny(text);
    if (expected === undefined) refusedCount++;
    assert.is(refused === undefined ? values.toString() : undefined, expected?.id, `${refused}: ${text}`);
  }
  assert.ok(refusedCount > cases(200));
});

tests('profiles are refused with the words of the library', () => {
  const next = random();
  const words = new Set<string>();
  const settings = [
    'exclude-fragment',
    'exclude-fragment=x',
    'drop-list=tracking-2026',
    'drop-list=x',
    'drop-params=a,b',
  ];
  settings.push(
    'drop-params=b,a',
    'drop-params=%C3%A4',
    'drop-params=ä',
    'drop-params=%zz',
    'keep-params=a',
    'keep-params=',
  );
  settings.push('fold=https,www', 'fold=www,https', 'fold=x', 'no-vary-search=key-order', 'no-vary-search=except(b,a)');
  settings.push(
    'no-vary-search=except',
    'no-vary-search=params()',
    'no-vary-search=x',
    'site-rules=00',
    'sort-params',
    'y',
  );
  const starts = [
    'url/1+unicode18',
    'url/1+unicode18',
    'url/1+unicode17',
    'url/1+unicode16',
    'url/2+unicode18',
    'sb',
    '',
  ];
  for (let round = cases(4000); round > 0; round--) {
    const chosen = settings.filter(() => next(12) === 0);
    const profile = [starts[next(starts.length)]!, ...chosen].join(';');
    if (profile === '') continue;
    const [word] = module.configure(profile)?.split(':') ?? [];
    assert.is(word, reasonOf(profile), profile);
    words.add(word ?? '');
  }
  assert.equal([...words].sort(), [
    '',
    'not-a-profile',
    'other-spelling',
    'other-version',
    'unknown-list',
    'unknown-rules',
  ]);
});

tests('lines of a text are its rows', () => {
  module.configure(PROFILE);
  const text = 'http://a/\r\n\n x\r\r\nhttp://b/\r';
  const { reasons, values, offsets } = module.lines(Buffer.from(text), 'form');
  assert.equal([...reasons], [0, 1, 1, 0]);
  assert.equal([...offsets!], [0, 9, 9, 9, 18]);
  assert.is(values.toString(), 'http://a/http://b/');
  assert.is(module.lines(Buffer.alloc(0), 'form').reasons.length, 0);
});

for (const name of ['main', 'intl', 'changed', 'files']) {
  const lines = sampled(corpusLines(name), 20);
  if (lines.length === 0) continue;
  tests(`corpus/${name}: ${lines.length} lines`, () => {
    const questions: Question[] = [{ profile: PROFILE, output: 32, rows: base64(lines) }];
    mustBeAnswers(questions, answered(questions));
  });
}

function rulesIfAny(text: string): SiteRules | undefined {
  try {
    return SiteRules.parse(text);
  } catch (error) {
    if (error instanceof SiteRulesError) return undefined;
    throw error;
  }
}

function profileIfAny(options: Options): string | undefined {
  try {
    return profileOf(options);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function reasonOf(profile: string): string | undefined {
  try {
    optionsOf(profile);
    return undefined;
  } catch (error) {
    if (error instanceof ProfileError) return error.reason;
    throw error;
  }
}

tests.run();
