import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { canonicalize, expressions, hashes, prefix } from '../../../src/entries/safe-browsing.ts';
import { sharedBytes } from '../../support/data.ts';
import { bytesOf } from './bytes.ts';

// The examples of the two pages, read from the pages themselves.
const webRisk = sharedBytes('../seeds/002_b27d0472f50c6877.txt')?.toString('utf8');
const v5 = sharedBytes('../seeds/004_0c4f799183c0cd1b.txt')?.toString('utf8');

const test = suite('safe-browsing: the pages');

/** Undoes C escapes, and the one Markdown escape: `11\*22` is `11*22`. */
function unquote(quoted: string): Uint8Array {
  const controls: Readonly<Record<string, string>> = { t: '\t', r: '\r', n: '\n', '*': '*' };
  return bytesOf(
    quoted.replace(/\\(?:x([0-9a-f]{2})|([trn*]))/g, (_, hex?: string, control?: string) => {
      return hex === undefined ? controls[control!]! : String.fromCharCode(Number.parseInt(hex, 16));
    }),
  );
}

if (webRisk !== undefined) {
  const vectors = [...webRisk.matchAll(/^Canonicalize\("(.*)"\) ?= ?"(.*)";$/gm)];

  test('has 33 examples of Canonicalize', () => assert.is(vectors.length, 33));

  for (const [line, input, output] of vectors) {
    test(line!, () => {
      const expected = Buffer.from(unquote(output!)).toString('latin1');
      for (const profile of ['web-risk', 'v5'] as const)
        assert.is(canonicalize(unquote(input!), { profile }), expected);
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

  test('v5: IPv6 is shortened, and gives way to the IPv4 address it carries', () => {
    for (const host of [
      '[2001:0db8:0000::1]',
      '[2001:db8::1]',
      '[::ffff:1.2.3.4]',
      '1.2.3.4',
      '[64:ff9b::1.2.3.4]',
      '64:ff9b::/96',
    ]) {
      assert.ok(v5.includes(host), `${host} is on the page`);
    }
    assert.is(canonicalize('http://[2001:0db8:0000::1]/'), 'http://[2001:db8::1]/');
    assert.is(canonicalize('http://[::ffff:1.2.3.4]/'), 'http://1.2.3.4/');
    assert.is(canonicalize('http://[64:ff9b::1.2.3.4]/'), 'http://1.2.3.4/');
  });

  test('v5: eTLD+1 of a.b.example.com and one component more', () => {
    assert.equal(expressions('http://a.b.example.com/'), ['a.b.example.com/', 'b.example.com/', 'example.com/']);
  });
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

test('a prefix has 4 to 32 whole bytes, in memory of its own', () => {
  const [hash] = hashes('http://a.b.c/');
  const four = prefix(hash!, 4);
  assert.equal([...four], [...hash!.subarray(0, 4)]);
  four[0]! ^= 0xff;
  assert.is.not(four[0], hash![0]);
  assert.is(prefix(hash!, 32).length, 32);
  for (const byteLength of [3, 33, 4.5, Number.NaN]) assert.throws(() => prefix(hash!, byteLength), /from 4 to 32/);
  assert.throws(() => prefix(hash!.subarray(0, 8), 16), /has 8 bytes/);
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
