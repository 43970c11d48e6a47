import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SiteRules } from '../../../src/core/sites/site-rules.ts';
import { FORM_FLAGS, FORM_OPTIONS } from '../../../src/core/url/options.ts';
import { canonicalize, optionsOf, ProfileError, profileOf } from '../../../src/index.ts';
import { errorOf } from '../../support/thrown.ts';

const tests = suite('options of a form');

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The first cells of each table of docs/parameters.md that begins with a column `option`. */
function documented(): string[][][] {
  const page = readFileSync('docs/parameters.md', 'utf8');
  return Array.from(page.matchAll(/^\| option .*\n\| -.*\n((?:\|.*\n)+)/gm), ([, rows]) =>
    rows!
      .trim()
      .split('\n')
      .map((row) =>
        row
          .split('|')
          .slice(1, 3)
          .map((cell) => cell.trim()),
      ),
  );
}

tests('docs/parameters.md has the row of each, in the order of the profile', () => {
  const [options, settings] = documented();
  const flagOf = ({ name }: (typeof FORM_OPTIONS)[number]) =>
    FORM_FLAGS[name] as { flag: string; operand?: string; kind: string };
  assert.equal(
    options,
    FORM_OPTIONS.map((option) => {
      const { flag, operand, kind } = flagOf(option);
      const value = operand === undefined ? '' : kind === 'switch' ? `[=${operand}]` : ` ${operand}`;
      return [`\`${option.name}\``, `\`--${flag}${value}\``];
    }),
  );
  assert.equal(
    settings!.map(([name, text]) => [name, /`;([a-z-]+)=?`/.exec(text!)?.[1]]),
    FORM_OPTIONS.map(({ name, setting }) => [`\`${name}\``, setting]),
  );
});

tests('engines/python has the row of each, and its README', () => {
  const table = readFileSync('engines/python/src/urlsum/tables.py', 'utf8');
  const described = readFileSync('engines/python/README.md', 'utf8');
  for (const { name } of FORM_OPTIONS) {
    assert.ok(table.includes(`"${snakeCase(name)}"`), name);
    assert.ok(described.includes(`\`${snakeCase(name)}`), name);
  }
});

tests('every option: its profile, and back', () => {
  const siteRules = SiteRules.parse('a.example drop s');
  const all = { excludeFragment: true, keepParams: ['b', 'a', 'ä'], fold: ['www', 'https'], siteRules } as const;
  const profile = profileOf({ ...all, sortParams: true });
  const settings = `exclude-fragment;keep-params=a,b,%C3%A4;fold=https,www;site-rules=${siteRules.id};sort-params`;
  assert.is(profile.replace(/^[^;]*;/, ''), settings);
  assert.is(profileOf(optionsOf(profile, siteRules)), profile);
  for (const others of [undefined, SiteRules.parse('a.example drop t')]) {
    const error = errorOf(() => optionsOf(profile, others)) as ProfileError;
    assert.instance(error, ProfileError);
    assert.is(error.reason, 'unknown-rules');
  }
  const wrong = errorOf(() => optionsOf(profile, siteRules.text as never)) as TypeError;
  assert.is(`${wrong}`, 'TypeError: siteRules must be SiteRules, got string');
  assert.is(canonicalize('http://www.h.example/?c&a#f', all), 'https://h.example/?a');
  assert.is(profileOf({ fold: [], dropParams: [], excludeFragment: false }), profileOf());
  assert.is(profileOf({ siteRules: SiteRules.parse('# none\n\n') }), profileOf());
  assert.is(profileOf({ excludeFragment: 'but-routes' }), `${profileOf()};exclude-fragment=but-routes`);
  assert.equal(optionsOf(profileOf({ excludeFragment: 'but-routes' })), { excludeFragment: 'but-routes' });
});

tests('a preset is the options that it stands for, and contradicts others', () => {
  const preset = 'page-2026';
  const spelled = { excludeFragment: 'but-routes', dropList: 'tracking-2026', sortParams: true } as const;
  const all = { ...spelled, excludeFragment: true } as const;
  assert.is(profileOf({ preset }), profileOf(spelled));
  assert.is(profileOf({ preset, ...spelled, fold: ['www'] }), profileOf({ ...spelled, fold: ['www'] }));
  assert.equal(optionsOf(profileOf({ preset })), spelled);
  assert.is(canonicalize('http://h/?b&gclid=1&a#f', { preset }), 'http://h/?a&b');
  assert.is(canonicalize('http://h/?b&gclid=1&a#!/f', { preset }), 'http://h/?a&b#!/f');
  assert.is(canonicalize('http://h/?b&gclid=1&a#!/f', { preset, excludeFragment: true }), 'http://h/?a&b');
  assert.is(profileOf({ preset, excludeFragment: true }), profileOf(all));
  assert.is(profileOf({ preset, excludeFragment: 'but-routes' }), profileOf({ preset }));
  assert.is(profileOf({ preset: undefined }), profileOf());
  for (const [options, message] of [
    [{ keepParams: ['a'] }, 'preset and keepParams cannot be combined'],
    [{ sortParams: false }, 'preset and sortParams cannot be combined'],
    [{ excludeFragment: false }, 'preset and excludeFragment cannot be combined'],
    [
      { noVarySearch: 'key-order' },
      'preset and noVarySearch cannot be combined: the header alone says which parameters count',
    ],
    [{ dropList: 'tracking-2027' }, 'preset and dropList cannot be combined'],
    [{ preset: 'page-2027' }, 'preset must be one of page-2026, got "page-2027"'],
  ] as const) {
    const error = errorOf(() => profileOf({ preset, ...options } as never));
    assert.instance(error, RangeError);
    assert.is(error.message, message);
  }
});

tests('wrong values are named', () => {
  for (const [options, kind, message] of [
    [
      { keepParams: [] },
      RangeError,
      'keepParams must have a name: what keeps no parameter is No-Vary-Search except=()',
    ],
    [{ keepParams: ['a'], dropParams: ['b'] }, RangeError, 'dropParams and keepParams cannot be combined'],
    [{ keepParams: ['a'], dropList: 'tracking-2026' }, RangeError, 'dropList and keepParams cannot be combined'],
    [{ keepParams: ['a*b'] }, RangeError, "keepParams[0] must be a name, with '*' only at its end"],
    [{ fold: 'www' }, TypeError, 'fold must be a list of folds, got string'],
    [
      { fold: ['http'] },
      RangeError,
      'fold[0] must be one of empty-query, escapes, https, index, session, slash, www, got "http"',
    ],
    [{ siteRules: 'a.example sort' }, TypeError, 'siteRules must be SiteRules, got string'],
    [{ excludeFragment: 'routes' }, RangeError, 'excludeFragment must be one of true, false, but-routes, got "routes"'],
    [{ excludeFragment: 1 }, TypeError, 'excludeFragment must be a boolean, got number'],
  ] as const) {
    const error = errorOf(() => canonicalize('http://h/', options as never));
    assert.instance(error, kind, message);
    assert.ok(error.message.startsWith(message), error.message);
  }
});

tests.run();
