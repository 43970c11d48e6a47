import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compare } from '../../../src/entries/explain.ts';
import { canonicalize, type Options, profileOf, tryCanonicalize, UrlError } from '../../../src/index.ts';
import { SAMPLE_URLS } from '../../support/samples.ts';
import { cases, random } from '../../support/seed.ts';
import { errorOf } from '../../support/thrown.ts';

const tests = suite('explain: two URLs compared');
const next = random();

const addedFor = (first: string, second: string, options?: Options) =>
  compare(first, second, options).remedies.map(({ added }) => added);

tests('each single option that makes two URLs one, with its clause', () => {
  for (const [first, second, added, clause] of [
    ['http://a.example/', 'https://a.example/', [{ fold: ['https'] }], 'https'],
    ['https://www.a.example/', 'https://a.example/', [{ fold: ['www'] }], 'www'],
    ['https://a.example/b/', 'https://a.example/b', [{ fold: ['slash'] }], 'Path'],
    ['https://a.example/b/index.html', 'https://a.example/b/', [{ fold: ['index'] }], 'Path'],
    ['https://a.example/b;jsessionid=1', 'https://a.example/b', [{ fold: ['session'] }], 'session'],
    ['https://a.example/%7Eb', 'https://a.example/~b', [{ fold: ['escapes'] }], 'escapes'],
    ['https://a.example/?', 'https://a.example/', [{ fold: ['empty-query'] }], 'Result'],
    ['https://a.example/?a&b', 'https://a.example/?b&a', [{ preset: 'page-2026' }, { sortParams: true }], 'Sorting'],
    ['https://a.example/?c%20d=1&a=1', 'https://a.example/?a=1', [{ dropParams: ['c d'] }], 'What stays'],
    ['https://a.example/#!/b', 'https://a.example/', [{ excludeFragment: true }], undefined],
    [
      'https://a.example/#b',
      'https://a.example/',
      [{ preset: 'page-2026' }, { excludeFragment: 'but-routes' }],
      undefined,
    ],
    ['a.example', 'http://a.example/', [{ defaultScheme: 'http' }], 'Hosts without a scheme'],
    ['https://a.example/', 'https://b.example/', [], undefined],
    ['not a url', 'neither', [], undefined],
  ] as const) {
    const { isSame, remedies } = compare(first, second);
    assert.not(isSame);
    assert.equal(
      remedies.map((each) => each.added),
      added,
      `${first} ${second}`,
    );
    const cited = remedies.at(-1)?.steps.map((step) => step.clause.name);
    if (clause !== undefined) assert.ok(cited?.includes(`docs/parameters.md, ${clause}`), `${first}: ${cited}`);
    else if (added.length > 0) assert.equal(cited, ['URL Standard, url-serializing']);
  }
});

tests('the fewest options together where none is enough; those given stay, and what they exclude is not tried', () => {
  const pages = ['http://www.a.example/b?id=1&x=2#c', 'https://a.example/b?id=1'] as const;
  assert.equal(addedFor(...pages), [{ fold: ['https', 'www'], dropParams: ['x'], excludeFragment: 'but-routes' }]);
  assert.equal(addedFor(...pages, { fold: ['https'], excludeFragment: true }), [{ fold: ['www'], dropParams: ['x'] }]);
  assert.equal(addedFor(...pages, { keepParams: ['id'], fold: ['https', 'www'] }), [{ excludeFragment: 'but-routes' }]);
  const hosts = ['http://www.a.example/?a', 'https://a.example/'] as const; // a dropped parameter cannot join keepParams
  assert.equal(addedFor(...hosts, { keepParams: ['b'] }), [{ fold: ['https', 'www'] }]);
  assert.equal(addedFor('b', 'http://a.example/c/b', { base: 'https://a.example/c/' }), [{ fold: ['https'] }]);
});

tests('the parts that differ; none of URLs that are one, and none where a URL is not one', () => {
  const { differences, profile, explanations } = compare('https://u@a.example:8/', 'https://a.example/?');
  assert.equal(differences, [
    { part: 'username', first: 'u', second: undefined },
    { part: 'port', first: '8', second: undefined },
    { part: 'query', first: undefined, second: '' },
  ]);
  assert.equal([profile, explanations[1].canonical], [profileOf(), 'https://a.example/?']);
  const one = compare('https://example.com', new URL('HTTPS://EXAMPLE.COM:443/'));
  assert.equal([one.isSame, one.differences, one.remedies], [true, [], []]);
  assert.equal(compare('no', 'https://a.example/').differences, []);
});

tests('the answer is that of canonicalize, and every remedy holds, for random pairs and options', () => {
  const options: readonly Options[] = [{}, { sortParams: true }, { fold: ['www'] }, { preset: 'page-2026' }];
  const tails = ['', '?', '?a=1', '?a=1&utm_source=x', '#top', '#!/a', '/', '/index.html', ';jsessionid=1', '%7e'];
  const one = <T>(list: readonly T[]) => list[next(list.length)]!;
  const heads = ['https://a.example/b', 'http://www.a.example/b', 'a.example/b', one(SAMPLE_URLS)];
  let count = 0;
  for (let round = 0; round < cases(400); round++) {
    const [first, second, given] = [one(heads) + one(tails), one(heads) + one(tails), one(options)];
    const { isSame, remedies } = compare(first, second, given);
    const [form, other] = [tryCanonicalize(first, given), tryCanonicalize(second, given)];
    assert.is(isSame, form !== null && form === other, `${first} ${second}`);
    for (const { added, canonical } of remedies) {
      const fold = [...(given.fold ?? []), ...(added.fold ?? [])];
      const all = { ...given, ...added, fold };
      assert.equal([canonicalize(first, all), canonicalize(second, all)], [canonical, canonical]);
      count++;
    }
  }
  assert.ok(count > 50, `${count} remedies`);
});

tests('wrong arguments', () => {
  assert.instance(
    errorOf(() => compare(1 as never, '')),
    TypeError,
  );
  assert.instance(
    errorOf(() => compare('a', 'b', { base: 'c' })),
    UrlError,
  );
  assert.instance(
    errorOf(() => compare('a', 'b', { folds: [] } as never)),
    RangeError,
  );
});

tests.run();
