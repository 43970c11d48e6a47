import { readFileSync } from 'node:fs';
import { getDomain } from 'tldts';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { expressions, PUBLIC_SUFFIX_LIST } from '../../src/safe-browsing/index.ts';

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
  for (const host of ['notco.uk', 'a.notco.uk', 'xgithub.io', 'a.xgithub.io', 'a.b.c.d.ck', 'uk', 'a.uk', 'blogspot.com', 'a.blogspot.com', 'a.s3.amazonaws.com', 'a.b.compute.amazonaws.com', '_a.b_.com']) {
    for (const privateSuffixes of [true, false]) {
      const domain = getDomain(host, { allowPrivateDomains: privateSuffixes, validateHostname: false });
      assert.is(expressions(`http://${host}/`, { privateSuffixes }).at(-1), `${domain ?? host}/`, host);
    }
  }
});

test.run();
