import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { nearest } from '../../../src/command/arguments/did-you-mean.ts';

const tests = suite('the nearest word');

tests('names that other tools use', () => {
  const known = ['--dedup', '--jobs', '--out', '--check', 'canon', ''];
  for (const [tried, answer] of [
    ['--unique', '--dedup'],
    ['--uniq', '--dedup'],
    ['--threads', '--jobs'],
    ['--output', '--out'],
    ['canonicalize', 'canon'],
    ['verify', '--check'],
    ['none', undefined],
  ] as const)
    assert.is(nearest(tried, known), answer);
});

tests('one or two slips, fewer in short words', () => {
  const words = ['canon', 'expressions', 'help', 'hash-uri'];
  assert.is(nearest('canonn', words), 'canon');
  assert.is(nearest('cnaon', words), 'canon', 'two exchanged');
  assert.is(nearest('expresion', words), 'expressions');
  assert.is(nearest('hepl', words), 'help');
  assert.is(nearest('hsh-uri', words), 'hash-uri');
  assert.is(nearest('xx', words), undefined);
  assert.is(nearest('cannnnon', words), undefined);
  assert.is(nearest('', words), undefined);
  assert.is(nearest('x', []), undefined);
});

tests.run();
