import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  expressions,
  listEntries,
  listEntry,
  type SafeBrowsingReason,
  SafeBrowsingUrlError,
} from '../../../src/entries/safe-browsing.ts';
import { mutated, SAMPLE_URLS } from '../../support/samples.ts';
import { halvedCases, random } from '../../support/seed.ts';

const test = suite('safe-browsing: list entries');

function mustRefuse(call: () => unknown, reason: SafeBrowsingReason, message: RegExp): void {
  assert.throws(call, (error: unknown) => {
    assert.ok(error instanceof SafeBrowsingUrlError, String(error));
    assert.is(error.reason, reason);
    assert.match(error.message, message);
    return true;
  });
}

const NEVER_FOUND: readonly (readonly [line: string, reason: SafeBrowsingReason])[] = [
  ['0.0.0.0 evil.example', 'hosts-file-line'],
  ['*.evil.example', 'wildcard-host'],
  ['||evil.example^', 'adblock-rule'],
  ['http//evil.example/x', 'scheme-without-colon'],
  ['evil[.]example', 'defanged'],
  ['hxxp[:]//evil[.]example/', 'defanged'],
  ['evil.example,phishing', 'table-row'],
  ['evil.example phishing', 'space-in-host'],
  ['http://evil.example/\tphishing', 'tab'],
  ['evil.example/*', 'wildcard-path'],
  ['https://evil.example/login/*', 'wildcard-path'],
  ['192.0.2.0/24', 'address-range'],
  ['192.0.2.0-192.0.2.9', 'address-range'],
  ['192.0.2.0 - 192.0.2.9', 'address-range'],
  ['address=/evil.example/0.0.0.0', 'resolver-line'],
  ['(evil.example)', 'host-character'],
];

test('what no URL can match is refused, by itself and as a line', () => {
  for (const [line, reason] of NEVER_FOUND)
    for (const mode of ['spec', 'browser'] as const)
      for (const call of [() => listEntry(line, { mode }), () => listEntries(line, { mode })])
        mustRefuse(call, reason, /^not listed: ".*": .* \([a-z-]+\)$/);
  mustRefuse(() => listEntry('# reported today'), 'comment', /it is a comment/);
  mustRefuse(() => listEntry('mailto:x'), 'scheme-without-authority', /^nothing to look up: "mailto:x"/);
});

test('a host with a control character is refused as a browser would', () => {
  for (const line of ['evil.example\0good.example', 'http://evil\x07.example/', 'http://evil%7f.example/']) {
    mustRefuse(() => listEntry(line), 'host-character', /a host cannot contain .* or control characters/);
    mustRefuse(() => listEntry(line, { mode: 'browser' }), 'domain-invalid-code-point', /^nothing to look up: /);
  }
});

test('what is refused would have been an entry that no URL of that host has', () => {
  for (const url of ['http://evil.example/x', 'http://a.evil.example/']) {
    const found = expressions(url, { mode: 'union' });
    for (const [line] of NEVER_FOUND) {
      if (line.includes('\t')) continue; // the page removes tabs: the entry would be another URL
      assert.not.ok(found.includes(expressions(line, { mode: 'union' })[0]!), line);
    }
  }
});

test('lines of hosts files, rules of ad blockers, and comments', () => {
  const read = (line: string, input?: 'hosts' | 'adblock') => {
    const { entries, leftOut } = listEntries(line, input && { input });
    return [entries.map(({ expression }) => expression), leftOut];
  };
  assert.equal(read('# reported today'), [[], ['comments']]);
  assert.equal(read('evil.example/x # reported today'), [['evil.example/x'], []]);
  assert.equal(read('0.0.0.0 Ads.example www.ads.example # both', 'hosts'), [['ads.example/', 'www.ads.example/'], []]);
  assert.equal(read('127.0.0.1 localhost ads.example', 'hosts'), [['ads.example/'], ['localNames']]);
  assert.equal(read('||ads.example^', 'adblock'), [['ads.example/'], []]);
  assert.equal(read('||ads.example^$script', 'adblock'), [[], ['rulesForTypes']]);
  assert.equal(read('! Title', 'adblock'), [[], ['comments']]);
  mustRefuse(() => listEntries('192.168.1.7 printer', { input: 'hosts' }), 'address-in-use', /blocks none/);
  mustRefuse(() => listEntries('@@||ads.example^', { input: 'adblock' }), 'exception', /exceptions/);
  assert.equal(listEntries('@@||a^', { input: 'adblock', ignoreExceptions: true }).leftOut, ['exceptions']);
  assert.throws(() => listEntries('a', { input: 'host' as never }), /input must be one of lines, hosts, adblock, auto/);
});

test('addresses that hosts files begin with', () => {
  for (const address of ['0', '0.0.0.0', '127.0.0.1', '::', '::1', '0:0:0:0:0:0:0:1'])
    assert.is(listEntries(`${address} a.example`, { input: 'hosts' }).entries.length, 1, address);
  for (const [address, reason] of [
    ['fe80::1%lo0', 'address-in-use'],
    ['255.255.255.255', 'address-in-use'],
    ['256.0.0.1', 'no-address'],
    ['1.2.3', 'no-address'],
    ['1.2.3.4.', 'no-address'],
    ['01.2.3.4', 'no-address'],
    [':::', 'no-address'],
    ['a.example', 'no-address'],
  ] as const)
    mustRefuse(() => listEntries(`${address} a.example`, { input: 'hosts' }), reason, /not listed/);
});

test('a line is one URL and a comment, if any; a value may have spaces', () => {
  for (const line of [
    'http://evil.example/x phishing',
    'evil.example/ 2026',
    'evil.example?q 7',
    'http://a/#b http://c/',
  ])
    mustRefuse(() => listEntries(line), 'space-after-host', /it is more than a URL, in which a space is written %20/);
  assert.is(listEntries(' http://evil.example/x # phishing').entries[0]!.expression, 'evil.example/x');
  assert.is(listEntry('http://evil.example/x y').expression, 'evil.example/x%20y');
});

test('a byte that is a space in Latin-1 only is part of a character', () => {
  assert.is(listEntry('http://evil.example/caf\u00e0').expression, 'evil.example/caf%C3%A0');
  assert.is(listEntries('0.0.0.0 \u00e0.example', { input: 'hosts' }).entries[0]!.expression, 'xn--0ca.example/');
});

test('entries that look-ups find alone say why', () => {
  const limit = (url: string, profile?: 'web-risk') => listEntry(url, profile && { profile }).limit;
  assert.equal(
    ['co.uk', 'github.io/x', 'com'].map((url) => limit(url)),
    Array(3).fill('public-suffix'),
  );
  assert.is(limit('evil.example/a/b/c/'), undefined);
  assert.is(limit('evil.example/a/b/c/d/'), 'deep-path');
  assert.is(limit('evil.example/a/b/c/d/?'), 'deep-path');
  assert.is(limit('evil.example/a/b/c/d/?e'), undefined); // a page
  assert.is(limit('evil.example/a/b/c/d/e'), undefined);
  assert.is(limit('1.2.3.4/a/b/c/d/'), 'deep-path');
  assert.is(limit('1.2.3.4'), undefined);
  assert.is(limit('a.b.c.d.co.uk'), undefined);
  assert.is(limit('a.b.c.d.e.co.uk'), 'deep-host');
  assert.is(limit('a.b.c.d.e', 'web-risk'), undefined);
  assert.is(limit('a.b.c.d.e.f', 'web-risk'), 'deep-host');
});

test('an entry without a limit is found under it, one with a limit is not', () => {
  const next = random();
  const label = () => 'abcdefgh'[next(8)]!;
  for (let count = halvedCases(3000); count > 0; count--) {
    const profile = (['v5', 'web-risk'] as const)[next(2)]!;
    const host = `${Array.from({ length: next(7) }, () => `${label()}.`).join('')}${['com', 'co.uk', 'x.example'][next(3)]}`;
    const path = Array.from({ length: next(6) }, () => `${label()}/`).join('');
    const entry = listEntry(`${host}/${path}`, { profile });
    const under = [`http://y.${host}/${path}z`, `http://y.${host}/${path}z/y?x`];
    const isFound = under.map((url) => expressions(url, { profile }).includes(entry.expression));
    // web-risk looks up no single label, but lists with one are counted nowhere
    if (profile === 'web-risk' && !host.includes('.')) continue;
    assert.equal(isFound, Array(2).fill(entry.limit === undefined), `${profile} ${entry.expression} ${entry.limit}`);
  }
});

test('an entry is the first expression of its URL, and its hash is the SHA-256 of it', () => {
  const next = random();
  for (let count = halvedCases(4000); count > 0; count--) {
    const url = mutated(SAMPLE_URLS[next(SAMPLE_URLS.length)]!, next);
    for (const mode of ['spec', 'browser'] as const) {
      try {
        const { expression, hash } = listEntry(url, { mode });
        assert.is(expression, expressions(url.replace(/^[\s\p{Cf}\x85]+|[\s\p{Cf}\x85]+$/gu, ''), { mode })[0]);
        assert.is(Buffer.from(hash).toString('hex'), createHash('sha256').update(expression).digest('hex'));
        assert.not.match(expression.split('/')[0]!.replace(/^\[.*\]$/, ''), /[*|^<>[\]\\@:",;]|%20/);
      } catch (error) {
        if (!(error instanceof SafeBrowsingUrlError)) throw error;
      }
    }
  }
});

test.run();
