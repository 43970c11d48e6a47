import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as layout from '../../../assembly/layout.ts';
import { SCRATCH_END, SITES_BYTES, TEXT, TEXT_END } from '../../../assembly/layout.ts';
import { UrlBatch } from '../../../src/core/bulk/hash-rows.ts';
import { textEncoder } from '../../../src/core/bytes/text.ts';
import type { Kernel } from '../../../src/core/kernel/kernel.ts';
import { SiteRules, SiteRulesError } from '../../../src/core/sites/site-rules.ts';
import { FOLD_NAMES, INDEX_NAMES } from '../../../src/core/url/folds.ts';
import { FULL_FORM } from '../../../src/core/url/options.ts';
import { FOLDS, type Fold, foldBits, PageRules } from '../../../src/core/url/page-rules.ts';
import { escapedName } from '../../../src/core/url/parameter-names.ts';
import { canonicalize, type Options, tryCanonicalize } from '../../../src/index.ts';
import { corpusLines, sampleLines } from '../../support/data.ts';
import { mutated, SAMPLE_URLS } from '../../support/samples.ts';
import { cases, halvedCases, random, SCALE } from '../../support/seed.ts';
import { errorOf } from '../../support/thrown.ts';
import { KERNELS, messageOf, putLines } from '../kernel/kernels.ts';
import { paged, type Settings } from './page-rules.oracle.ts';

const tests = suite('page rules');

function rulesOf(settings: Settings) {
  const {
    dropParams = [],
    keepParams = [],
    sortParams = false,
    fold = [],
    excludeFragment = false,
    siteRules,
  } = settings;
  const sites = siteRules && SiteRules.parse(siteRules.join('\n'));
  return PageRules.from({
    drop: dropParams.map(escapedName),
    keep: keepParams.map(escapedName),
    isSorted: sortParams,
    folds: fold,
    excludeFragment,
    sites,
  });
}

const applied = (url: string, settings: Settings) => rulesOf(settings)?.applyToText(url) ?? url;

/** Settings, canonical form, and what it becomes. */
const EXAMPLES: readonly (readonly [Settings, string, string])[] = [
  [{ keepParams: ['q'] }, 'http://h/?q=1&s=2', 'http://h/?q=1'],
  [{ keepParams: ['q'] }, 'http://h/?s=2#f', 'http://h/#f'],
  [{ keepParams: ['q'] }, 'http://h/?', 'http://h/'],
  [{ keepParams: ['q'] }, 'http://h/?%71=1&Q', 'http://h/?%71=1'],
  [{ keepParams: ['q*', 'ä'] }, 'http://h/?qs&a&%C3%A4=&q', 'http://h/?qs&%C3%A4=&q'],
  [{ keepParams: ['q'] }, 'foo:/p?a=1&q', 'foo:/p?q'],
  [{ keepParams: ['q'] }, 'mailto:a?b', 'mailto:a?b'],
  [{ fold: ['https'] }, 'http://h/', 'https://h/'],
  [{ fold: ['https'] }, 'http://u:p@h/?q#f', 'https://u:p@h/?q#f'],
  [{ fold: ['https'] }, 'http://a:443/', 'http://a:443/'],
  [{ fold: ['https'] }, 'http://a:8080/', 'http://a:8080/'],
  [{ fold: ['https'] }, 'http://[::1]/', 'https://[::1]/'],
  [{ fold: ['https'] }, 'http://[::1]:8080/', 'http://[::1]:8080/'],
  [{ fold: ['https'] }, 'ws://h/', 'ws://h/'],
  [{ fold: ['https'] }, 'httpx://h/', 'httpx://h/'],
  [{ fold: ['www'] }, 'http://www.a.example/', 'http://a.example/'],
  [{ fold: ['www'] }, 'http://www.www.a.example/', 'http://a.example/'],
  [{ fold: ['www'] }, 'http://www.com/', 'http://www.com/'],
  [{ fold: ['www'] }, 'http://www.com./', 'http://www.com./'],
  [{ fold: ['www'] }, 'http://www.www.com/', 'http://www.com/'],
  [{ fold: ['www'] }, 'http://www..com/', 'http://www..com/'],
  [{ fold: ['www'] }, 'http://www.u@www2.a.b/', 'http://www.u@www2.a.b/'],
  [{ fold: ['www'] }, 'http://www.a.b@www.a.b:8/', 'http://www.a.b@a.b:8/'],
  [{ fold: ['slash'] }, 'http://h/', 'http://h/'],
  [{ fold: ['slash'] }, 'http://h///', 'http://h/'],
  [{ fold: ['slash'] }, 'http://h/a//?b/', 'http://h/a?b/'],
  [{ fold: ['slash'] }, 'http://h/a/#b/', 'http://h/a#b/'],
  [{ fold: ['index'] }, 'http://h/x/index.html', 'http://h/x/'],
  [{ fold: ['index'] }, 'http://h/index.php?a', 'http://h/?a'],
  [{ fold: ['index'] }, 'http://h/x/index.html/', 'http://h/x/index.html/'],
  [{ fold: ['index'] }, 'http://h/x/index.html/index.php', 'http://h/x/index.html/'],
  [{ fold: ['index'] }, 'http://h/INDEX.html', 'http://h/INDEX.html'],
  [{ fold: ['index'] }, 'http://h/xindex.html', 'http://h/xindex.html'],
  [{ fold: ['index', 'slash'] }, 'http://h/x/index.html/', 'http://h/x'],
  [{ fold: ['index', 'slash'] }, 'http://h/x/index.html/index.php', 'http://h/x'],
  [{ fold: ['index', 'slash'] }, 'http://h/index.html', 'http://h/'],
  [{ siteRules: ['h.example fold www', 'www.h.example drop s'] }, 'http://www.h.example/?s', 'http://h.example/'],
  [{ siteRules: ['h.example drop s'] }, 'http://www.h.example/?s', 'http://www.h.example/'],
  [{ siteRules: ['h.example drop s'] }, 'http://a.b.h.example:8/?s', 'http://a.b.h.example:8/'],
  [{ siteRules: ['h.example drop s'] }, 'http://ah.example/?s', 'http://ah.example/?s'],
  [{ siteRules: ['h.example drop s'] }, 'ftp://h.example/?s', 'ftp://h.example/?s'],
  [{ siteRules: ['h.example drop s', 'a.h.example drop t'] }, 'http://a.h.example/?s&t', 'http://a.h.example/?s'],
  [{ siteRules: ['h.example drop s', 'h.example/a* drop t'] }, 'http://h.example/ab?s&t', 'http://h.example/ab?s'],
  [{ siteRules: ['h.example drop s', 'b.h.example/a* drop t'] }, 'http://b.h.example/?s&t', 'http://b.h.example/?t'],
  [{ siteRules: ['* drop s'] }, 'http://[::1]:8/?s', 'http://[::1]:8/'],
  [{ siteRules: ['* drop s'] }, `http://${'a'.repeat(61)}.bc/?s`, `http://${'a'.repeat(61)}.bc/`],
  [{ siteRules: ['* drop s', 'example drop t'] }, 'http://h.example/?s&t', 'http://h.example/?s'],
  [{ siteRules: ['*/a* drop s', 'h.example/b* drop t'] }, 'http://h.example/a?s&t', 'http://h.example/a?t'],
  [{ siteRules: ['h.example/a/* fold slash'] }, 'http://h.example/a///', 'http://h.example/a/'],
  [{ siteRules: ['h.example/a/* fold slash'] }, 'http://h.example/a/b/', 'http://h.example/a/b'],
  [{ siteRules: ['h.example/a/i* fold index'] }, 'http://h.example/a/index.php', 'http://h.example/a/index.php'],
  [{ siteRules: ['h.example keep q'], dropParams: ['q'] }, 'http://h.example/?q&r', 'http://h.example/'],
  [{ siteRules: ['h.example keep q r'], keepParams: ['q'] }, 'http://h.example/?q&r', 'http://h.example/?q'],
  [{ siteRules: ['h.example sort'] }, 'http://h.example/?b&a', 'http://h.example/?a&b'],
  [{ siteRules: ['[::1] sort', '1.2.3.4 sort'] }, 'http://[::1]:8/?b&a', 'http://[::1]:8/?a&b'],
  [{ siteRules: ['com fold https'] }, 'http://a.com/', 'https://a.com/'],
  [{ fold: ['escapes'] }, 'http://h/%7ea%e6?%7E#%e6%2f', 'http://h/~a%E6?~#%E6%2F'],
  [{ fold: ['escapes'] }, 'http://h/%41%5a%5F%2d%2E%30', 'http://h/AZ_-.0'],
  [{ fold: ['escapes'] }, 'http://h/%2f%3f%23%25%20', 'http://h/%2F%3F%23%25%20'],
  [{ fold: ['escapes'] }, 'http://h/%%37E', 'http://h/%%37E'],
  [{ fold: ['escapes'] }, 'http://h/%7%45', 'http://h/%7%45'],
  [{ fold: ['escapes'] }, 'http://h/%%37%45', 'http://h/%7%45'],
  [{ fold: ['escapes'] }, 'http://h/%%37x%%6a%%%41', 'http://h/%7x%j%%A'],
  [{ fold: ['escapes'] }, 'http://h/%', 'http://h/%'],
  [{ fold: ['escapes'] }, 'http://h/%4', 'http://h/%4'],
  [{ fold: ['escapes'] }, 'http://h/%4%', 'http://h/%4%'],
  [{ fold: ['escapes'] }, 'http://%75@h/%75', 'http://%75@h/u'],
  [{ fold: ['escapes'] }, 'ftp://h/%75', 'ftp://h/%75'],
  [{ fold: ['escapes', 'index'] }, 'http://h/a/index%2ehtml', 'http://h/a/'],
  [{ fold: ['escapes'], siteRules: ['h.example/~a* drop s'] }, 'http://h.example/%7Ea?s', 'http://h.example/~a'],
  [{ fold: ['session'] }, 'http://h/a;jsessionid=1', 'http://h/a'],
  [{ fold: ['session'] }, 'http://h/a;JSessionID=1;b=2/c', 'http://h/a;b=2/c'],
  [{ fold: ['session'] }, 'http://h/a;jsessionid=1/c?x', 'http://h/a/c?x'],
  [{ fold: ['session'] }, 'http://h/a;jsessionid/;cfid=1;cftoken=2', 'http://h/a/'],
  [{ fold: ['session'] }, 'http://h/a;jsessionidx=1;xcfid=2', 'http://h/a;jsessionidx=1;xcfid=2'],
  [{ fold: ['session'] }, 'http://h/a;aspsessionidABCD=1', 'http://h/a'],
  [{ fold: ['session'] }, 'http://h/a/..;jsessionid=1/b', 'http://h/b'],
  [{ fold: ['session'] }, 'http://h/a/b/%2E.;jsessionid=1', 'http://h/a/'],
  [{ fold: ['session'] }, 'http://h/.;jsessionid=1', 'http://h/'],
  [{ fold: ['session'] }, 'http://h/..;jsessionid=1/..;cfid=2/c', 'http://h/c'],
  [{ fold: ['session'] }, 'http://h/a//..;jsessionid=1/b', 'http://h/a/b'],
  [{ fold: ['session'] }, 'http://h/?PHPSESSID=1&a&cfid=2&CFToken=3', 'http://h/?a'],
  [{ fold: ['session'] }, 'http://h/?%50hpsessid=1&asp%53essionidX', 'http://h/'],
  [{ fold: ['session'] }, 'http://h/?sid=1&xphpsessid=2&phpsessid2=3', 'http://h/?sid=1&xphpsessid=2&phpsessid2=3'],
  [{ fold: ['session'] }, 'ftp://h/a;jsessionid=1?cfid=2', 'ftp://h/a;jsessionid=1?cfid=2'],
  [{ fold: ['session'] }, 'http://h/#;jsessionid=1', 'http://h/#;jsessionid=1'],
  [{ fold: ['session'], keepParams: ['cfid'] }, 'http://h/?cfid=1&a', 'http://h/'],
  [
    { fold: ['session'], siteRules: ['h.example/a/b* sort'] },
    'http://h.example/a;cfid=1/b?d&c',
    'http://h.example/a/b?c&d',
  ],
  [{ fold: ['empty-query'] }, 'http://h/p?', 'http://h/p'],
  [{ fold: ['empty-query'] }, 'http://h/p?#f', 'http://h/p#f'],
  [{ fold: ['empty-query'] }, 'http://h/p?&', 'http://h/p?&'],
  [{ fold: ['empty-query'] }, 'http://h/p#?', 'http://h/p#?'],
  [{ fold: ['empty-query'], dropParams: ['a'] }, 'http://h/p?a&', 'http://h/p'],
  [{ fold: ['empty-query'] }, 'ftp://h/p?', 'ftp://h/p?'],
  [{ siteRules: ['h.example fold empty-query'] }, 'http://h.example/p?', 'http://h.example/p'],
  [{ siteRules: ['h.example fragment'], excludeFragment: true }, 'http://h.example/#f', 'http://h.example/#f'],
  [{ siteRules: ['h.example fragment'], excludeFragment: true }, 'http://i.example/?q#f', 'http://i.example/?q'],
  [{ siteRules: ['h.example fragment'], excludeFragment: true }, 'ftp://h.example/#f', 'ftp://h.example/'],
  [{ siteRules: ['h.example fragment'], excludeFragment: true }, 'mailto:a#f', 'mailto:a'],
  [
    { siteRules: ['h.example drop s; fragment'], excludeFragment: true },
    'http://h.example/?s#?s',
    'http://h.example/#?s',
  ],
  [{ siteRules: ['* fragment', 'h.example sort'], excludeFragment: true }, 'http://h.example/#f', 'http://h.example/'],
  [{ siteRules: ['h.example fragment'] }, 'http://i.example/#f', 'http://i.example/#f'],
  ...[
    '#!/user',
    '#/inbox',
    '#!x',
    '#!',
    '#/',
    '#!/',
    '#',
    '#top',
    '#!//',
    '#//',
    '#/!',
    '#//top',
    '#%21/a',
    '#?!/a',
  ].map((fragment): readonly [Settings, string, string] => [
    { excludeFragment: 'but-routes' },
    `http://h/?q${fragment}`,
    /^#[!/]/.test(fragment) && !['#!', '#/', '#!/'].includes(fragment) ? `http://h/?q${fragment}` : 'http://h/?q',
  ]),
  [{ excludeFragment: 'but-routes', fold: ['escapes'] }, 'http://h/#!/%7euser', 'http://h/#!/~user'],
  [{ excludeFragment: 'but-routes', fold: ['escapes'] }, 'http://h/#/%2e', 'http://h/#/.'],
  [{ excludeFragment: 'but-routes', dropParams: ['a'] }, 'https://h/?a#/b?a', 'https://h/#/b?a'],
  [{ excludeFragment: 'but-routes' }, 'ftp://h/#/a', 'ftp://h/'],
  [{ excludeFragment: 'but-routes' }, 'mailto:a#!/b', 'mailto:a'],
  [{ excludeFragment: 'but-routes' }, 'httpx://h/#/a', 'httpx://h/'],
  [
    { siteRules: ['h.example fragment'], excludeFragment: 'but-routes' },
    'http://h.example/#top',
    'http://h.example/#top',
  ],
  [{ siteRules: ['h.example fragment'], excludeFragment: 'but-routes' }, 'http://i.example/#top', 'http://i.example/'],
  [
    { siteRules: ['h.example fragment'], excludeFragment: 'but-routes' },
    'http://i.example/#/a',
    'http://i.example/#/a',
  ],
  [{ siteRules: ['h.example drop a%2A'] }, 'http://h.example/?ab&a*&a%2a=1&a', 'http://h.example/?ab&a'],
  [{ siteRules: ['h.example drop %2A'] }, 'http://h.example/?a&*', 'http://h.example/?a'],
  [{ siteRules: ['h.example drop a%2Ab*'] }, 'http://h.example/?a*bc&a*&axb', 'http://h.example/?a*&axb'],
  [{ siteRules: ['h.example keep a%2A b*'] }, 'http://h.example/?ab&a*&bc', 'http://h.example/?a*&bc'],
  [
    { siteRules: ['h.example drop a\u3000b \u00a0 x\u2003y \ufeff'] },
    'http://h.example/?a&b&a%E3%80%80b&%C2%A0&x&y&x%E2%80%83y&%EF%BB%BF',
    'http://h.example/?a&b&x&y',
  ],
  [{ siteRules: ['h.example drop a\vb c\rd'] }, 'http://h.example/?a&b&a%0Bb&c&d&c%0Dd', 'http://h.example/?a&b&c&d'],
  [{ siteRules: ['h.example\tdrop\ta \t b'] }, 'http://h.example/?a&b&c', 'http://h.example/?c'],
  [{ siteRules: ['h.example drop sort'] }, 'http://h.example/?sort&a', 'http://h.example/?a'],
];

tests('the examples of the definition', () => {
  for (const [settings, url, form] of EXAMPLES) {
    const told = `${url} ${JSON.stringify(settings)}`;
    assert.is(tryCanonicalize(url), url, told);
    assert.is(applied(url, settings), form, told);
    assert.is(paged(url, settings), form, `second reading: ${told}`);
  }
});

/** A page that each fold changes, whether a line of site rules may ask for it, and whether it changes what parameters count. */
const FOLD_FACTS: Readonly<Record<Fold, { page: string; isOfLines: boolean; isOfParameters: boolean }>> = {
  'empty-query': { page: 'http://h.example/?', isOfLines: true, isOfParameters: true },
  escapes: { page: 'http://h.example/%7ea', isOfLines: false, isOfParameters: false },
  https: { page: 'http://h.example/', isOfLines: true, isOfParameters: false },
  index: { page: 'http://h.example/index.html', isOfLines: true, isOfParameters: false },
  session: { page: 'http://h.example/?phpsessid=1', isOfLines: false, isOfParameters: true },
  slash: { page: 'http://h.example/a/', isOfLines: true, isOfParameters: false },
  www: { page: 'http://www.h.example/', isOfLines: true, isOfParameters: false },
};

tests('a fold has one name, and one bit in the library and the kernel', () => {
  assert.equal(FOLD_NAMES, FOLDS);
  const constants: Readonly<Record<string, unknown>> = layout;
  for (const [index, fold] of FOLDS.entries()) {
    assert.is(foldBits([fold]), 1 << index, fold);
    assert.is(constants[`FOLD_${fold.toUpperCase().replace('-', '_')}`], 1 << index, fold);
  }
  assert.ok(
    FOLDS.length <= 8 * (layout.RULE_LISTS - layout.RULE_FOLDS),
    'the kernel has no room for the folds of a rule',
  );
});

tests('each fold of a run is one of a line, too, or is refused there; and beside No-Vary-Search', () => {
  for (const fold of FOLDS) {
    const { page, isOfLines, isOfParameters } = FOLD_FACTS[fold];
    const folded = canonicalize(page, { fold: [fold] });
    assert.is.not(folded, page, fold);
    const line = `h.example fold ${fold}`;
    if (isOfLines) assert.is(canonicalize(page, { siteRules: SiteRules.parse(line) }), folded, fold);
    else
      assert.throws(
        () => SiteRules.parse(line),
        (error: unknown) => error instanceof SiteRulesError,
      );
    const besides = { fold: [fold], noVarySearch: 'key-order' };
    if (isOfParameters) assert.throws(() => canonicalize(page, besides), /cannot be combined/);
    else assert.is(canonicalize(page, besides), folded, fold);
  }
});

const NAMES = ['a', 'b', 's', 't*', 'utm_*', 'q', 'ä', 'a b', 'sid'];
/** Names in lines: options have no name with a `*`, or a word of an action. */
const WORDS = [...NAMES.map(escapedName), 'a%2A', '%2A', 'a%2A*', '%73ort', 'x\u3000y'];
const HOSTS = [
  'a.example',
  'www.a.example',
  'b.a.example',
  'example',
  'com',
  'www.com',
  '1.2.3.4',
  '[::1]',
  'h',
].concat(
  'a-long-name-of-a-host.example',
  'c.a-long-name-of-a-host.example',
  'a-name-of-more-than-thirty-two-bytes.in-all.example',
);
const PATHS = ['', '/a-long-path-of-a-page/x*', '/*', '/a*', '/a/*', '/a/b*', '/a/index.html*', '/index*', '/www.*'];
const SEGMENTS = [
  'a-long-path-of-a-page',
  'a',
  'b',
  '',
  '',
  'index.html',
  'index.php',
  'Default.asp',
  'www.',
  'indexx.html',
  'x',
  '%7Ea',
  '%e4%41',
  '%%37E',
  '%7%45%',
  'index%2Ehtml',
  'a;jsessionid=1',
  '..;JSESSIONID=1;b',
  '.%2E;cfid',
  ';aspsessionidx=2;c;cftoken=3',
];
const PARAMETERS = [
  'PHPSESSID=1',
  'cf%69d=2',
  'aspsessionidab=3',
  '%7e=%e6',
  'a=1',
  'b',
  's=%20',
  'tx=1',
  'utm_id=3',
  '%71=q',
  '',
  '%C3%A4=1',
  'a+b',
  'sid',
  '=',
  'c=?/#',
  'a*=1',
  'ab',
  '*',
  'x%E3%80%80y',
];

type Next = ReturnType<typeof random>;
const some = <T>(items: readonly T[], next: Next) => items.filter(() => next(3) === 0);
const one = <T>(items: readonly T[], next: Next): T => items[next(items.length)]!;

function randomLine(next: Next): string {
  const names = some(WORDS, next);
  const filters = names.length === 0 ? [] : [`${next(2) === 0 ? 'keep' : 'drop'} ${names.join(' ')}`];
  const folds = some(FOLDS, next).filter((fold) => FOLD_FACTS[fold].isOfLines);
  const actions = [
    ...filters,
    ...(folds.length > 0 ? [`fold ${folds.join(' ')}`] : []),
    ...some(['sort', 'fragment'], next),
  ];
  return `${next(4) === 0 ? '*' : one(HOSTS, next)}${one(PATHS, next)} ${actions.length === 0 ? 'sort' : actions.join(';')}`;
}

/** Lines without a contradiction. */
function randomLines(next: Next): string[] {
  const lines: string[] = [];
  for (let count = next(8); count > 0; count--) {
    const line = randomLine(next);
    if (!isRefused([...lines, line])) lines.push(line);
  }
  return lines;
}

function isRefused(lines: readonly string[]): boolean {
  try {
    SiteRules.parse(lines.join('\n'));
    return false;
  } catch (error) {
    if (error instanceof SiteRulesError && error.reason === 'contradiction') return true;
    throw error;
  }
}

function randomSettings(next: Next): Settings {
  const names = some(NAMES, next);
  const filter = names.length === 0 ? {} : next(2) === 0 ? { dropParams: names } : { keepParams: names };
  const siteRules = next(2) === 0 ? {} : { siteRules: randomLines(next) };
  const excludeFragment = one([true, 'but-routes', false, false] as const, next);
  return {
    ...filter,
    sortParams: next(4) === 0,
    fold: next(2) === 0 ? some(FOLDS, next) : [],
    excludeFragment,
    ...siteRules,
  };
}

/** A canonical form, or undefined. */
function randomForm(next: Next, corpus: readonly string[]): string | undefined {
  if (next(3) === 0) return tryCanonicalize(mutated(one(corpus, next), next)) ?? undefined;
  const scheme = one(['http', 'http', 'https', 'ftp', 'foo', 'ws'], next);
  const user = one(['', '', '', 'u@', 'www.a.example:p@'], next);
  const host = `${one(['', 'www.', 'www.www.', 'x.', 'www..'], next)}${one(HOSTS, next)}`;
  const port = one(['', '', '', ':8080', ':443', ':80'], next);
  const path = Array.from({ length: next(5) }, () => `/${one(SEGMENTS, next)}`).join('');
  const query = next(3) === 0 ? '' : `?${Array.from({ length: next(5) }, () => one(PARAMETERS, next)).join('&')}`;
  const fragment = one(['', '', '#', '#f?a/', '#www.', '#!/a', '#/%7Eb?a', '#/', '#!', '#!/', '#!!'], next);
  return tryCanonicalize(`${scheme}://${user}${host}${port}${path}${query}${fragment}`) ?? undefined;
}

const CORPUS = [...SAMPLE_URLS, ...sampleLines()];

tests('mutated URLs and rules: as the second reading, idempotent, canonical', () => {
  const next = random();
  let changed = 0;
  // 10^6 URLs in a long run
  for (let count = 0; count < cases(SCALE >= 10 ? 10_000 : 1500); count++) {
    const settings = randomSettings(next);
    const rules = rulesOf(settings);
    for (let left = 10; left > 0; left--) {
      const full = randomForm(next, CORPUS);
      if (full === undefined) continue;
      const url = settings.excludeFragment === true && !rules?.excludesFragments ? full.split('#')[0]! : full;
      const form = rules?.applyToText(url) ?? url;
      const told = `${JSON.stringify(url)} ${JSON.stringify(settings)}`;
      assert.is(form, paged(url, settings), told);
      assert.is(rules?.applyToText(form) ?? form, form, `not idempotent: ${told}`);
      assert.is(tryCanonicalize(form), form, `not canonical: ${told}`);
      if (form !== url) changed++;
    }
  }
  assert.ok(changed > cases(1500), `only ${changed} were changed`);
});

tests(
  'the order of lines, of actions and of names does not matter, and the same rules have one text and one id',
  () => {
    const next = random();
    for (let count = 0; count < halvedCases(300); count++) {
      const lines = randomLines(next);
      const shuffled = lines
        .map((line) => [next(1000), line] as const)
        .sort(([a], [b]) => a - b)
        .map(([, line]) => line);
      const [rules, others] = [SiteRules.parse(lines.join('\n')), SiteRules.parse(shuffled.join('\r\n'))];
      assert.is(rules.text, others.text);
      assert.is(rules.id, others.id);
      const again = SiteRules.parse(rules.text);
      assert.is(again.text, rules.text);
      assert.is(again.size, rules.size);
      for (let left = 10; left > 0; left--) {
        const url = randomForm(next, CORPUS);
        if (url === undefined) continue;
        const form = applied(url, { siteRules: lines });
        assert.is(applied(url, { siteRules: shuffled }), form);
        assert.is(applied(url, { siteRules: rules.text.split('\n') }), form);
      }
    }
    const text =
      '# one\n\nb.example  sort\r\nwww.a.example drop b a ; fold www\na.example fragment; drop a\na.example/x* keep %C3%A4\n';
    const canonical = 'a.example drop a b; fold www; fragment\na.example/x* keep %C3%A4\nb.example sort\n';
    assert.is(SiteRules.parse(text).text, canonical);
  },
);

tests('what each fold changes and merges in the corpora is what the page says', () => {
  if (SCALE < 10) return; // a minute
  const lines = ['main', 'intl', 'changed'].flatMap((name) => corpusLines(name));
  if (lines.length === 0) return;
  const forms = new Set(lines.map((line) => tryCanonicalize(line, { excludeFragment: true })));
  const pages = [...forms].filter((form) => form?.startsWith('http:') || form?.startsWith('https:')) as string[];
  const document = readFileSync('docs/parameters.md', 'utf8');
  assert.ok(document.includes(`${pages.length.toLocaleString('en')} distinct`), `${pages.length}`);
  const values = ['key-order', 'params=("utm_source" "fbclid")', 'except=()'];
  const counted: [string, Options][] = FOLDS.map((fold) => [`\`${fold}\``, { fold: [fold] }]);
  counted.push(
    ['all seven', { fold: FOLDS }],
    ...values.map((value) => [`\`${value}\``, { noVarySearch: value }] as [string, Options]),
  );
  for (const [name, options] of counted) {
    const folded = pages.map((page) => canonicalize(page, options));
    const changed = folded.filter((form, index) => form !== pages[index]).length;
    const numbers = [changed, pages.length - new Set(folded).size].map((number) => number.toLocaleString('en'));
    const row = document.split('\n').find((line) => line.startsWith(`| ${name} `) && /^[^|]*\|[^|]*\| +\d/.test(line))!;
    assert.equal(
      row
        .split('|')
        .slice(2, 4)
        .map((cell) => cell.trim()),
      numbers,
      name,
    );
  }
});

/** Canonicalizes lines in a kernel's memory, and returns their forms. */
function formsOf(kernel: Kernel, lines: readonly string[], rules: PageRules | undefined): (string | undefined)[] {
  const batch = new UrlBatch({ kernel, form: { ...FULL_FORM, rules } });
  batch.canonicalize(lines.length, putLines(kernel, lines), (row) => lines[row]);
  return lines.map((_, row) => messageOf(kernel.memory, row));
}

const LABELS = ['com fold https index slash www; sort', 'org drop s', 'net fold https; keep q', 'edu fold www'];

tests('folds and rules are applied in the kernel: JavaScript has only what has parameters', () => {
  const kernel = KERNELS.find(({ name }) => name === 'simd');
  if (kernel === undefined) return;
  const lines = sampleLines().slice(0, 2000);
  for (const [settings, pattern] of [
    [{ fold: FOLDS }, /\?/],
    [{ siteRules: ['a.example drop s', 'h.example fold slash'] }, /^$/],
    [{ siteRules: LABELS }, /^[^?]*\.(?:com\/[^?]*\?[^#]*&|(?:org|net)\/[^?]*\?)/],
    [{ siteRules: ['com sort'], fold: ['https', 'www'] as const, dropParams: ['s'] }, /\?/],
  ] as const) {
    const rules = rulesOf(settings);
    const before = formsOf(kernel, lines, undefined);
    const parsed = new Set(kernel.memory.pending.slice(0, kernel.memory.pendingCount));
    const forms = formsOf(kernel, lines, rules);
    const { listed, listedCount, pending, pendingCount } = kernel.memory;
    const left = pending.subarray(0, pendingCount).filter((row) => !parsed.has(row));
    const unfoldedCount = left.filter((row) => /^https?:/.test(before[row]!)).length;
    assert.ok(unfoldedCount < lines.length / 50, `${unfoldedCount} are not folded in the kernel`);
    for (let at = 0; at < 4 * listedCount; at += 4)
      assert.match(before[listed[at]!]!, pattern, JSON.stringify(settings));
    const changed = forms.filter((form, row) => form !== before[row]).length;
    assert.ok(changed > lines.length / 10 || pattern.source === '^$', `${changed} are changed`);
    for (const [row, form] of forms.entries())
      assert.is(form, before[row] && (rules?.applyToText(before[row]) ?? before[row]));
  }
});

tests('rules that do not fit in memory are applied in JavaScript, and rules after them in the kernel again', () => {
  const kernel = KERNELS.find(({ name }) => name === 'simd');
  if (kernel === undefined) return;
  const lines = Array.from({ length: 2000 }, (_, index) => `http://www.h${index}.example/?p${index}`);
  for (const [hostCount, fits] of [
    [7000, true],
    [20_000, false],
    [3000, true],
  ] as const) {
    const siteRules = Array.from({ length: hostCount }, (_, index) => `h${index}.example drop p${index}; fold https`);
    const rules = rulesOf({ siteRules })!;
    assert.is(rules.sites!.hostTable.length <= SITES_BYTES, fits, `${hostCount}`);
    const expected = lines.map((_, index) => `https://www.h${index}.example/`);
    assert.equal(formsOf(kernel, lines, rules), expected);
    assert.is(kernel.memory.pendingCount, fits ? 0 : lines.length);
  }
});

tests(
  'pages for whose folds memory has no more room are left to the parser, and nothing is written after the room',
  () => {
    const kernel = KERNELS.find(({ name }) => name === 'simd');
    if (kernel === undefined) return;
    const { memory } = kernel;
    const lines = Array.from({ length: 2000 }, (_, row) => `http://www.h.example/%7e${row}/${'x'.repeat(95)}`);
    for (const fold of [['https'], ['escapes'], ['escapes', 'www']] as const) {
      memory.bytes.fill(0x55, TEXT_END, SCRATCH_END);
      const batch = new UrlBatch({ kernel, form: { ...FULL_FORM, rules: rulesOf({ fold }) } });
      batch.canonicalize(lines.length, putLines(kernel, lines), (row) => lines[row]);
      assert.ok(
        memory.pendingCount > 100 && memory.pendingCount < lines.length,
        `${fold}: ${memory.pendingCount} left`,
      );
      const end = memory.bytes.subarray(TEXT_END, SCRATCH_END).findIndex((byte) => byte !== 0x55);
      assert.is(end, -1, `${fold}: a byte is written ${end} after the room`);
      for (const [row, line] of lines.entries())
        assert.is(batch.longForms.get(row) ?? messageOf(memory, row), paged(line, { fold }), line);
    }
  },
);

for (const kernel of KERNELS) {
  tests(`${kernel.name}: rows in memory as one text at a time, with room and without`, () => {
    const next = random();
    for (let count = 0; count < cases(SCALE >= 10 ? 340 : 60); count++) {
      const settings = randomSettings(next);
      const rules = rulesOf(settings);
      const excludeFragment = settings.excludeFragment === true && !rules?.excludesFragments;
      const batch = new UrlBatch({ kernel, form: { ...FULL_FORM, excludeFragment, rules } });
      const urls = Array.from({ length: 300 }, () => randomForm(next, CORPUS) ?? 'not a url')
        .map((url) => (next(4) === 0 ? url.toUpperCase() : url).replaceAll('\n', ''))
        .map((url) => (next(4) === 0 ? url.replace(/#/, one(['#\t', '#\r', '\t#', '# '], next)) : url))
        .map((url) => Buffer.from(url).toString());
      const { memory } = kernel;
      let end = TEXT;
      for (const [row, url] of urls.entries()) {
        memory.rowStarts[row] = end;
        end += textEncoder().encodeInto(url, memory.bytes.subarray(end)).written;
        memory.rowEnds[row] = end;
        memory.bytes[end++] = 0x0a;
      }
      batch.canonicalize(urls.length, end, (row) => urls[row]);
      let strippedCount = 0;
      for (const [row, url] of urls.entries()) {
        const form = tryCanonicalize(url);
        const expected = form === null ? undefined : paged(form, settings);
        assert.is(messageOf(memory, row), expected, `${url} ${JSON.stringify(settings)}`);
        if (form === null) continue;
        const left = paged(form, withEmptyQueries(settings));
        strippedCount += Number(parameterCount(left) < parameterCount(form));
      }
      assert.is(batch.strippedCount, strippedCount);
      assert.is(batch.invalidRows.length, urls.filter((url) => tryCanonicalize(url) === null).length);
    }
  });
}

/** How many parameters a form has in its query and, separated by `;`, in its path. */
function parameterCount(form: string): number {
  const [, path, query] = /^(?:[^:/]*:(?=\/)([^?#]*))(\?[^#]*)?/.exec(form) ?? [];
  return (path ?? '').split(';').length + (query === undefined ? 0 : query.split('&').length);
}

/** The same settings without the fold that takes an empty query away, which is no loss of a parameter. */
function withEmptyQueries(settings: Settings): Settings {
  const fold = settings.fold?.filter((each) => each !== 'empty-query') ?? [];
  const siteRules = settings.siteRules?.map((line) => line.replace('fold empty-query', 'fold https'));
  return { ...settings, fold, ...(siteRules && { siteRules }) };
}

/** Lines that are refused, the reason, and the number of the line. */
const REFUSED: readonly (readonly [string, string, number])[] = [
  ['Shop.example sort', 'host', 1],
  ['sort\nshop.example:80 sort', 'action', 1],
  ['\n# c\nshop.example:80 sort', 'host', 3],
  ['u@shop.example sort', 'host', 1],
  ['*.shop.example sort', 'host', 1],
  ['bücher.example sort', 'host', 1],
  ['1.2.3 sort', 'host', 1],
  ['/a* sort', 'host', 1],
  ['a.example/a sort', 'path', 1],
  ['a.example/a/../b* sort', 'path', 1],
  ['a.example/ä* sort', 'path', 1],
  ['a.example/a?b* sort', 'path', 1],
  ['a.example/a*b* sort', 'path', 1],
  ['a.example', 'action', 1],
  ['a.example sort;', 'action', 1],
  ['a.example sort a', 'action', 1],
  ['a.example drop', 'action', 1],
  ['a.example keep', 'action', 1],
  ['a.example fold', 'action', 1],
  ['a.example remove x', 'action', 1],
  ['a.example drop *', 'name', 1],
  ['a.example drop a*b', 'name', 1],
  ['a.example drop %zz', 'name', 1],
  ['a.example drop a # a comment', 'name', 1],
  ['a.example drop \ufffd', 'name', 1],
  ['a.example fold slash http', 'fold', 1],
  ['a.example fold escapes', 'fold', 1],
  ['a.example fold session', 'fold', 1],
  ['a.example keep a; drop b', 'contradiction', 1],
  ['a.example drop a keep b', 'action', 1],
  ['a.example keep a sort', 'action', 1],
  ['a.example drop a fragment', 'action', 1],
  ['a.example drop a fold www', 'action', 1],
  ['a.example drop a**', 'name', 1],
  ['a.example drop %2A*b', 'name', 1],
  ['a.example\u3000drop a', 'host', 1],
  ['a.example\u00a0 drop a', 'host', 1],
  ['\ufeff\ufeffa.example drop a', 'host', 1],
  ['a.example drop\u00a0a', 'action', 1],
  ['\va.example drop a', 'host', 1],
  ['a.example keep a\nwww.a.example sort\nwww.www.a.example drop b', 'contradiction', 3],
];

tests('a wrong line is an error with its number', () => {
  for (const [text, reason, line] of REFUSED) {
    const error = errorOf(() => SiteRules.parse(text)) as SiteRulesError;
    assert.instance(error, SiteRulesError, text);
    assert.is(error.reason, reason, text);
    assert.is(error.line, line, text);
    assert.is(error.input, text.replace(/^\ufeff/, '').split('\n')[line - 1]);
    assert.match(error.message, `line ${line} of the site rules: `);
  }
  assert.instance(
    errorOf(() => SiteRules.parse(new Uint8Array() as never)),
    TypeError,
  );
});

tests('each index name is folded by itself, and nothing near it', () => {
  for (const name of INDEX_NAMES) {
    assert.is(applied(`http://h/${name}`, { fold: ['index'] }), 'http://h/');
    for (const near of [`${name}x`, `x${name}`, name.slice(1), name.slice(0, -1), `${name};a`]) {
      const url = `http://h/${near}`;
      assert.is(applied(url, { fold: ['index'] }), INDEX_NAMES.includes(near) ? 'http://h/' : url);
    }
  }
});

tests.run();
