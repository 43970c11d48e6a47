import { readFileSync } from 'node:fs';
import normalizeUrl from 'normalize-url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { TRACKING_LISTS } from '../../../src/core/url/options.ts';
import * as hashUri from '../../../src/entries/hash-uri.ts';
import * as hashedUri from '../../../src/entries/hashed-uri.ts';
import * as safeBrowsing from '../../../src/entries/safe-browsing.ts';
import {
  canonicalize,
  type FormOptions,
  type HashColumn,
  hashStream,
  optionsOf,
  PROFILE,
  ProfileError,
  profileOf,
  tryCanonicalize,
  UrlHash,
  UrlHasher,
} from '../../../src/index.ts';
import { sampleLines } from '../../support/data.ts';
import { mutated, SAMPLE_URLS } from '../../support/samples.ts';
import { halvedCases, random } from '../../support/seed.ts';
import { errorOf } from '../../support/thrown.ts';
import { countsOf } from '../bulk/counts.ts';
import { paged } from './page-rules.oracle.ts';

const tests = suite('parameters');

/** The definition's own examples: options, URL, canonical form. */
const EXAMPLES: readonly (readonly [FormOptions, string, string])[] = [
  [{ dropParams: ['a'] }, 'http://h/?a=1&b=2', 'http://h/?b=2'],
  [{ dropParams: ['a'] }, 'http://h/?a=1', 'http://h/'],
  [{ dropParams: ['a'] }, 'http://h/?a', 'http://h/'],
  [{ dropParams: ['a'] }, 'http://h/?a=1#f?a=1', 'http://h/#f?a=1'],
  [{ dropParams: ['a'] }, 'http://h/?', 'http://h/?'],
  [{ dropParams: ['a'] }, 'http://h/?a=1&', 'http://h/?'],
  [{ dropParams: ['a'] }, 'http://h/?&a=1&&b', 'http://h/?&&b'],
  [{ dropParams: ['a'] }, 'http://h/?A=1&aa=1&%61=1&=a', 'http://h/?A=1&aa=1&=a'],
  [{ dropParams: ['a b'] }, 'http://h/?a+b=1&a%20b=2&a%2Bb=3', 'http://h/?a%2Bb=3'],
  [{ dropParams: ['ä'] }, 'http://h/?%C3%A4=1&%c3%a4&%E4=1', 'http://h/?%E4=1'],
  [{ dropParams: ['a;b'] }, 'http://h/?a;b=1;c=2&d', 'http://h/?d'],
  [{ dropParams: ['a'] }, 'http://h/?a;b=1', 'http://h/?a;b=1'],
  [{ dropParams: ['utm_*'] }, 'http://h/?utm_x=1&utm_=2&utm=3&xutm_y', 'http://h/?utm=3&xutm_y'],
  [{ dropParams: ['%zz'] }, 'http://h/?%zz=1&%25zz=2&%z=3', 'http://h/?%z=3'],
  [{ dropParams: ['a?b'] }, 'http://h/?a?b=1&c?', 'http://h/?c?'],
  [{ dropParams: ['a'] }, 'mailto:x?a=1', 'mailto:x?a=1'],
  [{ dropParams: ['a'], sortParams: true }, 'data:,?b&a', 'data:,?b&a'],
  [{ dropParams: ['a'] }, 'foo:/p?a=1&b', 'foo:/p?b'],
  [{ dropParams: ['a'], excludeFragment: true }, 'http://h/?a=1#f', 'http://h/'],
  [{ sortParams: true }, 'http://h/?b=2&a=1&b=1&a=0', 'http://h/?a=1&a=0&b=2&b=1'],
  [{ sortParams: true }, 'http://h/?%62&a&%00&', 'http://h/?&%00&a&%62'],
  [{ sortParams: true }, 'http://h/?a%FF&a%C3%A4&a', 'http://h/?a&a%C3%A4&a%FF'],
  [{ dropList: 'tracking-2026' }, 'http://h/?utm_source=a&id=1&fbclid=b&ref=c', 'http://h/?id=1&ref=c'],
  [{ dropList: 'tracking-2026', dropParams: ['id'] }, 'http://h/?gclid=a&id=1', 'http://h/'],
];

tests('the examples of the definition', () => {
  for (const [options, url, form] of EXAMPLES) {
    const told = `${url} ${JSON.stringify(options)}`;
    assert.is(canonicalize(url, options), form, told);
    assert.is(canonicalize(form, options), form, `not idempotent: ${told}`);
  }
});

tests('a base is resolved first', () => {
  assert.is(canonicalize('?a=1&b', { base: 'http://h/p?c', dropParams: ['a'] }), 'http://h/p?b');
  assert.is(canonicalize('', { base: 'http://h/p?a=1', dropParams: ['a'] }), 'http://h/p');
});

const NAMES = ['a', 'b', 'ab*', 'utm_*', 'a b', 'ä', '%', '=', 'a%', '\u{1f600}*', 'c&d', 'x;y', '#', '+', '\0'];
const PIECES = [
  'a',
  'b',
  'ab',
  'utm_',
  '=',
  '&',
  '&',
  '&',
  '+',
  '%',
  '%61',
  '%2B',
  '%26',
  '%3d',
  '%C3%A4',
  '%E4',
  '%00',
];
const MORE_PIECES = [...PIECES, ';', '?', '%zz', '%F0%9F%98%80', '%', '1', '/', '#', ' ', 'ä', '\ud800', "'"];

function randomQuery(next: ReturnType<typeof random>): string {
  return Array.from({ length: next(12) }, () => MORE_PIECES[next(MORE_PIECES.length)]).join('');
}

function randomOptions(next: ReturnType<typeof random>): FormOptions {
  const dropParams = NAMES.filter(() => next(5) === 0);
  const dropList = next(4) === 0 ? { dropList: 'tracking-2026' } : {};
  return { dropParams, sortParams: next(3) === 0, excludeFragment: next(4) === 0, ...dropList };
}

function expected(url: string, options: FormOptions): string | null {
  const form = tryCanonicalize(url, { excludeFragment: options.excludeFragment ?? false });
  if (form === null) return null;
  const listed = options.dropList === undefined ? [] : TRACKING_LISTS[options.dropList]!.split(' ');
  return paged(form, {
    dropParams: [...listed, ...(options.dropParams ?? [])],
    sortParams: options.sortParams ?? false,
  });
}

tests('mutated queries: as the second reading of the definition, and idempotent', () => {
  const next = random();
  const urls = [...SAMPLE_URLS, ...sampleLines()];
  let changed = 0;
  for (let count = 0; count < halvedCases(6000); count++) {
    const given = urls[next(urls.length)]!;
    const start = (next(4) === 0 ? mutated(given, next) : given).replace(/[?#].*/s, '');
    const url = `${start}?${randomQuery(next)}`;
    const options = randomOptions(next);
    const form = tryCanonicalize(url, options);
    const told = `${JSON.stringify(url)} ${JSON.stringify(options)}`;
    assert.is(form, expected(url, options), told);
    if (form === null) continue;
    assert.is(canonicalize(form, options), form, `not idempotent: ${told}`);
    if (form !== tryCanonicalize(url, { excludeFragment: options.excludeFragment! })) changed++;
  }
  assert.ok(changed > halvedCases(500), `only ${changed} were changed`);
});

tests('hashStream as hashLines, cut anywhere', async () => {
  const options: FormOptions = { dropList: 'tracking-2026', dropParams: ['id*'], sortParams: true };
  const text = Buffer.from(sampleLines().join('\n'));
  const whole = new UrlHasher(options).hashLines(text);
  assert.ok(whole.strippedCount > 0);
  const chunks = [text.subarray(0, 1000), text.subarray(1000, 70_001), text.subarray(70_001)];
  const columns: HashColumn[] = [];
  for await (const column of new Blob(chunks).stream().pipeThrough(hashStream(options))) columns.push(column);
  assert.ok(Buffer.concat(columns.map(({ bytes }) => bytes)).equals(whole.bytes));
  for (const { profile } of columns) assert.is(profile, profileOf(options));
  assert.is(
    columns.reduce((sum, { strippedCount }) => sum + strippedCount, 0),
    whole.strippedCount,
  );
});

tests('the other specifications refuse them: they look up the whole query', () => {
  const url = 'http://h/?a';
  for (const options of [{ dropParams: ['a'] }, { dropList: 'tracking-2026' }, { sortParams: true }]) {
    const [name] = Object.keys(options);
    for (const call of [
      () => safeBrowsing.canonicalize(url, options as never),
      () => safeBrowsing.canonicalize(url, { profile: 'web-risk', ...options } as never),
      () => safeBrowsing.expressions(url, options as never),
      () => safeBrowsing.hashes(url, options as never),
      () => new safeBrowsing.ExpressionHasher(options as never),
      () => hashedUri.canonicalize(url, { variant: 'N', ...options } as never),
      () => hashedUri.hash(url, { variant: 'N', algorithm: 'sha1', ...options } as never),
      () => hashUri.isPotentialTrustyUri(url, options as never),
    ]) {
      const error = errorOf(call);
      assert.instance(error, RangeError, `${call}`);
      assert.match(error.message, new RegExp(`^options has no "${name}", only `));
    }
  }
});

tests('a row counts once as stripped where its batch goes to the parser after the scan', () => {
  const urls = ['http://h/?a', 'http://h/?\na', 'http://h/?b', 'a'];
  const hash = () => new UrlHasher({ dropParams: ['a'] }).hashMany(urls);
  assert.is(hash().strippedCount, 2);
  assert.is(countsOf(hash).provenCount, 0);
});

tests('a query of a million parameters takes memory for numbers, not for objects', () => {
  const query = 'b=1&a&&%61=2&'.repeat(1 << 18);
  const dropped = canonicalize(`http://h/?${query}`, { dropParams: ['a'] });
  assert.is(dropped, `http://h/?${'b=1&&'.repeat(1 << 18)}`);
  const sorted = canonicalize(`http://h/?${query}`, { sortParams: true });
  const empty = '&'.repeat((1 << 18) + 1);
  assert.is(sorted, `http://h/?${empty}${'a&%61=2&'.repeat(1 << 18)}${'b=1&'.repeat(1 << 18).slice(0, -1)}`);
});

tests('each call has the options of that call, though the last ones stay compiled', () => {
  const url = 'http://h/?b=1&a=2&utm_id=3#f';
  const dropParams = ['a'];
  const forms: [FormOptions, string][] = [
    [{ dropParams }, 'http://h/?b=1&utm_id=3#f'],
    [{ excludeFragment: true }, 'http://h/?b=1&a=2&utm_id=3'],
    [{ dropParams: ['a,b'] }, url],
    [{ dropParams: ['a', 'b'] }, 'http://h/?utm_id=3#f'],
    [{ dropList: 'tracking-2026' }, 'http://h/?b=1&a=2#f'],
    [{ dropParams: ['tracking-2026'] }, url],
    [{ sortParams: true }, 'http://h/?a=2&b=1&utm_id=3#f'],
    [{}, url],
  ];
  for (const [options, canonical] of [...forms, ...forms.toReversed(), ...forms.flatMap((form) => [form, form])])
    assert.is(canonicalize(url, options), canonical);
  dropParams.push('b');
  assert.is(canonicalize(url, { dropParams }), 'http://h/?utm_id=3#f');
  dropParams[0] = 'utm_*';
  assert.is(canonicalize(url, { dropParams }), 'http://h/?a=2#f');
});

tests('names that cannot be one are refused, and lists that do not exist', () => {
  const refused: [FormOptions, string][] = [
    [{ dropParams: [''] }, `dropParams[0] must be a name, with '*' only at its end, got ""`],
    [{ dropParams: ['a', '*'] }, `dropParams[1] must be a name, with '*' only at its end, got "*"`],
    [{ dropParams: ['a*b'] }, `dropParams[0] must be a name, with '*' only at its end, got "a*b"`],
    [{ dropParams: ['a**'] }, `dropParams[0] must be a name, with '*' only at its end, got "a**"`],
    [{ dropParams: ['\ud800'] }, 'dropParams[0] must not hold a lone surrogate, got "\\ud800"'],
    [{ dropList: 'tracking-2025' }, 'dropList must be one of tracking-2026, got "tracking-2025"'],
    [{ dropList: 'toString' }, 'dropList must be one of tracking-2026, got "toString"'],
  ];
  for (const [options, message] of refused) {
    for (const call of [
      () => canonicalize('http://h/', options),
      () => UrlHash.of('http://h/', options),
      () => new UrlHasher(options),
      () => profileOf(options),
    ]) {
      const error = errorOf(call);
      assert.instance(error, RangeError);
      assert.is(error.message, message);
    }
  }
  for (const dropParams of ['utm_*', 5, [5], { 0: 'a' }])
    assert.instance(
      errorOf(() => profileOf({ dropParams: dropParams as never })),
      TypeError,
    );
});

tests('equal options have one profile, others another, and optionsOf gives the options back', () => {
  const same = [
    { dropParams: ['b', 'a', 'b'] },
    { dropParams: ['a', 'b'] },
    { sortParams: false, dropParams: ['a', 'b'] },
  ];
  assert.is(new Set(same.map(profileOf)).size, 1);
  assert.is(profileOf({}), PROFILE);
  assert.is(profileOf({ dropParams: [] }), PROFILE);
  assert.is(
    profileOf({
      sortParams: true,
      dropParams: ['é', 'a,b', 'x;', '~z*'],
      dropList: 'tracking-2026',
      excludeFragment: true,
    }),
    `${PROFILE};exclude-fragment;drop-list=tracking-2026;drop-params=a%2Cb,x%3B,~z*,%C3%A9;sort-params`,
  );
  const next = random();
  const seen = new Map<string, string>();
  for (let count = 0; count < halvedCases(2000); count++) {
    const options = randomOptions(next);
    const profile = profileOf(options);
    assert.match(profile, /^[!-~]+$/);
    assert.is(profileOf(optionsOf(profile)), profile);
    const settings = JSON.stringify([
      options.excludeFragment,
      options.dropList,
      options.dropParams,
      options.sortParams,
    ]);
    assert.is(seen.get(profile) ?? settings, settings);
    seen.set(profile, settings);
  }
});

tests('optionsOf refuses what this build cannot compute', () => {
  const refused = {
    'url/1+unicode99': 'other-version',
    'url/2+unicode18;sort-params': 'other-version',
    'url/1+unicode018': 'not-a-profile',
    'url/1+unicode18;drop-list=tracking-2031': 'unknown-list',
    'web-risk/1': 'not-a-profile',
    '': 'not-a-profile',
    'url/1+unicode18;': 'not-a-profile',
    'url/1+unicode18;drop-params=': 'not-a-profile',
    'url/1+unicode18;drop-params=b,a': 'other-spelling',
    'url/1+unicode18;drop-params=%': 'not-a-profile',
    'url/1+unicode18;drop-params=%61': 'other-spelling',
    'url/1+unicode18;sort-params;exclude-fragment': 'other-spelling',
    'url/1+unicode18;sort-params;sort-params': 'other-spelling',
  };
  for (const [profile, reason] of Object.entries(refused)) {
    const error = errorOf(() => optionsOf(profile));
    assert.ok(error instanceof ProfileError, profile);
    assert.equal([error.code, error.input, error.reason], ['ERR_UNSUPPORTED_PROFILE', profile, reason]);
  }
});

tests('a list is dropped name by name, and docs/parameters.md has the source of each', () => {
  const page = readFileSync('docs/parameters.md', 'utf8');
  for (const [dropList, names] of Object.entries(TRACKING_LISTS)) {
    const sources = page.matchAll(/^- <https:\/\/\S+>: ((?:`\S+`,?\s+)+)/gm);
    const documented = Array.from(sources, ([, list]) => Array.from(list!.matchAll(/`(\S+)`/g), ([, name]) => name!));
    assert.equal(names.split(' ').sort(), documented.flat().sort());
    for (const name of documented.flat()) assert.is(canonicalize(`http://h/?${name}=1`, { dropList }), 'http://h/');
  }
  assert.is(canonicalize('http://h/?mkt_tok=1', { dropList: 'tracking-2026' }), 'http://h/?mkt_tok=1');
});

const HOST = 'example.com';

/** The rows of the table in docs/parameters.md: a URL, and what each tool makes of it. */
const ROWS = Array.from(readFileSync('docs/parameters.md', 'utf8').matchAll(/^\| `(\S+)` +\|((?:[^|]+\|){6})$/gm))
  .map(([, given, cells]) => ({ given: given!, cells: cells!.split('|').map((cell) => cell.trim()) }))
  .filter(({ cells }) => cells.at(-2)!.startsWith('`/'));

const whole = (text: string) => `http://${text.startsWith('/') ? HOST : ''}${text}`;

/** Returns what a function makes of a URL, and of the result, as a cell of the table has it. */
function told(given: string, applied: (url: string) => string): readonly string[] {
  const url = whole(given);
  const once = applied(url);
  const twice = applied(once);
  return once === url ? [] : [once, ...(twice === once ? [] : [twice])];
}

const read = (cell: string) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, text]) => whole(text!));

const COLUMNS: readonly ((url: string) => string)[] = [
  (url) => canonicalize(url, { dropList: 'tracking-2026', sortParams: true }),
  normalizeUrl,
  (url) => canonicalize(url, { noVarySearch: 'key-order, params=("utm_source" "utm_id" "fbclid")' }),
];

tests(
  'docs/parameters.md says of 30 URLs what urlsum, normalize-url and No-Vary-Search make of them, once and twice',
  () => {
    assert.is(ROWS.length, 30);
    for (const { given, cells } of ROWS)
      for (const [column, applied] of COLUMNS.entries())
        assert.equal(told(given, applied), read(cells[column]!), given);
  },
);

tests('these three are idempotent on them', () => {
  const again = COLUMNS.map((applied) => ROWS.filter(({ given }) => told(given, applied).length > 1).length);
  assert.equal(again, [0, 0, 0]);
});

tests.run();
