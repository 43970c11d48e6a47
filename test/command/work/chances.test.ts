import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { expectedCollisions } from '../../../src/command/work/chances.ts';

const tests = suite('chances');

tests('the expected number of collisions', () => {
  // reference values of the birthday bound: 10^9 words of 64 bits share 2.7 % of one pair
  assert.is(expectedCollisions(1e9, 8).toPrecision(3), '0.0271');
  assert.is(expectedCollisions(5e9, 8).toPrecision(3), '0.678');
  assert.is(expectedCollisions(1, 8), 0);
  assert.is(expectedCollisions(0, 8), 0);
});

tests.run();
