import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sampleLines } from '../data.ts';
import { hasProgram } from '../programs.ts';
import { assembled } from '../samples.ts';
import { cases, random } from '../seed.ts';
import type { Question } from './answers.ts';
import { answersOf, LIBRARY } from './hosts.ts';
import { mustBeAnswers, questionsOfVectors, URL_VECTORS } from './questions.ts';

const tests = suite('the module as C, in a shared library');

const PROFILE = 'url/1+unicode18';
const answered = (questions: readonly Question[]) =>
  answersOf(['python3', 'test/module/hosts/native.py', LIBRARY!], questions);

if (LIBRARY !== undefined && hasProgram('python3')) {
  tests('vectors', () => {
    const questions = questionsOfVectors(URL_VECTORS, ['form', 32, 'host', 'site', 'surt']);
    assert.ok(mustBeAnswers(questions, answered(questions)) > 10_000);
  });

  tests('100,000 lines', () => {
    const next = random();
    const made = Array.from({ length: cases(96_000) }, () => assembled(next));
    const rows = [...sampleLines(), ...made].map((line) => Buffer.from(line).toString('base64'));
    const questions: Question[] = [{ profile: PROFILE, output: 32, rows }];
    assert.ok(mustBeAnswers(questions, answered(questions)) >= 100_000);
  });
}

tests.run();
