import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  canonicalize,
  ExpressionHasher,
  expressions,
  hashes,
  listEntry,
  PrefixSet,
  prefix,
  SafeBrowsingUrlError,
} from '../../../src/entries/safe-browsing.ts';
import { oracleOf } from '../../core/url/unicode-oracles.ts';
import { sharedBytes } from '../../support/data.ts';
import { halvedCases, random } from '../../support/seed.ts';
import { visited } from '../../vectors/browser-reading.ts';
import { lastComponents, readPage, registrableHosts, tries } from './page-reading.ts';

// The examples of the two pages, read from the pages themselves.
const webRisk = sharedBytes('../seeds/002_b27d0472f50c6877.txt')?.toString('utf8');
const v5 = sharedBytes('../seeds/004_0c4f799183c0cd1b.txt')?.toString('utf8');

const test = suite('safe-browsing: expressions');
const PROFILES = ['web-risk', 'v5'] as const;

/** Undoes C escapes, and the one Markdown escape: `11\*22` is `11*22`. */
function unquote(quoted: string): Buffer {
  const controls: Readonly<Record<string, string>> = { t: '\t', r: '\r', n: '\n', '*': '*' };
  return Buffer.from(
    quoted.replace(/\\(?:x([0-9a-f]{2})|([trn*]))/g, (_, hex?: string, control?: string) => {
      return hex === undefined ? controls[control!]! : String.fromCharCode(Number.parseInt(hex, 16));
    }),
    'latin1',
  );
}

if (webRisk !== undefined) {
  const vectors = [...webRisk.matchAll(/^Canonicalize\("(.*)"\) ?= ?"(.*)";$/gm)];

  test('has 33 examples of Canonicalize', () => assert.is(vectors.length, 33));

  for (const [line, input, output] of vectors) {
    test(line!, () => {
      const expected = unquote(output!).toString('latin1');
      for (const profile of PROFILES) assert.is(canonicalize(unquote(input!), { profile }), expected);
    });
  }

  const lists = exampleLists(webRisk, /^For the URL `(.*)`, the client will try these possible strings:$/);

  test('has 3 examples of expressions', () => assert.is(lists.length, 3));

  for (const [url, list] of lists) {
    test(`web-risk expressions of ${url}`, () => assert.equal(expressions(url, { profile: 'web-risk' }), list));
  }

  test('FIPS 180-2 examples: the prefixes of B1, B2 and B3', () => {
    const examples = ['abc', 'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq', 'a'.repeat(1_000_000)];
    const expected = [...webRisk.matchAll(/int expected\d\[\] = \{([^}]*)\}/g)].map(([, bytes]) =>
      bytes!.match(/[0-9a-f]{2}\b/g)!.join(''),
    );
    assert.equal(expected, ['ba7816bf', '248d6a61d206', 'cdc76e5c9914fb9281a1c7e2']);
    for (const [index, message] of examples.entries()) {
      const hash = createHash('sha256').update(message).digest();
      assert.is(Buffer.from(prefix(hash, expected[index]!.length / 2)).toString('hex'), expected[index]);
    }
  });
}

if (v5 !== undefined) {
  const lists = exampleLists(v5, /^यूआरएल (http:\S+) के लिए, क्लाइंट इन संभावित स्ट्रिंग को आज़माएगा:$/);

  test('v5 has 4 examples of expressions', () => assert.is(lists.length, 4));

  for (const [url, list] of lists) {
    test(`v5 expressions of ${url}`, () => assert.equal(expressions(url), list));
  }
}

test('a hash is the SHA-256 of its expression', () => {
  for (const url of [
    'http://a.b.c/1/2.html?param=1',
    `http://a.b.c/1/${'2'.repeat(100_000)}?param=1`,
    `http://a.b.c/1/${'2'.repeat(1_000_000)}?param=1`,
  ]) {
    const expected = expressions(url).map((each) => createHash('sha256').update(each).digest('hex'));
    assert.equal(
      hashes(url).map((each) => Buffer.from(each).toString('hex')),
      expected,
    );
    assert.is(expected.length, 8);
  }
});

// Whoever lists a URL lists each text that leads a browser to it. What a browser visits is told by whatwg-url.

const { basicURLParse, serializeURL } = oracleOf(17).whatwgUrl;

type Next = ReturnType<typeof random>;

function pick<T>(next: Next, list: readonly T[]): T {
  return list[next(list.length)]!;
}

function several(next: Next, most: number, pieces: readonly string[]): string {
  return Array.from({ length: next(most + 1) }, () => pick(next, pieces)).join('');
}

const PIECES = ['a', 'B', '%5C', '%5c', '%255C', '%2F', '%2e', '%3F', '%23', '%40', '%00', '%25', '%zz', '@', ':', '+'];
const USERINFO = ['a', '.', '%2F', '%2f', '%3F', '%40', '%5C', '%252F', 'EXAMPLE.com', '%', ':'];
const HOSTS = ['h.example', 'a.b.example.co.uk', '1.2.3.4', '[2001:db8::1]', 'ff', 'xn--bcher-kva.example'];

/** A URL as a browser shows it. */
function listedUrl(next: Next): string {
  const userinfo = next(3) === 0 ? `${several(next, 4, USERINFO)}@` : '';
  const path = several(next, 5, [...PIECES, '/', '/', '/..', ';']);
  const query = next(2) === 0 ? `?${several(next, 4, [...PIECES, '/', '\\', '?'])}` : '';
  const text = `${pick(next, ['http', 'https', 'ftp', 'ws'])}://${userinfo}${pick(next, HOSTS)}/${path}${query}`;
  return withoutFragment(text)!;
}

type Spelling = (url: string, next: Next) => string;

/** Each leaves most URLs the ones they are; what became another one is not compared. */
const SPELLINGS: readonly Spelling[] = [
  (url, next) => url.replace(/^(\w+:)\/\//, `$1${pick(next, ['', '/', '\\', '\\\\', '/\\', '\\/', '///', '\\\\\\'])}`),
  (url) => url.replace(/^\w+/, (scheme) => scheme.toUpperCase()),
  (url, next) => `${several(next, 3, [' ', '\0', '\x1f'])}${url}${several(next, 3, [' ', '\t', '\x01'])}`,
  (url, next) => {
    const at = next(url.length + 1);
    return `${url.slice(0, at)}${pick(next, ['\t', '\n', '\r'])}${url.slice(at)}`;
  },
  (url) => url.replace(/example/, 'eXamPLE'),
  (url) => url.replace(/example/, 'e%78ample'),
  (url) => url.replace('xn--bcher-kva', 'b%C3%BCcher'),
  (url) => url.replace('1.2.3.4', '0x1020304'),
  (url) =>
    url.replace(/^(https?:[/\\]*[^/\\?#]*)(?=[/\\?#])/, (start) => `${start}:${start.startsWith('https') ? 443 : 80}`),
  (url) => url.replace(/(?<=[^/])\/(?=[^/])/, '\\'),
  (url, next) => url.replace(/(?<=[^/])\/(?=[^/])/, pick(next, ['/./', '/%2e/', '/x/../', '/y/%2E.\\'])),
  (url, next) => `${url}#${several(next, 3, ['a', '/', '@', '%2F', '#'])}`,
  (url) => url.replace(/^(\w+:[/\\]+)([^/\\?#@]*)(?=[/\\?#])/, '$1user:pass@$2'),
];

function withoutFragment(text: string): string | undefined {
  const record = basicURLParse(text);
  return record === null ? undefined : serializeURL(record, true);
}

function spelled(url: string, next: Next): string {
  let text = url;
  for (let count = 1 + next(4); count > 0; count--) text = pick(next, SPELLINGS)(text, next);
  return text;
}

/** Returns what `list build --mode browser` made of a URL when it took one backslash step more than the page. */
function formerEntry(url: string, profile: 'web-risk' | 'v5'): string {
  const reading = readPage(visited(url)!.bare, profile, true)!;
  return tries(reading, profile === 'v5' ? registrableHosts(reading) : lastComponents(reading))[0]!;
}

/** Undefined where the page finds no host in what a browser visits: nobody can list that. */
function entryOf(url: string, profile: 'web-risk' | 'v5', mode: 'spec' | 'browser'): string | undefined {
  try {
    return listEntry(url, { profile, mode }).expression;
  } catch (error) {
    if (mode === 'spec' && error instanceof SafeBrowsingUrlError) return undefined;
    throw error;
  }
}

test('a listed URL is found by every spelling of it', () => {
  const next = random();
  const listed: string[] = [];
  const texts: string[] = [];
  for (let count = halvedCases(6000); count > 0; count--) {
    const url = listedUrl(next);
    const text = spelled(url, next);
    if (withoutFragment(text) !== withoutFragment(url)) continue;
    listed.push(url);
    texts.push(text);
    for (const profile of PROFILES) {
      const found = expressions(text, { profile, mode: 'union' });
      for (const mode of ['spec', 'browser'] as const) {
        const expression = entryOf(url, profile, mode);
        assert.ok(
          expression === undefined || found.includes(expression),
          `${mode}: ${JSON.stringify([url, text, expression, found])}`,
        );
      }
      const former = formerEntry(url, profile);
      assert.ok(found.includes(former), `built before: ${JSON.stringify([url, text, former, found])}`);
      const visitedOnly = expressions(text, { profile, mode: 'browser' });
      assert.ok(visitedOnly.includes(former), `built before, browser: ${JSON.stringify([url, text, former])}`);
    }
  }
  assert.ok(texts.length > halvedCases(6000) / 3, `only ${texts.length} spellings`);
  for (const kernel of ['simd', 'js'] as const) {
    const column = new ExpressionHasher({ mode: 'union', kernel }).hashMany(texts);
    for (let row = 0; row < texts.length; row++) {
      const list = PrefixSet.from(listEntry(listed[row]!, { mode: 'browser' }).hash, 32);
      assert.is(list.matchesOf(row, column).length, 1, `${kernel}: ${JSON.stringify([listed[row], texts[row]])}`);
    }
  }
});

test.run();

/**
 * A line that `heading` matches, and the lines below it up to the next blank, without the page's parenthetical note.
 */
function exampleLists(page: string, heading: RegExp): (readonly [url: string, list: string[]])[] {
  const lines = page.split('\n');
  return lines.flatMap((line, at) => {
    const url = heading.exec(line)?.[1];
    if (url === undefined) return [];
    const start = at + 2;
    const blank = lines.indexOf('', start);
    return [[url, lines.slice(start, blank).filter((each) => !each.startsWith('('))] as const];
  });
}
