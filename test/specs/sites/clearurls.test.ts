import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SiteRules } from '../../../src/core/sites/site-rules.ts';
import { canonicalize } from '../../../src/index.ts';
import { siteRulesOfClearUrls } from '../../../src/specs/sites/filters.ts';
import { cases, random } from '../../seed.ts';
import { errorOf } from '../../thrown.ts';

const tests = suite('site rules of ClearURLs');

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

tests('each rule becomes a line, or is counted and named', () => {
  for (const [urlPattern, rule, expected] of RULES) {
    const { text, count, leftOut } = siteRulesOfClearUrls(data({ shop: { urlPattern, rules: [rule] } }));
    if (count === 1) assert.equal([text, leftOut], [`${expected}\n`, []], rule);
    else assert.equal([text, leftOut], ['', [{ place: 'shop', text: rule, reason: expected }]], rule);
  }
});

tests('what is not about a parameter is left out by its expression', () => {
  const shop = { urlPattern: '.*', completeProvider: true, rawRules: ['a'], exceptions: ['b'], redirections: ['c'] };
  const { count, leftOut } = siteRulesOfClearUrls(data({ shop }));
  assert.is(count, 0);
  assert.equal(leftOut.map(({ text }) => text).sort(), ['a', 'b', 'c', 'completeProvider']);
});

tests('a page loses the parameters that the expressions match', () => {
  const next = random();
  const parts = ['a', 'b?', '(?:ab|b)', '(?:a)?', '_', '(?:%3F)?'];
  for (let left = cases(300); left > 0; left--) {
    const rule = () => Array.from({ length: 1 + next(4) }, () => parts[next(parts.length)]!).join('');
    const [general, own] = [[rule()], [rule(), rule()]];
    const converted = siteRulesOfClearUrls(
      data({
        one: { urlPattern: '.*', rules: general },
        two: { urlPattern: `${SUBDOMAINS}a\\.example`, rules: own },
      }),
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

tests('what is not such a file is an error', () => {
  assert.instance(
    errorOf(() => siteRulesOfClearUrls('x')),
    SyntaxError,
  );
  for (const text of ['{}', 'null', '[]', '{"providers":1}'])
    assert.is(errorOf(() => siteRulesOfClearUrls(text)).message, 'it has no "providers"', text);
  assert.is(siteRulesOfClearUrls('{"providers":{"a":{}}}').text, '');
});

tests.run();
