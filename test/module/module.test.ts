import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { failure, type UrlReason } from '../../src/core/url/failure.ts';
import { corpusLines, sampled } from '../data.ts';
import { assembled, mutated } from '../samples.ts';
import { cases, random } from '../seed.ts';
import { ModuleInV8, type Question } from './answers.ts';
import { mustBeAnswers, questionsOfVectors } from './questions.ts';

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
  const questions = questionsOfVectors(['url.json', 'url-base.json', 'url-unicode.json'], ['form', 32]);
  assert.ok(mustBeAnswers(questions, answered(questions)) > 1000);
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

tests.run();
