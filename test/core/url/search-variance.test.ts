import { parseDictionary } from 'structured-headers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { quote } from '../../../src/core/quote.ts';
import { SiteRules } from '../../../src/core/sites/site-rules.ts';
import {
  canonicalize,
  NoVarySearch,
  NoVarySearchError,
  optionsOf,
  type ProfileError,
  profileOf,
  UrlHasher,
} from '../../../src/index.ts';
import { corpusLines, sampleLines } from '../../support/data.ts';
import { mutated, SAMPLE_URLS } from '../../support/samples.ts';
import { cases, halvedCases, random } from '../../support/seed.ts';
import { errorOf } from '../../support/thrown.ts';
import { KERNELS } from '../kernel/kernels.ts';

const tests = suite('No-Vary-Search');

/** Values, and what the profile has of each: the cases of the draft, 5.1 and 5.2, and of Chromium's unit tests. */
const VALUES: readonly (readonly [value: string, written: string])[] = [
  ['except=()', 'except'],
  ['except=("")', 'except()'],
  ['except=("id")', 'except(id)'],
  ['key-order, except=("id")', 'key-order,except(id)'],
  ['except=("x"), key-order', 'key-order,except(x)'],
  ['key-order, except=()', 'key-order,except'],
  ['except=("" "a")', 'except(,a)'],
  // by the draft invalid; Chromium, Firefox and MDN
  ['params', 'except'],
  ['params=?1', 'except'],
  ['params;unknown', 'except'],
  ['params, except=()', 'except'],
  ['params, except=("x")', 'except(x)'],
  ['except=("x"), params', 'except(x)'],
  ['params;unknown,except=("a");unknown', 'except(a)'],
  ['params=?1, except=("a"), key-order', 'key-order,except(a)'],
  ['params, key-order, except=("x")', 'key-order,except(x)'],
  ['params, except=(a), unknown-key, except=("a")', 'except(a)'],
  ['key-order', 'key-order'],
  ['key-order=?1', 'key-order'],
  ['key-order;unknown', 'key-order'],
  ['key-order, params=()', 'key-order'],
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
  ['params=("\\"\\\\,;=()*~")', 'params(%22%5C%2C%3B%3D%28%29%2A~)'],
  ['params=("*" "a*" "*a" "a*b*")', 'params(*,%2Aa,a*,a%2Ab*)'],
  ['params=("a"), params=("b")', 'params(b)'],
  ['params=("a" b), params=("c")', 'params(c)'],
  ['params=("a"),key-order=?0', 'params(a)'],
  ['params=("%\\"%zz")', 'params(%25%22%25zz)'],
  ['  params=("a")\t,\t x=:YQ==: , y=1.5, z=@-1, w=%"f%c3%bc", v=tok/en, u=-12, t=(1 2.0;q "s"), params ', 'except'],
];

tests('values have one profile, in which names are decoded, sorted and there once', () => {
  for (const [value, written] of VALUES) {
    const profile = profileOf({ noVarySearch: value });
    assert.is(profile, `${profileOf()};no-vary-search=${written}`, value);
    const options = optionsOf(profile);
    assert.is(profileOf(options), profile, value);
    assert.equal(Object.keys(options), ['noVarySearch']);
    const spelled = NoVarySearch.of(value).value!;
    assert.equal(options, { noVarySearch: spelled }, value);
    assert.not.match(spelled, /^params(?!=)/, 'the spelling of the draft');
    assert.is(NoVarySearch.of(spelled).value, spelled);
  }
});

tests('a profile that is spelled otherwise is refused with the spelling of this build', () => {
  for (const [former, spelling] of [
    ['params', 'except'],
    ['params,except(id)', 'except(id)'],
    ['key-order,params,except(id)', 'key-order,except(id)'],
    ['params(b,a)', 'params(a,b)'],
    ['params(a*b)', 'params(a%2Ab)'],
  ] as const) {
    const error = errorOf(() => optionsOf(`${profileOf()};no-vary-search=${former}`)) as ProfileError;
    assert.is(error.reason, 'other-spelling', former);
    assert.is(error.spelling, `${profileOf()};no-vary-search=${spelling}`);
    assert.ok(error.message.includes(`spells its options ${error.spelling} `), error.message);
  }
});

const DEFAULT = 'equivalent to no header';
const KEY_ORDER = 'key-order must be a boolean';
const PARAMS = 'params must be a list of strings';
const EXCEPT = 'except must be a list of strings';
const BOTH = 'params and except exclude each other';
const at = (position: number) => `not a structured field: no member of a dictionary at position ${position}`;

/** Values that are read as the default, and why: the draft, 5.1, and RFC 9651, 4.2. */
const REFUSED: readonly (readonly [value: string, reason: string])[] = [
  ['', DEFAULT],
  ['   ', DEFAULT],
  ['unknown-key', DEFAULT],
  ['params=()', DEFAULT],
  ['key-order=?0', DEFAULT],
  ['params=(), key-order=?0', DEFAULT],
  ['params=?0', PARAMS],
  ['params=a', PARAMS],
  ['params="a"', PARAMS],
  ['params=("a" 1)', PARAMS],
  ['params=("a" b)', PARAMS],
  ['params=(not-a-string)', PARAMS],
  ['params=(1)', PARAMS],
  ['params=("a"), params=?0', PARAMS],
  ['key-order, params=a', PARAMS],
  ['key-order, params=(a)', PARAMS],
  ['key-order, params=?0', PARAMS],
  ['key-order="a"', KEY_ORDER],
  ['key-order=a', KEY_ORDER],
  ['key-order=()', KEY_ORDER],
  ['key-order=("a")', KEY_ORDER],
  ['key-order=(?1)', KEY_ORDER],
  ['params=("a"), except=("x")', BOTH],
  ['params=("a"), except=()', BOTH],
  ['params=(), except=()', BOTH],
  ['params=(), except=("x")', BOTH],
  ['params=?0, except=("x")', BOTH],
  ['key-order, params=?0, except=()', BOTH],
  ['params,except=(),params=()', BOTH],
  ['except=(a)', EXCEPT],
  ['except="x"', EXCEPT],
  ['except', EXCEPT],
  ['except=?1', EXCEPT],
  ['params, except=(a)', EXCEPT],
  ['params, except="x"', EXCEPT],
  ['params, except', EXCEPT],
  ['params, except=?1', EXCEPT],
  ['"a"', at(0)],
  ['(a)', at(0)],
  ['params=("a"),', at(0)],
  ['params=("a")x', at(0)],
  ['params=("a"', at(0)],
  ['params=("a""b")', at(0)],
  ['params=("a"\t"b")', at(0)],
  ['params=("a\\b")', at(0)],
  ['params=("ä")', at(0)],
  ['Params', at(0)],
  ['params =("a")', at(0)],
  ['params= ("a")', at(0)],
  ['\tparams', at(0)],
  ['params,,key-order', at(7)],
  ['params=("a");', at(0)],
  ['params=1234567890123456', at(0)],
  [' params, x=1.', at(9)],
  ['params, x=1234567890123.1', at(8)],
  ['params, x=?2', at(8)],
  ['params=("a")\n', at(0)],
  ['params=("a"), x=%"%e4"', 'not a structured field: a display string is not UTF-8'],
  ['params=("a"), x=%"%ed%a0%80"', 'not a structured field: a display string is not UTF-8'],
  ['x=(%"a" "%\\"";y=%"%c3")', 'not a structured field: a display string is not UTF-8'],
];

tests('a value that is read as the default is a typed error with the reason, and a function says it without', () => {
  for (const [value, reason] of REFUSED) {
    const error = errorOf(() => profileOf({ noVarySearch: value })) as NoVarySearchError;
    assert.instance(error, NoVarySearchError, value);
    assert.equal([error.code, error.reason, error.input], ['ERR_INVALID_NO_VARY_SEARCH', reason, value]);
    assert.is(error.message, `noVarySearch cannot be ${quote(value)}: ${reason}`);
    const { value: spelled, reason: told } = NoVarySearch.of(value);
    assert.equal([spelled, told], [undefined, reason]);
  }
  assert.instance(
    errorOf(() => profileOf({ noVarySearch: ['a'] as never })),
    TypeError,
  );
});

const SOME_NAMES = [
  'a',
  'A',
  'b',
  '',
  '*',
  'a*',
  '*a',
  'a*b',
  'é',
  'e\u0301',
  '\ufffd',
  '"',
  '\\',
  ',',
  '(',
  ' ',
  '+',
  '%',
  '%61',
  '~',
];
/** Without a date, which structured-headers 2.1.0 refuses before anything else. */
const BY_ITSELF = [
  '?0',
  '?1',
  '1',
  '-1.5',
  'tok',
  '"s"',
  ':YQ==:',
  '%"x"',
  '%"%e4"',
  '()',
  '("a")',
  '("a" b)',
  '("%61" "+")',
];

/** A value as servers and their authors' mistakes have it. */
function randomValue(next: (below: number) => number): string {
  const one = <T>(items: readonly T[]): T => items[next(items.length)]!;
  const written = (name: string) =>
    next(2) === 0
      ? encodeURIComponent(name)
      : /^[ -~]*$/.test(name)
        ? name.replace(/["\\]/g, '\\$&')
        : encodeURIComponent(name);
  const list = () => `(${Array.from({ length: next(4) }, () => `"${written(one(SOME_NAMES))}"`).join(' ')})`;
  const value = () => (next(4) === 0 ? one(BY_ITSELF) : list());
  const member = () =>
    one([
      () => 'key-order',
      () => 'params',
      () => `params=${value()}`,
      () => `except=${value()}`,
      () => `${one(['key-order', 'x'])}=${one(BY_ITSELF)}`,
      () => one(['', 'X', 'a b']),
    ])();
  return Array.from({ length: next(4) }, member).join(one([',', ', ', ', ', ' , ']));
}

/** A second reading of the draft, 5.1, of what an independent parser makes of a value; undefined is the default. */
function varianceOf(value: string): string | undefined {
  let members: Map<string, readonly [unknown, unknown]>;
  try {
    members = parseDictionary(value) as never;
  } catch {
    return undefined;
  }
  const [order = false, params, except] = ['key-order', 'params', 'except'].map((key) => members.get(key)?.[0]);
  const isOld = params === true;
  if (typeof order !== 'boolean' || (params !== undefined && except !== undefined && !isOld)) return undefined;
  const given = isOld ? (except ?? []) : (except ?? params ?? []);
  if (!Array.isArray(given) || !given.every(([item]) => typeof item === 'string')) return undefined;
  const names = given.map(
    ([item]) =>
      new URLSearchParams(`${String(item).replaceAll('&', '%26').replaceAll('=', '%3D')}=`).keys().next().value ?? '',
  );
  const isExcept = isOld || except !== undefined;
  if (!order && !isExcept && names.length === 0) return undefined;
  return JSON.stringify([order, isExcept, [...new Set(names)].sort()]);
}

tests('generated values: as an independent parser of structured fields; a profile each, and back', () => {
  const next = random();
  const [profiles, variances] = [new Map<string, string>(), new Map<string, string>()];
  for (let count = 0; count < cases(20_000); count++) {
    const value = randomValue(next);
    const expected = varianceOf(value);
    const { value: spelled } = NoVarySearch.of(value);
    assert.is(spelled === undefined, expected === undefined, `${value} ${expected}`);
    if (spelled === undefined || expected === undefined) continue;
    assert.is(varianceOf(spelled), expected, `${value} ${spelled}`);
    const profile = profileOf({ noVarySearch: value });
    assert.equal(optionsOf(profile), { noVarySearch: spelled });
    assert.is(profiles.get(expected) ?? profile, profile, value);
    assert.is(variances.get(profile) ?? expected, expected, `${value}: one profile of two variances`);
    profiles.set(expected, profile);
    variances.set(profile, expected);
  }
  assert.ok(profiles.size > 1000, `only ${profiles.size} profiles`); // more values repeat them
});

tests('it excludes what else says which parameters count, and nothing else', () => {
  const noVarySearch = 'except=("id"), key-order';
  const siteRulesOf = (text: string) => ({ siteRules: SiteRules.parse(text) });
  const reason = 'the header alone says which parameters count';
  for (const [options, one, other] of [
    [{ preset: 'page-2026' }, 'preset', 'noVarySearch'],
    [{ dropParams: ['a'] }, 'dropParams', 'noVarySearch'],
    [{ dropList: 'tracking-2026' }, 'dropList', 'noVarySearch'],
    [{ keepParams: ['a'] }, 'keepParams', 'noVarySearch'],
    [{ sortParams: true }, 'noVarySearch', 'sortParams'],
    [{ fold: ['session'] }, 'noVarySearch', 'fold session'],
    [{ fold: ['www', 'empty-query'] }, 'noVarySearch', 'fold empty-query'],
    ...['a.example drop b', 'a.example fold www\nb.example keep c', '* sort', 'b.example fold empty-query'].map(
      (text) =>
        [siteRulesOf(text), 'noVarySearch', 'a line of siteRules that drops, keeps or sorts parameters'] as const,
    ),
  ] as const) {
    const error = errorOf(() => profileOf({ noVarySearch, ...options } as never));
    assert.is(`${error}`, `RangeError: ${one} and ${other} cannot be combined: ${reason}`);
  }
  const others = {
    ...siteRulesOf('a.example fold www slash; fragment\n* fold https index'),
    excludeFragment: true,
    fold: ['escapes'],
  } as const;
  const given = [
    'http://www.a.example/%7ep/?t&id=1#f',
    'http://h/index.html?t&id=1#f',
    'http://a.example//?a',
    'mailto:a?b#c',
  ];
  const forms = ['http://a.example/~p?id=1#f', 'https://h/?id=1', 'http://a.example/', 'mailto:a?b'];
  const options = { noVarySearch, ...others };
  assert.equal(
    given.map((url) => canonicalize(url, options)),
    forms,
  );
  assert.is(profileOf(optionsOf(profileOf(options), others.siteRules)), profileOf(options));
  const hashes = forms.map((form) => new UrlHasher().hash(form).hex);
  for (const { name } of KERNELS) {
    const column = new UrlHasher({ ...options, kernel: name }).hashLines(Buffer.from(given.join('\n')));
    assert.equal(
      given.map((_, row) => column.hex(row)),
      hashes,
      name,
    );
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
  ['except=("c")', 'a=1&b=2&c=3', 'b=5&a=3&d=6&c=3', true],
  ['except=("c")', 'a=1&b=2&c=5', 'b=5&a=3&d=6&c=3', false],
  ['except=("c" "d")', 'd=6&a=1&a=2&b=2&b=3&c=5', 'b=5&a=3&a=4&d=6&c=5', true],
  ['except=("%C3%A9")', '%C3%A9=g&a=2&c=4&é=b', 'a=2&é=f&c=4&d=7&é=b', false],
  ['except=()', 'a=1&b=2&c=5', '', true],
  ['params', 'a=1&b=2&c=5', '', true],
  ['params, except=("c")', 'a=1&c=3', 'c=3&d', true],
];

tests('two URLs have one form where they are equivalent modulo search variance, and only there', () => {
  for (const [noVarySearch, one, other, isEquivalent] of COMPARED) {
    const [url, otherUrl] = [one, other].map((query) => `https://a.test/index.html?${query}`) as [string, string];
    const [form, otherForm] = [url, otherUrl].map((each) => canonicalize(each, { noVarySearch }));
    assert.is(form === otherForm, isEquivalent, `${noVarySearch}: ${form} ${otherForm}`);
    assert.is(NoVarySearch.of(noVarySearch).matches(url, `${otherUrl}#f`), isEquivalent, noVarySearch);
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
    const params = isExcept ? `except=(${list})` : `params=(${list})`;
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
