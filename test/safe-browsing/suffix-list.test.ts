import { readFileSync } from 'node:fs';
import { getDomain, getPublicSuffix } from 'tldts';
import * as trie from 'tldts/dist/es6/src/data/trie.js';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { expressions, PUBLIC_SUFFIX_LIST } from '../../src/safe-browsing/index.ts';
import { publicSuffixStart } from '../../src/safe-browsing/suffix-list.ts';
import type { SuffixTrie } from '../../src/safe-browsing/suffix-trie.ts';
import { corpusLines } from '../data.ts';

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

const lines = corpusLines('main').filter((_, index) => index % 4 === 0);
if (lines.length > 0) {
  test(`the hosts of ${lines.length} real lines, and their parents, with the list as its package reads it`, () => {
    const hosts = new Set(lines.flatMap((line) => /^https?:\/\/([a-z0-9.-]*[a-z])[/?]/.exec(line)?.[1] ?? []));
    for (const host of [...hosts]) hosts.add(host.slice(host.indexOf('.') + 1));
    let checked = 0;
    for (const host of hosts) {
      const bytes = Buffer.from(`x${host}`);
      for (const allowPrivateDomains of [true, false]) {
        const suffix = getPublicSuffix(host, {
          allowPrivateDomains,
          extractHostname: false,
          detectIp: false,
          validateHostname: false,
        });
        assert.is(host.slice(publicSuffixStart(bytes, 1, bytes.length, allowPrivateDomains) - 1), suffix, host);
        checked++;
      }
    }
    assert.ok(checked > lines.length / 5, `only ${checked} checked`);
  });
}

test('every rule of the list, and what stands below and beside it', () => {
  const { rules, exceptions } = rulesOf(trie);
  assert.ok(rules.length > 9000 && exceptions.length > 5, `${rules.length} rules, ${exceptions.length} exceptions`);
  for (const rule of [...rules, ...exceptions]) {
    const named = rule.replaceAll('*', 'wild');
    for (const host of [named, `a.${named}`, `b.a.${named}`, `x${named}`, `a.x${named}`]) {
      for (const allowPrivateDomains of [true, false]) {
        const suffix = getPublicSuffix(host, {
          allowPrivateDomains,
          extractHostname: false,
          detectIp: false,
          validateHostname: false,
        });
        const bytes = Buffer.from(host);
        assert.is(host.slice(publicSuffixStart(bytes, 0, bytes.length, allowPrivateDomains)), suffix, host);
      }
    }
  }
});

test.run();

/** The rules in ASCII, read off the trie. */
function rulesOf({ nodeFlags, edgeStart, edgeLength, edgeChild, labelText, rulesRoot, exceptionsRoot }: SuffixTrie): {
  rules: string[];
  exceptions: string[];
} {
  const labelStarts: number[] = [];
  for (let edge = 0, at = 0; edge < edgeLength.length; at += edgeLength[edge++]!) labelStarts.push(at);
  const below = (node: number, suffix: string): string[] => {
    const found = nodeFlags[node] !== 0 && suffix !== '' ? [suffix] : [];
    for (let edge = edgeStart[node]!; edge < edgeStart[node + 1]!; edge++) {
      const label = labelText.slice(labelStarts[edge]!, labelStarts[edge]! + edgeLength[edge]!);
      found.push(...below(edgeChild[edge]!, suffix === '' ? label : `${label}.${suffix}`));
    }
    return found;
  };
  const isAscii = (rule: string) => /^[\0-\x7f]*$/.test(rule);
  return { rules: below(rulesRoot, '').filter(isAscii), exceptions: below(exceptionsRoot, '').filter(isAscii) };
}
