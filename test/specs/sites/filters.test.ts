import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SiteRules } from '../../../src/core/sites/site-rules.ts';
import { canonicalize } from '../../../src/index.ts';
import { siteRulesOfClearUrls, siteRulesOfFilters } from '../../../src/specs/sites/filters.ts';
import { mustBeLinear } from '../../support/linear.ts';
import { cases, random } from '../../support/seed.ts';
import { errorOf } from '../../support/thrown.ts';

const tests = suite('site rules of filter lists');

/** A line of a filter list, and its rule or why it is left out; undefined where it is skipped. */
const LINES: readonly (readonly [string, string | undefined])[] = [
  ['||shop.example^$removeparam=si', 'shop.example drop si'],
  ['  ||Shop.example^$removeparam=a b  ', 'shop.example drop a%20b'],
  ['||1.2.3.4^$removeparam=q', '1.2.3.4 drop q'],
  ['||a.example^$removeparam=ü', 'a.example drop %C3%BC'],
  ['! a comment', undefined],
  ['# a comment', undefined],
  ['[Adblock Plus 2.0]', undefined],
  ['', undefined],
  ['@@||shop.example^$removeparam=x', 'an exception'],
  ['$removeparam=utm_source', '* drop utm_source'],
  ['*$removeparam=utm_source', '* drop utm_source'],
  ['||shop.example^$removeparam=%24x', 'shop.example drop %24x'],
  ['||shop.example^$removeparam=%2524', 'shop.example drop %2524'],
  ['||shop.example^$removeparam=a|%C3%BC', 'shop.example drop a %C3%BC'],
  ['||shop.example/p/$removeparam=x', 'shop.example/p/* drop x'],
  ['||shop.example/p*$removeparam=x', 'shop.example/p* drop x'],
  ['||shop.example/*$removeparam=x', 'shop.example drop x'],
  ['||shop.example^$doc,removeparam=x', 'shop.example drop x'],
  ['||shop.example^$removeparam=x,document,important', 'shop.example drop x'],
  ['$removeparam=x,domain=A.example', 'a.example drop x'],
  ['||shop.example/p$domain=a.shop.example|b.example,removeparam=x', 'a.shop.example/p* drop x'],
  ['||a.shop.example^$removeparam=x,from=shop.example', 'a.shop.example drop x'],
  ['$removeparam=x,domain=~a.example', 'another modifier'],
  ['$removeparam=x,domain=*', 'another modifier'],
  ['$removeparam=x,domain=|', 'another modifier'],
  ['$removeparam=x,domain=#a', 'another modifier'],
  ['$removeparam=x,domain=www.a.example', 'a host that begins with www'],
  ['$removeparam=x,domain=a b', 'not a whole host'],
  ['||#a^$removeparam=x', 'not a whole host'],
  ['||shop.example/p^$removeparam=x', 'not a whole host'],
  ['||shop.example/p?$removeparam=x', 'not a whole host'],
  ['||shop.example/p*q$removeparam=x', 'not a whole host'],
  ['||shop.example/../p$removeparam=x', 'not a path'],
  ['||shop.example/a b$removeparam=x', 'not a path'],
  ['||shop.example^$removeparam=100%', 'not a name'],
  ['||shop.example^$removeparam=a%2A', 'not a name'],
  ['||shop.example^$removeparam=a|', 'not a name'],
  ['||shop.example$removeparam=x', 'not a whole host'],
  ['||amazon.*^$removeparam=x', 'not a whole host'],
  ['||shop.^$removeparam=x', 'shop. drop x'],
  ['|http://shop.example^$removeparam=x', 'not a whole host'],
  ['||1.2.3^$removeparam=x', 'not a whole host'],
  ['||bücher.example^$removeparam=x', 'not a whole host'],
  ['||www.shop.example^$removeparam=x', 'a host that begins with www'],
  ['||shop.example^$removeparam=x,domain=y.example', 'another modifier'],
  ['||shop.example^$third-party,removeparam=x', 'another modifier'],
  ['||shop.example^$xmlhttprequest,removeparam', 'another modifier'],
  ['||shop.example^$removeparam', 'every parameter'],
  ['||shop.example^$removeparam=~x', 'all parameters but one'],
  ['||shop.example^$removeparam=/^utm_/', 'a regular expression'],
  ['||shop.example^$removeparam=/a,b/', 'a regular expression'],
  ['||shop.example^$removeparam=|utm_', 'a regular expression'],
  ['||shop.example^$removeparam=a*', 'not a name'],
  ['||shop.example^$removeparam=a # a comment', 'not a name'],
  ['||shop.example^$removeparam=\ud800', 'not a name'],
  ['shop.example##.ad', 'another filter'],
  ['shop.example#@#.ad', 'another filter'],
  ['##.ad', 'another filter'],
  ['||ads.example^', 'another filter'],
  ['||ads.example^$removeparamx=1', 'another filter'],
];

tests('each kind of line becomes a rule, or is counted and named', () => {
  for (const [line, expected] of LINES) {
    const { text, count, leftOut } = siteRulesOfFilters(line);
    if (text !== '') assert.equal([text, count, leftOut], [`${expected}\n`, 1, []], line);
    else if (expected === undefined) assert.equal([count, leftOut], [0, []], line);
    else assert.equal(leftOut, [{ place: 1, text: line.trim(), reason: expected }], line);
  }
  const { count, leftOut } = siteRulesOfFilters(LINES.map(([line]) => line).join('\r\n'));
  assert.is(count + leftOut.length, LINES.filter(([, expected]) => expected !== undefined).length);
  assert.equal(
    leftOut.map(({ place }) => LINES[Number(place) - 1]![1]),
    leftOut.map(({ reason }) => reason),
  );
});

tests('a list of hosts is a rule for each', () => {
  const { text, count } = siteRulesOfFilters('$removeparam=x|y,domain=a.example|b.example');
  assert.equal([text, count], ['a.example drop x y\nb.example drop x y\n', 1]);
});

tests('a page loses the parameters that a blocker takes from it, by every filter whose host and path fit', () => {
  const next = random();
  const hosts = ['a.example', 'b.a.example', 'c.b.a.example', 'x.example', 'example', ''];
  const paths = ['/', '/p', '/p/', '/p/q', '/x'];
  const names = ['p0', 'p1', 'p2', 'p3'];
  for (let left = cases(500); left > 0; left--) {
    const filters = Array.from({ length: next(8) }, () => {
      const host = hosts[next(hosts.length)]!;
      return { host, path: host === '' ? '/' : paths[next(paths.length)]!, name: `p${next(4)}` };
    });
    const lines = filters.map(({ host, path, name }) => `${host && `||${host}${path}`}$removeparam=${name}`);
    const { text, leftOut } = siteRulesOfFilters(lines.join('\n'));
    assert.equal(leftOut, []);
    const siteRules = SiteRules.parse(text);
    for (const host of hosts.map((each) => each || 'another.test'))
      for (const path of paths) {
        const stays = (removed: string) =>
          !filters.some((filter) => {
            const fits = filter.host === '' || `.${host}`.endsWith(`.${filter.host}`);
            return filter.name === removed && fits && path.startsWith(filter.path);
          });
        const query = names.filter(stays).join('&');
        const form = canonicalize(`http://${host}${path}?${names.join('&')}`, { siteRules });
        assert.is(form, `http://${host}${path}${query === '' ? '' : `?${query}`}`, lines.join('\n'));
      }
  }
});

const HOSTS: Readonly<Record<string, (index: number) => string>> = {
  'one host': () => 'a.example',
  'many hosts': (index) => `h${index}.example`,
  'many paths': (index) => `a.example/p${index}/`,
};

for (const [name, host] of Object.entries(HOSTS)) {
  tests(`a list takes linear time: ${name}`, () => {
    const list = (length: number) =>
      Array.from(
        { length: length >> 5 },
        (_, index) => `||${host(index)}${host(index).endsWith('/') ? '' : '^'}$removeparam=p${index}`,
      ).join('\n');
    mustBeLinear(`filters, ${name}`, list, siteRulesOfFilters);
    const rules = (length: number) =>
      list(length).replaceAll('||', '').replaceAll('/$', '/*^$').replaceAll('^$removeparam=', ' drop ');
    mustBeLinear(`rules, ${name}`, rules, (text) => SiteRules.parse(text));
  });
}

tests.run();

const clearUrls = suite('site rules of ClearURLs');

const data = (providers: object) => JSON.stringify({ providers });
const SUBDOMAINS = '^https?:\\/\\/(?:[a-z0-9-]+\\.)*?';

/** The pattern of a provider and one of its rules: the line that they become, or why there is none. */
const RULES: readonly (readonly [pattern: string, rule: string, expected: string])[] = [
  ['.*', 'gclid', '* drop gclid'],
  ['.*', '(?:%3F)?gclid', '* drop %3Fgclid gclid'],
  ['.*', 'mc_(?:eid|cid)', '* drop mc_cid mc_eid'],
  ['.*', 'colii?d', '* drop colid coliid'],
  ['.*', 'wt_?z?mc', '* drop wt_mc wt_zmc wtmc wtzmc'],
  [`${SUBDOMAINS}shop\\.example`, 'si', 'shop.example drop si'],
  [`${SUBDOMAINS}shop\\.example`, 's[a-z]', 'a regular expression'],
  [`${SUBDOMAINS}shop\\.example`, 'a*', 'a regular expression'],
  [`${SUBDOMAINS}shop\\.example`, '(?:ab)+', 'a regular expression'],
  [`${SUBDOMAINS}shop\\.example`, 'a{2}', 'a regular expression'],
  [`${SUBDOMAINS}shop\\.example`, 'a.b', 'a regular expression'],
  [`${SUBDOMAINS}shop\\.example`, 'a|b', 'a regular expression'],
  [`${SUBDOMAINS}shop\\.example`, 'a?', 'a regular expression'],
  [`${SUBDOMAINS}shop\\.example`, '%41', 'a regular expression'],
  [`${SUBDOMAINS}shop\\.example`, 'a?b?c?d?e?f?g?h', 'a regular expression'],
  [`${SUBDOMAINS}shop(?:\\.[a-z]{2,}){1,}`, 'si', 'not a whole host'],
  [`${SUBDOMAINS}shop\\.example\\/s`, 'si', 'not a whole host'],
  ['^https?:\\/\\/shop\\.example', 'si', 'not a whole host'],
];

clearUrls('each rule becomes a line, or is counted and named', () => {
  for (const [urlPattern, rule, expected] of RULES) {
    const { text, count, leftOut } = siteRulesOfClearUrls(data({ shop: { urlPattern, rules: [rule] } }));
    if (count === 1) assert.equal([text, leftOut], [`${expected}\n`, []], rule);
    else assert.equal([text, leftOut], ['', [{ place: 'shop', text: rule, reason: expected }]], rule);
  }
});

clearUrls('what is not about a parameter is left out by its expression', () => {
  const shop = { urlPattern: '.*', completeProvider: true, rawRules: ['a'], exceptions: ['b'], redirections: ['c'] };
  const { count, leftOut } = siteRulesOfClearUrls(data({ shop }));
  assert.is(count, 0);
  assert.equal(leftOut.map(({ text }) => text).sort(), ['a', 'b', 'c', 'completeProvider']);
});

clearUrls('a page loses the parameters that the expressions match', () => {
  const next = random();
  const parts = ['a', 'b?', '(?:ab|b)', '(?:a)?', '_', '(?:%3F)?'];
  for (let left = cases(300); left > 0; left--) {
    const rule = () => Array.from({ length: 1 + next(4) }, () => parts[next(parts.length)]!).join('');
    const [general, own] = [[rule()], [rule(), rule()]];
    const converted = siteRulesOfClearUrls(
      data({ one: { urlPattern: '.*', rules: general }, two: { urlPattern: `${SUBDOMAINS}a\\.example`, rules: own } }),
    );
    const unread = new Set(converted.leftOut.map(({ text }) => text));
    const siteRules = SiteRules.parse(converted.text);
    for (const [host, rules] of [
      ['b.example', general],
      ['x.a.example', [...general, ...own]],
    ] as const) {
      const read = rules.filter((each) => !unread.has(each)).map((each) => new RegExp(`^${each}$`));
      for (const name of ['a', 'b', 'ab', 'ba', 'bb', 'aab', 'a_', '_b', '%3Fa', 'ab_a', '_']) {
        const isRemoved = read.some((each) => each.test(name));
        const form = canonicalize(`http://${host}/?${name}=1`, { siteRules });
        assert.is(form, isRemoved ? `http://${host}/` : `http://${host}/?${name}=1`, `${rules} ${name}`);
      }
    }
  }
});

clearUrls('what is not such a file is an error', () => {
  assert.instance(
    errorOf(() => siteRulesOfClearUrls('x')),
    SyntaxError,
  );
  for (const text of ['{}', 'null', '[]', '{"providers":1}'])
    assert.is(errorOf(() => siteRulesOfClearUrls(text)).message, 'it has no "providers"', text);
  assert.is(siteRulesOfClearUrls('{"providers":{"a":{}}}').text, '');
});

clearUrls.run();
