import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SiteRules } from '../../src/core/sites/site-rules.ts';
import { EQUAL_FORMS } from '../../src/core/url/key-origin.ts';
import { TRACKING_LISTS } from '../../src/core/url/options.ts';
import { UNICODE_VERSIONS } from '../../src/core/url/parsed-url.ts';
import { optionsOf, PROFILE, profileOf } from '../../src/index.ts';
import { oracle } from '../core/url/oracle.ts';
import { paged, type Settings, withScheme } from '../core/url/page-rules.oracle.ts';
import { groupKeysOf, hasEmptyLabel } from '../specs/sites/group-key.oracle.ts';
import { formOf, inputOf, shown, stored } from './stored.ts';

const test = suite('vectors: url');

/** Eight bytes in hex, the last of them the most significant. */
function wordOf(hex: string): bigint {
  return BigInt(`0x${hex.match(/../g)!.reverse().join('')}`);
}

function expected(canonical: string): object {
  const sha256 = createHash('sha256').update(canonical).digest('hex');
  const words = sha256.match(/.{16}/g)!.map(wordOf);
  return {
    ...formOf(canonical),
    sha256,
    words: words.join('-'),
    short: words.slice(0, 2).join('-'),
    veryShort: `${words[0]}`,
  };
}

for (const name of ['url.json', 'url-base.json', 'url-lone-surrogates.json'] as const) {
  test(`${name}: as whatwg-url and node:crypto`, () => {
    const { cases } = stored(name);
    let valid = 0;
    for (const vector of cases) {
      const canonical = oracle(inputOf(vector), vector['base']);
      const { expect } = vector;
      if (canonical === undefined) assert.equal(Object.keys(expect), ['failure', 'place'], shown(vector));
      else if (expect.failure === 'IDNA-limit') assert.ok(canonical.includes('//xn--'), `only ours: ${shown(vector)}`);
      else assert.equal(expect, expected(canonical), shown(vector));
      valid += canonical === undefined ? 0 : 1;
    }
    assert.ok(valid > cases.length / 2 && valid < cases.length, `${valid} of ${cases.length} are URLs`);
  });
}

test('url-unicode.json: each version as whatwg-url of that version and node:crypto', () => {
  const { cases } = stored('url-unicode.json');
  const results = new Map<string, Map<number, string | undefined>>();
  for (const vector of cases) {
    const { unicode } = vector['options'];
    const canonical = oracle(inputOf(vector), vector['base'], false, unicode);
    const { profile, ...rest } = vector['expect'];
    if (canonical === undefined) assert.equal(Object.keys(vector['expect']), ['failure', 'place'], shown(vector));
    else assert.equal([profile, rest], [`url/1+unicode${unicode}`, expected(canonical)], shown(vector));
    const key = `${vector['base']} ${inputOf(vector)}`;
    results.set(key, (results.get(key) ?? new Map()).set(unicode, canonical));
  }
  // of what is valid in two versions without a changed form, the forms are equal
  let [both, either] = [0, 0];
  for (const [key, forms] of results) {
    assert.equal([...forms.keys()].sort(), [...UNICODE_VERSIONS].sort(), key);
    for (const [one, other] of EQUAL_FORMS) {
      const valid = [forms.get(one), forms.get(other)].filter((form) => form !== undefined);
      assert.ok(new Set(valid).size <= 1, key);
      both += Number(valid.length === 2);
      either += Number(valid.length === 1);
    }
  }
  assert.ok(both > 10 && either > 50, `${both} valid in both, ${either} in one`);
});

test('url-parameters.json: as whatwg-url and a second reading of docs/parameters.md', () => {
  const { cases } = stored('url-parameters.json');
  const profiles = new Set<string>();
  let changed = 0;
  for (const vector of cases) {
    const { options, expect } = vector;
    const full = oracle(inputOf(vector));
    if (full === undefined) {
      assert.equal(Object.keys(expect), ['failure', 'place'], shown(vector));
      continue;
    }
    const form = options.excludeFragment ? full.replace(/#.*/s, '') : full;
    const listed = options.dropList === undefined ? [] : TRACKING_LISTS[options.dropList]!.split(' ');
    const settings = { dropParams: [...listed, ...(options.dropParams ?? [])], sortParams: options.sortParams };
    const canonical = paged(form, settings);
    const { profile, ...rest } = expect;
    assert.equal(rest, expected(canonical), shown(vector));
    assert.is(paged(canonical, settings), canonical, `not idempotent: ${shown(vector)}`);
    assert.equal(profileOf(optionsOf(profile)), profile);
    profiles.add(profile);
    changed += canonical === full ? 0 : 1;
  }
  assert.ok(cases.length > 350 && changed > 150, `${changed} of ${cases.length} lose or move a parameter`);
  assert.is(profiles.size, 21);
});

test('url-pages.json: as whatwg-url and a second reading of docs/parameters.md', () => {
  const { cases } = stored('url-pages.json');
  let changed = 0;
  for (const vector of cases) {
    const { defaultScheme, ...options } = vector['options'];
    const { expect } = vector;
    const input = inputOf(vector);
    const full = oracle(defaultScheme === undefined ? input : withScheme(input, defaultScheme));
    if (full === undefined) {
      assert.equal(Object.keys(expect), ['failure', 'place'], shown(vector));
      continue;
    }
    const siteRules = options.siteRules?.split('\n');
    const isDefault = expect.readAsDefault !== undefined;
    const canonical = isDefault ? full : pageOf(full, { ...options, siteRules });
    const { profile, readAsDefault, ...rest } = expect;
    assert.equal(rest, expected(canonical), shown(vector));
    if (readAsDefault !== undefined) assert.is(profile, PROFILE, shown(vector));
    assert.equal(profileOf(optionsOf(profile, siteRules && SiteRules.parse(options.siteRules))), profile);
    const id = siteRules && createHash('sha256').update(SiteRules.parse(options.siteRules).text).digest('hex');
    assert.is(/;site-rules=([^;]*)/.exec(profile)?.[1], id?.slice(0, 32));
    changed += canonical === full ? 0 : 1;
  }
  assert.ok(cases.length > 800 && changed > 500, `${changed} of ${cases.length} change`);
});

interface PageOptions extends Settings {
  readonly preset?: string;
  readonly noVarySearch?: string;
}

/** The second reading with a preset spelled out, and No-Vary-Search by the host's URLSearchParams. */
function pageOf(given: string, { preset, noVarySearch, ...options }: PageOptions): string {
  const dropParams = TRACKING_LISTS['tracking-2026']!.split(' ');
  const { excludeFragment = 'but-routes' } = options;
  if (preset !== undefined) return paged(given, { excludeFragment, dropParams, sortParams: true });
  const full = paged(given, options);
  if (noVarySearch === undefined) return full;
  const [, start, query, fragment = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(full)!;
  const names = Array.from(noVarySearch.matchAll(/"([^"]*)"/g), ([, name]) =>
    new URLSearchParams(`x=${name}`).get('x'),
  );
  const isExcept = /params(?!=\()|except/.test(noVarySearch);
  const pairs = new URLSearchParams(query);
  if (noVarySearch.includes('key-order')) pairs.sort();
  const left = new URLSearchParams([...pairs].filter(([name]) => names.includes(name) === isExcept));
  return `${start}${left.size === 0 ? '' : `?${left}`}${fragment}`;
}

test('site.json: as whatwg-url and tldts', () => {
  const { cases } = stored('site.json');
  for (const vector of cases) {
    const full = oracle(inputOf(vector));
    if (full === undefined) assert.equal(Object.keys(vector['expect']), ['failure', 'place'], shown(vector));
    else if (!hasEmptyLabel(full)) assert.equal(Object.values(vector['expect']), groupKeysOf(full), shown(vector));
  }
  assert.ok(cases.length > 120);
});

/** Every reason there is in the standard, and the one of ours. */
const REASONS = [
  'missing-scheme-non-relative-URL',
  'host-missing',
  'host-invalid-code-point',
  'domain-to-ASCII',
  'domain-invalid-code-point',
  'IDNA-limit',
  'IPv4-too-many-parts',
  'IPv4-non-numeric-part',
  'IPv4-out-of-range-part',
  'IPv6-unclosed',
  'IPv6-invalid-compression',
  'IPv6-too-many-pieces',
  'IPv6-multiple-compression',
  'IPv6-invalid-code-point',
  'IPv6-too-few-pieces',
  'IPv4-in-IPv6-too-many-pieces',
  'IPv4-in-IPv6-invalid-code-point',
  'IPv4-in-IPv6-out-of-range-part',
  'IPv4-in-IPv6-too-few-parts',
  'port-invalid',
  'port-out-of-range',
];

test('every reason has a case', () => {
  const found = new Set(
    stored('url.json')
      .cases.map(({ expect }) => expect.failure)
      .filter((each) => each !== undefined),
  );
  assert.equal([...found].sort(), [...REASONS].sort());
});

test('every number of bytes around the blocks of SHA-256 has a case', () => {
  const lengths = new Set(
    stored('url.json').cases.map(({ expect }) => expect.canonicalLength ?? expect.canonical?.length),
  );
  const all = [55, 56, 63, 64, 65, 119, 120, 127, 128, 183, 184, 191, 192, 247, 248, 255, 256, 4096, 65_536, 1_000_000];
  for (const length of all) assert.ok(lengths.has(length), `${length}`);
});

test.run();
