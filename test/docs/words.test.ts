import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const tests = suite('words');

/** Words that were given up, as patterns, and the word of docs/glossary.md in their place. */
const GIVEN_UP: readonly (readonly [pattern: string, word: string])[] = [
  ['hash ?sums?|hash codes?|message digests?', 'hash, or digest'],
  ['partial hash(?:es)?', 'prefix'],
  ['canonical URLs?|normali[sz]ed (?:URL|form)s?', 'canonical form'],
  ['(?:query|search) parameters?', 'parameter'],
  ['(?:registered|base|root|apex) domains?', 'site'],
  ['web address(?:es)?', 'URL'],
  ['(?:block|black|white|deny)lists?', 'list'],
  ['(?<!no such file or )director(?:y|ies)', 'folder'],
  ['sub-?commands?', 'command'],
  ['(?:exit|error) codes?', 'exit status, or reason'],
  ['null bytes?', 'NUL'],
  ['line breaks?', 'line end'],
  ['whitespace', 'white space'],
  ['standard in|standard out|standard err', 'standard input, standard output, standard error'],
  ['is none of them|of another number of', 'a sentence that begins with its subject'],
];

const OURS = /^(?:(?:src|assembly|demo|docs|test|tools|bench|vectors)\/.*\.(?:ts|mjs|md|html)|[A-Z]+\.md)$/;

function wordsIn(text: string): string[] {
  return GIVEN_UP.flatMap(([pattern, word]) =>
    Array.from(text.matchAll(new RegExp(`\\b(?:${pattern})\\b`, 'gi')), ([found]) => `${found}: ${word}`),
  );
}

tests('words that were given up are nowhere', () => {
  const paths = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' });
  const own = paths.split('\n').filter((path) => OURS.test(path) && path !== 'test/docs/words.test.ts');
  assert.ok(own.length > 300, `only ${own.length} files`);
  const found = own.flatMap((path) => wordsIn(readFileSync(path, 'utf8')).map((word) => `${path}: ${word}`));
  assert.equal(found, []);
});

tests('each is found where it stands', () => {
  assert.equal(wordsIn('The exit code of a Sub-command.'), [
    'Sub-command: command',
    'exit code: exit status, or reason',
  ]);
});

tests('the glossary has each of its words once', () => {
  const words = Array.from(readFileSync('docs/glossary.md', 'utf8').matchAll(/^\| .*?\| /gm), ([row]) => row).flatMap(
    (row) => Array.from(row.matchAll(/\*\*(.+?)\*\*/g), ([, word]) => word!),
  );
  assert.ok(words.length > 25, `only ${words.length} words`);
  assert.equal(words.length, new Set(words).size);
});

tests.run();
