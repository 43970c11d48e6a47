import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SiteRules } from '../../../src/core/sites/site-rules.ts';
import { FORM_FLAGS, OPTION_NAMES } from '../../../src/core/url/options.ts';
import { FOLDS } from '../../../src/core/url/page-rules.ts';
import { type Options, profileOf, tryCanonicalize, UrlHasher } from '../../../src/index.ts';
import { mustBeLinear } from '../../support/linear.ts';
import { SCALE } from '../../support/seed.ts';

const tests = suite('growth of the time under options');

/** Values of every option, each of which takes a way of its own. */
const VALUES = {
  base: ['http://h/a/b', 'foo:/a'],
  defaultScheme: ['https'],
  preset: FORM_FLAGS.preset.choices,
  unicode: [17],
  excludeFragment: [true, 'but-routes'],
  dropList: FORM_FLAGS.dropList.choices,
  dropParams: [['a', 'aaaa*', '=']],
  keepParams: [['b', 'a%*']],
  fold: FOLDS.map((fold) => [fold]),
  noVarySearch: ['key-order', 'params=("a")', 'except=("a")'],
  siteRules: [
    SiteRules.parse('* fold www; drop a\nh fragment; sort; drop b\nh/a/* fold slash index empty-query https; keep a'),
    SiteRules.parse('* fold https slash\nh fragment; fold www index'),
  ],
  sortParams: [true],
} as const satisfies Readonly<Record<string, readonly unknown[]>>;

const SINGLE: readonly Options[] = Object.entries(VALUES).flatMap(([name, values]) =>
  values.map((value) => ({ [name]: value })),
);

const PIECES = [
  ...['a%41', '%%37E', '%7e', '%2e', '%', '%e4', 'a', '\u00e9', ' ', '\\', '/', '//', '/.', '/a/..', '/..;cfid=1'],
  ...['/index.html', 'index.php/', ';cfid=1', ';jsessionid', ';aspsessionid', ';', '=', '&', '&a', '&a=1', '&b&a'],
  ...['a&', '&%61', '&aaaaa=1', '&utm_source=%41', '+', '?', '#', '#!', '!/', '/#/', '*', ':', ':80', '@', '[', '.'],
  ...['www.', 'www..', 'w.w', 'xn--a.', '\t'],
];

/** The beginnings of URLs, in each part of which a piece is repeated. */
const PARTS = ['http://h/', 'http://h/a/?', 'http://', 'http://www.h/?a&b#', '', 'http://h/#!', 'foo:/'];

function isPossible(options: Options): boolean {
  try {
    new UrlHasher(options);
    return true;
  } catch (error) {
    assert.instance(error, RangeError);
    return false;
  }
}

/** Two sets of options as one; lists of folds are joined. */
function together(one: Options, other: Options): Options {
  const fold = [...(one.fold ?? []), ...(other.fold ?? [])];
  return { ...one, ...other, ...(fold.length > 0 && { fold }) };
}

/** Returns options with as many values as can be combined: each value is in one set at least. */
function crowded(): readonly Options[] {
  const sets: Options[] = [];
  for (const option of SINGLE) {
    const [name] = Object.keys(option) as (keyof Options)[];
    const fits = sets.map((set) => (name === 'fold' || !(name! in set)) && isPossible(together(set, option)));
    for (const [index, fitting] of fits.entries()) if (fitting) sets[index] = together(sets[index]!, option);
    if (!fits.includes(true)) sets.push(option);
  }
  return sets;
}

const PAIRS = SINGLE.flatMap((one, index) => SINGLE.slice(index + 1).map((other) => together(one, other)));

/** Four times this is longer than what V8 copies in no time, and more than the cache of a core. */
const LENGTH = 1 << 16;
/** Four times this fits in a batch of the kernel. */
const LINE_LENGTH = 1 << 14;

tests('no option and no pair of options takes more than linear time', () => {
  assert.equal(Object.keys(VALUES), OPTION_NAMES);
  const sets = (SCALE >= 10 ? [...SINGLE, ...PAIRS] : crowded()).filter(isPossible);
  for (const [index, options] of sets.entries()) {
    const hasher = new UrlHasher(options);
    for (const [number, piece] of PIECES.entries()) {
      if (SCALE < 10 && (index + number) % 2 === 0) continue;
      const parts = SCALE >= 10 ? PARTS : [PARTS[(index + number) % PARTS.length]!];
      for (const part of parts) {
        const told = `${part}${piece}… under ${profileOf(options)}`;
        const input = (length: number) => part + piece.repeat((length - part.length) / piece.length);
        mustBeLinear(told, input, (url) => tryCanonicalize(url, options), LENGTH);
        const text = (length: number) => Buffer.from(input(length));
        mustBeLinear(`${told}, in bulk`, text, (lines) => hasher.hashLines(lines), LINE_LENGTH);
      }
    }
  }
});

tests.run();
