import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { canonicalize } from '../../../src/index.ts';
import { mustTakeAtMost } from '../../support/linear.ts';
import { cases, random, SCALE } from '../../support/seed.ts';

const tests = suite('percent-encoding');

tests('what is escaped everywhere takes no multiple of the time that the host takes', () => {
  for (const text of [' ', '\u00e9', '\ud800', '\ud83d\ude00'])
    for (const part of ['http://h/', 'http://h/?', 'http://h/#'])
      mustTakeAtMost(
        6,
        JSON.stringify(part + text),
        `${part}${text.repeat(SCALE >= 10 ? 1 << 20 : 1 << 16)}x`,
        canonicalize,
        (url) => new URL(url).href,
      );
});

tests('a text is escaped alike where it is long, wherever a piece ends', () => {
  const next = random();
  const pieces = [' ', 'a', '\u00e9', '\u20ac', '\ud83d\ude00', '\ud800', '\udc00', '%', '"', '\x7f', '^'];
  const piecesOf = (count: number) => Array.from({ length: count }, () => pieces[next(pieces.length)]!).join('');
  for (let count = cases(60); count > 0; count--) {
    const text = `${piecesOf(500 + next(20_000))}.`; // which ends in no space
    const encoded = text.replace(/[^!-~]|["<>`]/gu, (character) =>
      Buffer.from(character).toString('hex').toUpperCase().replace(/../g, '%$&'),
    );
    assert.ok(canonicalize(`a:b#${text}`) === `a:b#${encoded}`, `${text.length} units`);
  }
});

tests.run();
