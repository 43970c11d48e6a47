import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compiledOptions } from '../../../src/core/url/canonicalize.ts';
import type { Options } from '../../../src/core/url/options.ts';

const tests = suite('compiled options');

const LITERALS: readonly (() => Options)[] = [
  () => ({ excludeFragment: true }),
  () => ({ dropParams: ['a', 'b'], base: 'http://h/' }),
  () => ({ dropList: 'tracking-2026', base: new URL('http://h/') }),
  () => ({ base: undefined, dropList: 'tracking-2026', fold: undefined }),
  () => ({ base: undefined }),
];

tests('options of equal values are compiled once, those that are undefined among them', () => {
  for (const literal of LITERALS) assert.is(compiledOptions(literal()), compiledOptions(literal()));
});

tests('an option that is given after all is another', () => {
  const options: { -readonly [Name in keyof Options]: Options[Name] } = { base: undefined, excludeFragment: true };
  assert.is(compiledOptions(options).base, undefined);
  options.base = 'http://h/';
  assert.equal(compiledOptions(options).base, compiledOptions({ base: 'http://h' }).base);
  options.base = undefined;
  assert.is(compiledOptions(options).base, undefined);
});

tests.run();
