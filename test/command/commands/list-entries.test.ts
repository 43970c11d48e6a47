import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ListEntryStage } from '../../../src/command/commands/list-entries.ts';
import { linesEndingIn } from '../../../src/command/read/lines.ts';
import { openKernel } from '../../../src/core/kernel/open.ts';
import type { ReadLine } from '../../../src/specs/safe-browsing/block-list.ts';
import { BlockListReader, type EntryInput } from '../../../src/specs/safe-browsing/block-list-reader.ts';
import { BUNDLED_LIST } from '../../../src/specs/safe-browsing/suffix-list.ts';
import { urlValueReader } from '../../../src/specs/safe-browsing/url-line.ts';
import { random } from '../../support/seed.ts';
import { batchesOf } from '../rows.ts';

const test = suite('cli: the entries of block lists');
const next = random();

const lineReader =
  (input: EntryInput, ignoresExceptions = false): ReadLine =>
  (line) =>
    new BlockListReader({ input, ignoresExceptions, refangs: false }).read(line);

const readUrlLine = lineReader('lines');
const readUrlValue = urlValueReader(false);
const readHostsLine = lineReader('hosts');
const readAdblockLine = (ignoresExceptions: boolean) => lineReader('adblock', ignoresExceptions);

type Mode = 'spec' | 'browser';

/** Returns what lines become: the hashes of its entries in hex, in order, the rows that are refused, the counts. */
function entriesOf(readLine: ReadLine, lines: readonly string[], mode: Mode = 'spec', end = '\n') {
  const reading = { profile: 'v5', mode } as const;
  const options = { kernel: openKernel(), width: 32, reading, suffixList: BUNDLED_LIST, readLine };
  const stage = new ListEntryStage({ ...options, hasRules: true, namesLeftOut: false }).run;
  const bytes = new Uint8Array(Buffer.from(lines.map((line) => `${line}${end}`).join('')));
  const framing = linesEndingIn({
    lineEnd: end.charCodeAt(end.length - 1),
    skipsBlank: false,
    kernel: openKernel(),
  });
  const batches = Array.from(batchesOf(framing, [bytes]), (rows) => stage(rows, 0));
  assert.ok(batches.length < 2, 'so few lines are one batch');
  const { prefixes, problems, counts } = batches[0] ?? { prefixes: new Uint8Array(0), problems: [], counts: {} };
  assert.is(batches[0]?.batch.length ?? 0, lines.length);
  const hashes = Buffer.from(prefixes).toString('hex').match(/.{64}/g) ?? [];
  const { 'public-suffix': _, ...kinds } = counts as Record<string, number>;
  return { hashes: [...hashes], problems, counts: kinds };
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Lines with what each is read as: entries, kinds of what is left out, or the reason for which it is refused. */
interface Case {
  readonly line: string;
  readonly entries?: readonly string[];
  readonly leftOut?: readonly string[];
  readonly reason?: string;
}

const listed = (line: string, ...entries: string[]): Case => ({ line, entries });
const left = (line: string, ...leftOut: string[]): Case => ({ line, leftOut });
const refused = (line: string, reason: string): Case => ({ line, reason });

const URL_LINES: readonly Case[] = [
  listed('evil.example', 'evil.example/'),
  listed('  http://user@Evil.example:80/a/../b?c#d ', 'evil.example/b?c'),
  listed('evil.example/login/', 'evil.example/login/'),
  listed('http://evil.example/*|^"",;', 'evil.example/*|^"",;'),
  refused('http://evil.example/*|^,;"', 'unbalanced'),
  listed('http://a|b*:c^d@evil.example/', 'evil.example/'),
  listed('http://[2001:db8::1]:443/x', '[2001:db8::1]/x'),
  listed('http://bücher.example/', 'xn--bcher-kva.example/'),
  listed('http.example//x', 'http.example/x'),
  listed('http/x', 'http/x'),
  left('# comment', 'comments'),
  left('#', 'comments'),
  left('  \t# https://evil.example/', 'comments'),
  refused('*.wild.example', 'wildcard-host'),
  refused('http://*.wild.example/x', 'wildcard-host'),
  refused('http://%2A.wild.example/', 'wildcard-host'),
  refused('0.0.0.0 ads.example', 'hosts-file-line'),
  refused('0.0.0.0\tads.example', 'hosts-file-line'),
  refused('127.0.0.1 ads.example www.ads.example # both', 'hosts-file-line'),
  refused(':: ads.example', 'hosts-file-line'),
  refused('0 ads.example', 'hosts-file-line'),
  refused('||adblock.example^', 'adblock-rule'),
  refused('@@||adblock.example^', 'adblock-rule'),
  refused('|http://adblock.example/', 'adblock-rule'),
  refused('adblock.example^', 'adblock-rule'),
  refused('adblock.example##.banner', 'adblock-rule'),
  refused('##.banner', 'comments'),
  refused('! Title: a list', 'adblock-rule'),
  refused('http//typo.example/x', 'scheme-without-colon'),
  refused('HTTPS//typo.example', 'scheme-without-colon'),
  refused('http://evil host.example/', 'space-in-host'),
  refused('evil.example phishing', 'space-in-host'),
  refused('http://evil%20host.example/', 'space-in-host'),
  refused('http://evil.example/a b', 'space-after-host'),
  refused('evil.example\tphishing', 'tab'),
  refused('http://evil.example/\tphishing', 'tab'),
  refused('"http://evil.example/","phishing"', 'table-row'),
  refused('evil.example,phishing', 'table-row'),
  refused('hxxp[:]//evil[.]example/', 'defanged'),
  refused('evil[.]example', 'defanged'),
  refused('mailto:x@evil.example', 'scheme-without-authority'),
  refused('', 'host-missing'),
].map((each) => (each.reason === 'comments' ? left(each.line, 'comments') : each));

const HOSTS_LINES: readonly Case[] = [
  listed('0.0.0.0 Ads.example', 'ads.example/'),
  listed('127.0.0.1\tads.example\twww.ads.example  # both', 'ads.example/', 'www.ads.example/'),
  listed('  ::1 ads.example.', 'ads.example/'),
  listed('0 under_score.example#x', 'under_score.example/'),
  listed('0:0:0:0:0:0:0:0 bücher.example', 'xn--bcher-kva.example/'),
  left('# 0.0.0.0 ads.example', 'comments'),
  left(''),
  left('127.0.0.1 localhost localhost.localdomain', 'localNames', 'localNames'),
  left('fe80::1%lo0 localhost', 'localNames'),
  left('ff02::1 ip6-allnodes', 'localNames'),
  left('255.255.255.255 broadcasthost', 'localNames'),
  left('0.0.0.0 0.0.0.0', 'localNames'),
  { line: '127.0.0.1 localhost ads.example', entries: ['ads.example/'], leftOut: ['localNames'] },
  refused('192.168.1.7 printer.example', 'address-in-use'),
  refused('ads.example', 'no-address'),
  refused('0.0.0.0.0 ads.example', 'no-address'),
  refused('||ads.example^', 'no-address'),
  refused('0.0.0.0', 'no-host'),
  refused('0.0.0.0 # ads.example', 'no-host'),
  refused('0.0.0.0 ads.example *.wild.example', 'not-a-host'),
  refused('0.0.0.0 http://ads.example/', 'not-a-host'),
  refused('0.0.0.0 ads.example .', 'host-missing'),
];

const ADBLOCK_LINES: readonly Case[] = [
  listed('||Ads.example^', 'ads.example/'),
  listed('  ||1.2.3.4^  ', '1.2.3.4/'),
  listed('||bücher.example^', 'xn--bcher-kva.example/'),
  left('! comment', 'comments'),
  left('[Adblock Plus 2.0]', 'comments'),
  left('# comment', 'comments'),
  left(''),
  left('!#include other.txt', 'includes'),
  left('||ads.example^$third-party', 'rulesForSites'),
  listed('||ads.example^$important', 'ads.example/'),
  left('$removeparam=utm', 'rulesThatChange'),
  left('||ads.example/banner', 'pathRules'),
  listed('|https://ads.example/', 'ads.example/'),
  left('/ads[0-9]+/', 'regularExpressions'),
  left('/ads/$script', 'rulesForTypes'),
  left('##.banner', 'cosmeticRules'),
  left('ads.example##.banner', 'cosmeticRules'),
  left('ads.example#@#.banner', 'cosmeticRules'),
  left('ads.example#?#div:has(a)', 'cosmeticRules'),
  left('ads.example##+js(abort)', 'cosmeticRules'),
  left('ads.example$$script[x="y"]', 'cosmeticRules'),
  listed('||*.ads.example^', 'ads.example/'),
  listed('||ads.example', 'ads.example/'),
  left('||ads.', 'patterns'),
  listed('ads.example', 'ads.example/'),
  left('-banner-', 'patterns'),
  { line: '@@||unlisted.example^' },
  left('@@ads.example$script', 'exceptions'),
  refused('@@-ads-', 'exception'),
  refused('||.^', 'host-missing'),
];

const SOURCES = [
  ['lines', readUrlLine, URL_LINES],
  ['hosts', readHostsLine, HOSTS_LINES],
  ['adblock', readAdblockLine(false), ADBLOCK_LINES],
] as const;

for (const [name, readLine, cases] of SOURCES) {
  test(`${name}: what each line is read as`, () => {
    for (const { line, entries = [], leftOut = [], reason } of cases) {
      const found = entriesOf(readLine, [line]);
      assert.equal(found.hashes, entries.map(sha256), line);
      assert.equal(
        found.problems.map((problem) => problem.reason),
        reason === undefined ? [] : [reason],
        line,
      );
      const { hosts = 0, folders = 0, pages = 0, ...others } = found.counts;
      assert.is(hosts + folders + pages, entries.length, line);
      assert.equal(others, Object.fromEntries(leftOut.map((kind) => [kind, leftOut.length])), line);
    }
  });

  test(`${name}: among any others, a bad line costs itself alone and is no entry`, () => {
    for (let trial = 0; trial < 20; trial++) {
      const chosen = Array.from({ length: next(60) }, () => cases[next(cases.length)]!);
      for (const end of ['\n', '\r\n', '\0']) {
        const { hashes, problems } = entriesOf(
          readLine,
          chosen.map(({ line }) => line),
          'spec',
          end,
        );
        assert.equal(hashes, chosen.flatMap(({ entries = [] }) => entries).map(sha256));
        assert.equal(
          problems.map(({ row, reason }) => [row, reason]),
          chosen.flatMap(({ reason }, row) => (reason === undefined ? [] : [[row, reason]])),
        );
      }
    }
  });
}

test('a host with *, |, ^, a space or a tab is never an entry, wherever it has it and in whatever reading', () => {
  for (let trial = 0; trial < 2000; trial++) {
    const host = 'login.evil.example';
    const at = next(host.length - 1) + 1;
    const bad = host.slice(0, at) + '*|^ \t'[next(5)]! + host.slice(at);
    const line = `${['', 'http://', 'https://u:p@', '//'][next(4)]!}${bad}${['', '/', '/a?b', ':80/'][next(4)]!}`;
    for (const mode of ['spec', 'browser'] as const) {
      const { hashes, problems } = entriesOf(trial % 2 === 0 ? readUrlLine : readUrlValue, [line], mode);
      assert.equal([hashes, problems.length], [[], 1], `${line} in ${mode}`);
    }
  }
});

test('the message of a refused line names it, why, and the option that reads it', () => {
  for (const [line, expected] of [
    [
      '0.0.0.0 ads.example',
      /^not listed: "0\.0\.0\.0 ads\.example": .*; --input hosts reads hosts files \(hosts-file-line\)$/,
    ],
    ['||ads.example^', /^not listed: "\|\|ads\.example\^": .*; --input adblock reads those \(adblock-rule\)$/],
    ['*.ads.example', /^not listed: "\*\.ads\.example": a host cannot contain \*; /],
    [
      'ads.example,x',
      /^not listed: "ads\.example,x": .*--column with --csv, --tsv or --delimiter reads tables \(table-row\)$/,
    ],
  ] as const) {
    for (const mode of ['spec', 'browser'] as const)
      assert.match(entriesOf(readUrlLine, [line], mode).problems[0]!.message, expected);
  }
});

test('entries are counted by what they find', () => {
  const { counts } = entriesOf(readUrlLine, ['a.example', '1.2.3.4', 'a.example/b/', 'a.example/b', 'a.example/?q/']);
  assert.equal(counts, { hosts: 2, folders: 1, pages: 2 });
});

test('after white space # begins a comment of a line, not of a column', () => {
  const url = 'http://evil.example/a #b';
  assert.equal(entriesOf(readUrlLine, [url], 'browser').hashes, [sha256('evil.example/a')]);
  assert.equal(entriesOf(readUrlValue, [url], 'browser').hashes, [sha256('evil.example/a%20')]);
  for (const mode of ['spec', 'browser'] as const)
    assert.equal(entriesOf(readUrlLine, ['evil.example\t# reported'], mode).hashes, [sha256('evil.example/')]);
});

test('a space after the host is one of a column, not of a line, which has more than a URL then', () => {
  for (const mode of ['spec', 'browser'] as const) {
    for (const line of ['http://evil.example/a b', 'evil.example/?q=a b', 'http://evil.example/x phishing']) {
      assert.equal(
        entriesOf(readUrlLine, [line], mode).problems.map(({ reason }) => reason),
        ['space-after-host'],
        line,
      );
      const expression = line.replace('http://', '').replace(' ', '%20');
      assert.equal(entriesOf(readUrlValue, [line], mode).hashes, [sha256(expression)], line);
    }
  }
});

test('exceptions are left out where that is asked for', () => {
  const { problems, counts } = entriesOf(readAdblockLine(true), ['@@||a.example^', '||b.example^']);
  assert.equal([problems, counts], [[], { exceptions: 1, hosts: 1 }]);
});

test.run();
