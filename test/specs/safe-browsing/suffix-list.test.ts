import { readFileSync } from 'node:fs';
import { getDomain, getPublicSuffix } from 'tldts';
import * as packed from 'tldts/dist/es6/src/data/trie.js';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ExpressionHasher, expressions, PUBLIC_SUFFIX_LIST, SuffixList } from '../../../src/entries/safe-browsing.ts';
import { publicSuffixes } from '../../../src/specs/safe-browsing/public-suffixes.ts';
import { publicSuffixStart } from '../../../src/specs/safe-browsing/suffix-list.ts';
import type { SuffixTrie } from '../../../src/specs/safe-browsing/suffix-trie.ts';
import { corpusLines, sampled } from '../../support/data.ts';
import { cases, random } from '../../support/seed.ts';

/** The trie. What an edge has beyond ASCII stands there in Punycode, too. */
const trie: SuffixTrie = {
  ...packed,
  nodeFlags: [...packed.nodeFlags],
  edgeStart: [...packed.edgeStart],
  edgeLength: [...packed.edgeLength],
  edgeChild: [...packed.edgeChild],
  labels: Buffer.from(packed.labelText.replaceAll(/[^\0-\x7f]/g, '?')),
};

const test = suite('safe-browsing: Public Suffix List');

test('its edition is that of the package in the build', () => {
  const { version } = JSON.parse(readFileSync('node_modules/tldts/package.json', 'utf8')) as { version: string };
  assert.is(PUBLIC_SUFFIX_LIST, `tldts/${version}`);
});

/** Hosts and the shortest of their looked-up hosts: publicsuffix.org's kinds of rules. */
const REGISTRABLE: readonly (readonly [host: string, shortest: string])[] = [
  ['a.b.com', 'b.com'],
  ['a.b.co.uk', 'b.co.uk'],
  ['a.b.c.kawasaki.jp', 'b.c.kawasaki.jp'], // wildcard *.kawasaki.jp
  ['a.city.kawasaki.jp', 'city.kawasaki.jp'], // exception !city.kawasaki.jp
  ['c.kawasaki.jp', 'c.kawasaki.jp'],
  ['www.ck', 'www.ck'],
  ['a.www.ck', 'www.ck'],
  ['x.\u516c\u53f8.cn', 'x.xn--55qx5d.cn'], // rules beyond ASCII count in Punycode
  ['y.x.\u516c\u53f8.cn', 'x.xn--55qx5d.cn'],
  ['a.user.github.io', 'user.github.io'],
  ['a.b.unlisted-tld', 'b.unlisted-tld'],
  ['com', 'com'],
  ['%01%80.a.com', 'a.com'],
];

for (const [host, shortest] of REGISTRABLE) {
  test(`${host} goes down to ${shortest}`, () => assert.is(expressions(`http://${host}/`).at(-1), `${shortest}/`));
}

test('labels are compared whole, with the list as its package reads it', () => {
  for (const host of [
    'notco.uk',
    'a.notco.uk',
    'xgithub.io',
    'a.xgithub.io',
    'a.b.c.d.ck',
    'uk',
    'a.uk',
    'blogspot.com',
    'a.blogspot.com',
    'a.s3.amazonaws.com',
    'a.b.compute.amazonaws.com',
    '_a.b_.com',
  ]) {
    for (const privateSuffixes of [true, false]) {
      const domain = getDomain(host, { allowPrivateDomains: privateSuffixes, validateHostname: false });
      assert.is(expressions(`http://${host}/`, { privateSuffixes }).at(-1), `${domain ?? host}/`, host);
    }
  }
});

/** Compares the suffix of a host, which stands after another byte, with that of tldts: with private ones and without. */
function compareSuffixes(host: string): void {
  const bytes = Buffer.from(`x${host}`);
  for (const allowPrivateDomains of [true, false]) {
    const options = { allowPrivateDomains, extractHostname: false, detectIp: false, validateHostname: false };
    const start = publicSuffixStart(bytes, 1, bytes.length, allowPrivateDomains);
    assert.is(host.slice(start - 1), getPublicSuffix(host, options), host);
  }
}

const lines = sampled(corpusLines('main'), 20);
if (lines.length > 0) {
  test(`the hosts of ${lines.length} real lines, and their parents, with the list as its package reads it`, () => {
    const hosts = new Set(lines.flatMap((line) => /^https?:\/\/([a-z0-9.-]*[a-z])[/?]/.exec(line)?.[1] ?? []));
    for (const host of [...hosts]) hosts.add(host.slice(host.indexOf('.') + 1));
    for (const host of hosts) compareSuffixes(host);
    assert.ok(hosts.size > lines.length / 10, `only ${hosts.size} hosts`);
  });
}

test('the bundled table has the rules of its package, each in its sections, and no other', () => {
  for (const root of ['rulesRoot', 'exceptionsRoot'] as const) {
    const [bundled, expected] = [sectionsByRule(publicSuffixes(), root), sectionsByRule(trie, root)];
    for (const [rule, sections] of expected) assert.is(bundled.get(rule), sections, rule);
    for (const rule of bundled.keys()) assert.ok(expected.has(rule), rule);
  }
});

test('every rule of the list, and what stands below and beside it', () => {
  const { rules, exceptions } = rulesOf(trie);
  assert.ok(rules.length > 9000 && exceptions.length > 5, `${rules.length} rules, ${exceptions.length} exceptions`);
  for (const rule of [...rules, ...exceptions]) {
    const named = rule.replaceAll('*', 'wild');
    for (const host of [named, `a.${named}`, `b.a.${named}`, `x${named}`, `a.x${named}`, `${named}x`])
      compareSuffixes(host);
  }
});

test('random domains: labels of rules in any order, some of them changed', () => {
  const next = random();
  const pick = <T>(list: readonly T[]): T => list[next(list.length)]!;
  const { rules } = rulesOf(trie);
  const labelsOf = (rule: string) => rule.replaceAll('*', 'wild').split('.');
  for (let round = cases(20_000); round > 0; round--) {
    const labels = [...labelsOf(pick(rules)), ...labelsOf(pick(rules))];
    const kept = labels.slice(next(labels.length));
    if (next(3) === 0) kept.splice(next(kept.length + 1), 0, pick(['a', 'www', '*', 'x-y', 'com', 'jp', 'kobe']));
    if (next(4) === 0) kept[next(kept.length)] += pick(['x', '0', '-', 'a']);
    compareSuffixes(kept.join('.'));
  }
});

const LIST = `// VERSION: 2026-11-01_00-00-00_UTC
// ===BEGIN ICANN DOMAINS===
com
UK   a comment
co.uk
*.ck
!www.ck
*.wild
a.b.wild
公司.cn
// ===END ICANN DOMAINS===
// ===BEGIN PRIVATE DOMAINS===

github.io
// ===END PRIVATE DOMAINS===
`;

test('a list of another edition', () => {
  const list = SuffixList.parse(LIST);
  assert.is(list.edition, 'psl/2026-11-01_00-00-00_UTC');
  const shortest = (host: string, privateSuffixes = true) =>
    expressions(`http://${host}/`, { suffixList: list, privateSuffixes }).at(-1);
  const expected = {
    'a.b.com': 'b.com/',
    'a.b.co.uk': 'b.co.uk/',
    'b.a.org.uk': 'org.uk/', // not in this list
    'x.y.z.ck': 'y.z.ck/',
    'x.www.ck': 'www.ck/',
    'd.c.b.wild': 'c.b.wild/', // *.wild holds beside a.b.wild too
    'd.c.a.b.wild': 'c.a.b.wild/',
    'y.x.xn--55qx5d.cn': 'x.xn--55qx5d.cn/',
    'b.a.user.github.io': 'user.github.io/',
    'b.a.unlisted': 'a.unlisted/',
  };
  for (const [host, suffix] of Object.entries(expected)) assert.is(shortest(host), suffix, host);
  assert.is(shortest('a.user.github.io', false), 'github.io/');
});

test('the kernel looks hosts up in any list as JavaScript does, one list after another', () => {
  const hosts = [
    'a.b.com',
    'x.y.z.ck',
    'x.www.ck',
    'd.c.b.wild',
    'd.c.a.b.wild',
    'a.user.github.io',
    'b.a.org.uk',
    'com',
    'ck',
  ];
  const text = Buffer.from(hosts.map((host) => `http://${host}/p`).join('\n'));
  // a large one makes memory grow
  const large = Array.from({ length: 60_000 }, (_, index) => `rule${index}.example`).join('\n');
  const lists = [SuffixList.parse(LIST), undefined, SuffixList.parse(`${LIST}${large}\n`), SuffixList.parse('com\n')];
  for (const list of [...lists, ...lists]) {
    for (const privateSuffixes of [true, false]) {
      const options = { privateSuffixes, ...(list && { suffixList: list }) };
      const column = new ExpressionHasher({ ...options, kernel: 'simd' }).hashLines(text);
      assert.equal(
        column.bytes,
        new ExpressionHasher({ ...options, kernel: 'js' }).hashMany(text.toString().split('\n')).bytes,
      );
      assert.is(column.provenCount, hosts.length);
      assert.is(column.profile, `v5/1+${list?.edition ?? PUBLIC_SUFFIX_LIST}`);
    }
  }
  assert.is(new ExpressionHasher({ profile: 'web-risk' }).hashLines(text).profile, 'web-risk/1');
});

test('the bundled list, written out and read again, gives the same suffixes', () => {
  const { rules, exceptions } = rulesOf(trie);
  const list = SuffixList.parse([...rules, ...exceptions.map((rule) => `!${rule}`)].join('\n'));
  assert.match(list.edition, /^psl\/sha256-[0-9a-f]{16}$/);
  for (const rule of [...rules, ...exceptions]) {
    const named = rule.replaceAll('*', 'wild');
    for (const host of [named, `a.${named}`, `b.a.${named}`, `x${named}`]) {
      const bytes = Buffer.from(host);
      const start = publicSuffixStart(bytes, 0, bytes.length, true);
      assert.is(publicSuffixStart(bytes, 0, bytes.length, true, list), start, host);
    }
  }
});

test('what is not a list is refused', () => {
  assert.throws(() => SuffixList.parse(7 as never), TypeError);
  assert.throws(() => SuffixList.parse('// nothing\n'), /the suffix list has no rules/);
  for (const rule of [
    'a..b',
    '.com',
    'a.*.b',
    '*',
    '!',
    'x'.repeat(64),
    'https://a.b/',
    '<html>',
    '{"a":1}',
    'com,net',
  ])
    assert.throws(() => SuffixList.parse(`com\n${rule}\n`), /line 2 of the suffix list is not a rule/, rule);
  assert.throws(() => expressions('http://a/', { suffixList: 'com' as never }), /suffixList must be/);
});

test.run();

/** The rules in ASCII, read off the trie. */
function rulesOf(trie: SuffixTrie): { rules: string[]; exceptions: string[] } {
  return {
    rules: [...sectionsByRule(trie, 'rulesRoot').keys()],
    exceptions: [...sectionsByRule(trie, 'exceptionsRoot').keys()],
  };
}

function sectionsByRule(trie: SuffixTrie, root: 'rulesRoot' | 'exceptionsRoot'): Map<string, number> {
  const { nodeFlags, edgeStart, edgeLength, edgeChild, labels } = trie;
  const labelStarts: number[] = [];
  for (let edge = 0, at = 0; edge < edgeLength.length; at += edgeLength[edge++]!) labelStarts.push(at);
  const found = new Map<string, number>();
  const addBelow = (node: number, suffix: string): void => {
    if (nodeFlags[node] !== 0 && suffix !== '' && !suffix.includes('?')) found.set(suffix, nodeFlags[node]!);
    for (let edge = edgeStart[node]!; edge < (edgeStart[node + 1] ?? edgeLength.length); edge++) {
      const label = Buffer.from(labels.subarray(labelStarts[edge]!, labelStarts[edge]! + edgeLength[edge]!)).toString();
      addBelow(edgeChild[edge]!, suffix === '' ? label : `${label}.${suffix}`);
    }
  };
  addBelow(trie[root], '');
  return found;
}
