import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { canonicalize, optionsOf, profileOf, UrlHasher } from '../../../src/index.ts';
import { corpusLines, sampleLines } from '../../data.ts';
import { mutated, SAMPLE_URLS } from '../../samples.ts';
import { halvedCases, random } from '../../seed.ts';
import { errorOf } from '../../thrown.ts';
import { KERNELS } from '../kernel/kernels.ts';

const tests = suite('No-Vary-Search');

/** Values, and what the profile has of each: the cases of the draft, 5.1 and 5.2, and of Chromium's unit tests. */
const VALUES: readonly (readonly [value: string, written: string])[] = [
  ['params', 'params'],
  ['params=?1', 'params'],
  ['params;unknown', 'params'],
  ['params, except=()', 'params'],
  ['key-order', 'key-order'],
  ['key-order=?1', 'key-order'],
  ['key-order;unknown', 'key-order'],
  ['key-order, params=()', 'key-order'],
  ['key-order, params=?0', 'key-order'],
  ['params=("a")', 'params(a)'],
  ['params=("b" "a" "b")', 'params(a,b)'],
  ['params=( "a"  "b" )', 'params(a,b)'],
  ['params=("a");unknown', 'params(a)'],
  ['params=("a";unknown;b=1)', 'params(a)'],
  ['params=("")', 'params()'],
  ['params=("%C2%A2")', 'params(%C2%A2)'],
  ['params=("+%C2%A2")', 'params(%20%C2%A2)'],
  ['params=("%C3%A9+%E6%B0%97")', 'params(%C3%A9%20%E6%B0%97)'],
  ['params=("%61" "a")', 'params(a)'],
  ['params=("%E4")', 'params(%EF%BF%BD)'],
  ['params=("\\"\\\\,;=()*~")', 'params(%22%5C%2C%3B%3D%28%29*~)'],
  ['params, except=("x")', 'params,except(x)'],
  ['except=("x"), params', 'params,except(x)'],
  ['params;unknown,except=("a");unknown', 'params,except(a)'],
  ['params=?1, except=("a"), key-order', 'key-order,params,except(a)'],
  ['params, key-order, except=("x")', 'key-order,params,except(x)'],
  ['params, except=(a), unknown-key, except=("a")', 'params,except(a)'],
  ['params=("a"), params=("b")', 'params(b)'],
  ['params=("a" b), params=("c")', 'params(c)'],
  ['params=("a"),key-order=?0', 'params(a)'],
  ['  params=("a")\t,\t x=:YQ==: , y=1.5, z=@-1, w=%"f%c3%bc", v=tok/en, u=-12, t=(1 2.0;q "s"), params ', 'params'],
];

tests('values have one profile, in which names are decoded, sorted and there once', () => {
  for (const [value, written] of VALUES) {
    const profile = profileOf({ noVarySearch: value });
    assert.is(profile, `${profileOf()};no-vary-search=${written}`, value);
    const options = optionsOf(profile);
    assert.is(profileOf(options), profile, value);
    assert.equal(Object.keys(options), ['noVarySearch']);
  }
});

/** What the draft and Chromium read as the default, or cannot read: RFC 9651, 4.2. */
const REFUSED = [
  '',
  'unknown-key',
  '"a"',
  '(a)',
  'params=()',
  'params=?0',
  'key-order=?0',
  'params=a',
  'key-order, params=a',
  'key-order, params=(a)',
  'key-order, except=("a")',
  'key-order, params=?0, except=()',
  'params="a"',
  'params=("a" b)',
  'params=(not-a-string)',
  'params=(1)',
  'key-order="a"',
  'key-order=a',
  'key-order=()',
  'key-order=("a")',
  'key-order=(?1)',
  'params=("a"), except=("x")',
  'params=(), except=()',
  'params=?0, except=("x")',
  'params, except=(a)',
  'params, except="x"',
  'params, except',
  'params, except=?1',
  'except=("x")',
  'except=()',
  'params=("a"), params=?0',
  'params,except=(),params=()',
  'params=("a"),',
  'params=("a")x',
  'params=("a"',
  'params=("a""b")',
  'params=("a"\t"b")',
  'params=("a\\b")',
  'params=("ä")',
  'Params',
  'params =("a")',
  'params= ("a")',
  '\tparams',
  'params,,key-order',
  'params=("a");',
  'params=1234567890123456',
  'params, x=1.',
  'params, x=1234567890123.1',
  'params, x=?2',
  'params=("a")\n',
];

tests('a value that is read as the default is an error', () => {
  for (const value of REFUSED) {
    const error = errorOf(() => profileOf({ noVarySearch: value }));
    assert.instance(error, RangeError, value);
    assert.match(error.message, /^noVarySearch is read as the default/);
  }
  assert.instance(
    errorOf(() => profileOf({ noVarySearch: ['a'] as never })),
    TypeError,
  );
});

tests('it excludes what else is said of parameters', () => {
  const noVarySearch = 'params';
  for (const [options, message] of [
    [{ preset: 'page-2026' }, 'preset and noVarySearch cannot be combined'],
    [{ dropParams: ['a'] }, 'dropParams and noVarySearch cannot be combined'],
    [{ keepParams: ['a'] }, 'keepParams and noVarySearch cannot be combined'],
    [{ sortParams: true }, 'noVarySearch and sortParams cannot be combined'],
    [{ fold: ['session'] }, 'noVarySearch and fold session cannot be combined'],
    [{ fold: ['www', 'empty-query'] }, 'noVarySearch and fold empty-query cannot be combined'],
  ] as const) {
    const error = errorOf(() => profileOf({ noVarySearch, ...options } as never));
    assert.is(`${error}`, `RangeError: ${message}`);
  }
});

/** Value, two queries, and whether the draft (6, and its examples) and Chromium have them as equivalent. */
const COMPARED: readonly (readonly [string, string, string, boolean])[] = [
  ['key-order', 'a=2&b=3', 'b=3&a=2', true],
  ['key-order', 'a=2&c=5&b=3', 'c=4&b=3&a=2', false],
  ['key-order', 'd=6&a=4&b=5&b=3&c=5&a=3', 'b=5&a=3&a=4&d=6&c=5&b=3', false],
  ['key-order', 'd=6&a=3&b=5&b=3&c=5&a=4', 'b=5&a=3&a=4&d=6&c=5&b=3', true],
  ['key-order', 'c+1=3&b+%202=2&a=1&%63%201=2&a=5', 'a=1&b%20%202=2&%63%201=3&a=5&c+1=2', true],
  ['key-order', 'a&b&c&a=2&d&=5&=1&=3', 'c&d&b&a&=5&=1&a=2&=3', true],
  ['key-order', 'a&b&c&a=2&d&=5&=1&=3', 'c&d&b&a&=5&a=2&=3', false],
  ['key-order', 'a=x', '%61=%78', true],
  ['key-order', 'a=é', 'a=%C3%A9', true],
  ['key-order', 'a=%f6', 'a=%ef%bf%bd', true],
  ['key-order', 'a=%E4', 'a=%F6', true],
  ['key-order', 'a=x&&&&', 'a=x', true],
  ['key-order', 'a=', 'a', true],
  ['key-order', 'a=%20', 'a=+', true],
  ['key-order', 'a= &', 'a=+', true],
  ['key-order', '%EF%BB%BFa', 'a', false],
  ['params=("c")', 'a=2&c=3&b=2', 'a=2&b=2&c=5', true],
  ['params=("c")', 'a=%3&%3=b', 'a=%3&c=3&%3=b', true],
  ['params=("a")', '', 'a=2', true],
  ['params=("+a")', '+a=3', '+a=2', true],
  ['params=("+a")', '+a=3', 'a=2', false],
  ['params=("d"), key-order', '%C3%A9=f&a=2&c=4&é=b', 'a=2&é=f&c=4&d=7&é=b', true],
  ['params=("d" "%C3%A9")', '%C3%A9=g&a=2&c=4&é=b', 'a=2&é=f&c=4&d=7&é=b', true],
  ['params, except=("c")', 'a=1&b=2&c=3', 'b=5&a=3&d=6&c=3', true],
  ['params, except=("c")', 'a=1&b=2&c=5', 'b=5&a=3&d=6&c=3', false],
  ['params, except=("c" "d")', 'd=6&a=1&a=2&b=2&b=3&c=5', 'b=5&a=3&a=4&d=6&c=5', true],
  ['params, except=("%C3%A9")', '%C3%A9=g&a=2&c=4&é=b', 'a=2&é=f&c=4&d=7&é=b', false],
  ['params', 'a=1&b=2&c=5', '', true],
];

tests('two URLs have one form where they are equivalent modulo search variance, and only there', () => {
  for (const [noVarySearch, one, other, isEquivalent] of COMPARED) {
    const [a, b] = [one, other].map((query) => canonicalize(`https://a.test/index.html?${query}`, { noVarySearch }));
    assert.is(a === b, isEquivalent, `${noVarySearch}: ${a} ${b}`);
  }
});

interface Variance {
  readonly names: readonly string[];
  readonly isExcept: boolean;
  readonly isSorted: boolean;
}

/** A second reading of the draft, 6: by the host's URLSearchParams. */
function reading(form: string, { names, isExcept, isSorted }: Variance): string {
  const [, start, query, fragment = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(form)!;
  if (query === undefined || !/^[^:]*:\//.test(form)) return form;
  const pairs = new URLSearchParams(query);
  if (isSorted) pairs.sort();
  const left = new URLSearchParams([...pairs].filter(([name]) => names.includes(name) === isExcept));
  return `${start}${left.size === 0 ? '' : `?${left}`}${fragment}`;
}

const NAMES = ['a', 'b', 'é 気', '', 'id', 'q', 'utm_source', 'a*', '~', '"', 'page'];
const PARAMETERS = [
  'a=1',
  'b',
  '%C3%A9+%E6%B0%97=3',
  '=',
  '',
  'id=%zz',
  "q=~*!'()",
  'utm_source=%E4',
  'a*=%ff',
  '%7e',
  '%22',
  'page=1=2',
];
const LINES = [...SAMPLE_URLS, ...sampleLines()];

tests('mutated URLs: as the second reading, idempotent, and the same in all kernels', () => {
  const next = random();
  const one = <T>(items: readonly T[]): T => items[next(items.length)]!;
  const lines = [...LINES, ...corpusLines('main').slice(0, 20_000)];
  for (let count = 0; count < halvedCases(150); count++) {
    const names = NAMES.filter(() => next(3) === 0);
    const [isExcept, isSorted] = [next(2) === 0, next(2) === 0];
    const list = names.map((name) => `"${encodeURIComponent(name)}"`).join(' ');
    const params = isExcept ? `params, except=(${list})` : `params=(${list})`;
    const noVarySearch = isSorted ? `${params}, key-order` : params;
    if (!isExcept && !isSorted && names.length === 0) continue;
    const urls = Array.from({ length: 200 }, () => {
      if (next(2) === 0) return mutated(one(lines), next).replaceAll('\n', '');
      const query = Array.from({ length: next(6) }, () => one(PARAMETERS)).join('&');
      return `${one(['http', 'https', 'foo', 'mailto'])}:${one(['//h/p', '/p', 'p', '//h.example'])}?${query}${one(['', '#', '#?a'])}`;
    });
    const given = urls.map((url) => Buffer.from(url).toString());
    const forms = given.map((url) => {
      try {
        return canonicalize(url);
      } catch {
        return undefined;
      }
    });
    const expected = forms.map((form) => form && reading(form, { names, isExcept, isSorted }));
    for (const [index, form] of forms.entries()) {
      if (form === undefined) continue;
      assert.is(canonicalize(form, { noVarySearch }), expected[index], `${noVarySearch} ${form}`);
      assert.is(canonicalize(expected[index]!, { noVarySearch }), expected[index], `not idempotent: ${noVarySearch}`);
    }
    const plain = new UrlHasher();
    for (const { name } of KERNELS) {
      const column = new UrlHasher({ noVarySearch, kernel: name }).hashLines(Buffer.from(given.join('\n')));
      for (const [row, form] of expected.entries())
        assert.is(column.hex(row), form === undefined ? undefined : plain.hash(form).hex, `${name} ${given[row]}`);
    }
  }
});

tests('forms that do not fit beside the lines go through the parser', () => {
  const lines = Array.from({ length: 2000 }, (_, index) => `http://h/${index}?${'a&'.repeat(30)}`);
  const expected = lines.map((line) => canonicalize(line, { noVarySearch: 'key-order' }));
  for (const { name } of KERNELS) {
    const column = new UrlHasher({ noVarySearch: 'key-order', kernel: name }).hashMany(lines);
    for (const row of [0, 1000, 1999]) assert.is(column.hex(row), new UrlHasher().hash(expected[row]!).hex);
  }
});

tests.run();
