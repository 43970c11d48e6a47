import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { canonicalize, NoVarySearch, UrlError } from '../../../src/index.ts';
import { cases, random } from '../../support/seed.ts';
import { errorOf } from '../../support/thrown.ts';

const tests = suite('NoVarySearch');

tests('a header is read without an exception, whatever a server writes', () => {
  assert.equal(
    { ...NoVarySearch.of('except=("id"), key-order') },
    { value: 'key-order, except=("id")', reason: undefined },
  );
  for (const header of [null, undefined, '', ' ', 'params=()'])
    assert.equal({ ...NoVarySearch.of(header) }, { value: undefined, reason: 'equivalent to no header' });
  for (const header of ['\0', '\ud800', '"', 'é', 'params=("'.repeat(1000), ';=,()'])
    assert.match(NoVarySearch.of(header).reason!, /^not a structured field: /);
  assert.instance(
    errorOf(() => NoVarySearch.of(5 as never)),
    TypeError,
  );
});

tests('what is not a URL is an error of the matcher', () => {
  const header = NoVarySearch.of('key-order');
  for (const [one, other] of [
    ['x', 'http://h/'],
    ['http://h/', 'x'],
  ] as const)
    assert.instance(
      errorOf(() => header.matches(one, other)),
      UrlError,
    );
  assert.ok(header.matches(new URL('http://h/?b&a'), 'HTTP://H/?a&b#c'));
});

interface Variance {
  readonly names: readonly string[];
  readonly isExcept: boolean;
  readonly ignoresOrder: boolean;
}

const PARTS = ['protocol', 'username', 'password', 'host', 'pathname'] as const;

/** The comparison of the draft, 6, step by step, on two URLs of the host; undefined is the default variance. */
function areEquivalent(one: URL, other: URL, variance: Variance | undefined): boolean {
  if (PARTS.some((part) => one[part] !== other[part])) return false;
  const [query, otherQuery] = [one, other].map(({ href }) => /^[^?#]*(\?[^#]*)?/.exec(href)![1]);
  if (variance === undefined) return query === otherQuery;
  const { names, isExcept, ignoresOrder } = variance;
  const [list, otherList] = [one, other].map(({ searchParams }) => {
    const kept = new URLSearchParams([...searchParams].filter(([name]) => names.includes(name) === isExcept));
    if (ignoresOrder) kept.sort();
    return [...kept];
  });
  if (list!.length !== otherList!.length) return false;
  return list!.every(([name, value], index) => otherList![index]![0] === name && otherList![index]![1] === value);
}

const STARTS = [
  'http://h/',
  'http://h/p',
  'HTTP://h:80/a/../p',
  'https://h/p',
  'http://u@h/p',
  'http://h:8080/p',
  'http://h/P',
];
const PARAMETERS = [
  'a=1',
  'a=1',
  'a=2',
  'b',
  'b=',
  '%61=1',
  'id=%zz',
  'id=7',
  '',
  '+=1',
  '%20=1',
  'q=%E4',
  'q=%F6',
  '=',
  'x*=~',
  'x%2a=%7e',
];
const NAMES = ['a', 'b', 'id', '', ' ', 'q', 'x*'];

tests('two URLs match where the comparison of the draft says so', () => {
  const next = random();
  const one = <T>(items: readonly T[]): T => items[next(items.length)]!;
  const parametersOf = () => Array.from({ length: next(5) }, () => one(PARAMETERS));
  const counts = [0, 0];
  for (let count = 0; count < cases(5000); count++) {
    const names = NAMES.filter(() => next(2) === 0);
    const [isExcept, ignoresOrder, isWrong] = [next(2) === 0, next(2) === 0, next(8) === 0];
    const list = names.map((name) => `"${encodeURIComponent(name)}"`).join(' ');
    const value = `${ignoresOrder ? 'key-order, ' : ''}${isExcept ? 'except' : 'params'}=(${list})${isWrong ? ',' : ''}`;
    const isDefault = isWrong || (!isExcept && !ignoresOrder && names.length === 0);
    const parameters = parametersOf();
    const others = next(2) === 0 ? parametersOf() : parameters.filter(() => next(8) > 0).sort(() => next(3) - 1);
    const start = one(STARTS);
    const urls = [parameters, others].map((each, index) => {
      const query = each.length === 0 && next(2) === 0 ? '' : `?${each.join('&')}`;
      return `${index === 0 || next(4) > 0 ? start : one(STARTS)}${query}${one(['', '#', '#f', '#?a'])}`;
    });
    const expected = areEquivalent(
      new URL(urls[0]!),
      new URL(urls[1]!),
      isDefault ? undefined : { names, isExcept, ignoresOrder },
    );
    const header = NoVarySearch.of(value);
    assert.is(header.value === undefined, isDefault, value);
    assert.is(header.matches(urls[0]!, urls[1]!), expected, `${value}: ${urls.join(' ')}`);
    counts[Number(expected)]!++;
    if (header.value === undefined) continue;
    const forms = urls.map((url) => canonicalize(url, { noVarySearch: value, excludeFragment: true }));
    assert.is(forms[0] === forms[1], expected, 'the form is the key of a cache');
  }
  assert.ok(Math.min(...counts) > cases(1000), `${counts}`);
});

tests.run();
