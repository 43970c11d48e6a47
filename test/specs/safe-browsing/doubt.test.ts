import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { URL as WhatwgUrl } from 'whatwg-url';
import { type ExpressionColumn, ExpressionHasher, PrefixSet } from '../../../src/entries/safe-browsing.ts';
import { doubtOf } from '../../../src/specs/safe-browsing/doubt.ts';
import { mustBeLinear } from '../../support/linear.ts';
import { cases, random } from '../../support/seed.ts';

const test = suite('safe-browsing: texts that may hide a URL');
const next = random();
const pick = <T>(items: readonly T[]) => items[next(items.length)]!;
const madeOf = (pieces: readonly string[], most: number) =>
  Array.from({ length: 1 + next(most) }, () => pick(pieces)).join('');

const PIECES = [
  ...['http://', 'https:', 'evil.example', 'good.example', 'a.evil.example', '/', '//', '/x', '?', '#', '\\', '@', ':'],
  ...[':80', '.', '*', '"', "'", '<', '>', '`', '{"url":"', '"}', '[', '](', ')', 'url=', '1,', ';', '|', 'GET ', ' '],
  ...['\t', '\n', '\r', '\0', '\u00a0', '\u3000', '\u201c', '\u00bb', '\u00fc', '%20', '%22', '%', '-', '~', '^'],
];

const union = new ExpressionHasher({ mode: 'union', width: 8 });
const byJavaScript = new ExpressionHasher({ mode: 'union', width: 8, kernel: 'js' });
const listed = PrefixSet.from(union.hashMany(['evil.example/']).bytes.subarray(0, 8), 8);

/** The rows that pass for clean. */
function cleanRows(column: ExpressionColumn): number[] {
  const others = new Set([...column.invalid, ...column.doubtful, ...listed.matches(column)]);
  return Array.from({ length: column.length }, (_, row) => row).filter((row) => !others.has(row));
}

/** Returns what a browser would visit for a text, by another implementation; http is added to what has no scheme. */
function visited(text: string): URL | undefined {
  const stripped = text.replace(/^[\0- ]+|[\0- ]+$|[\t\n\r]/g, '');
  const hasScheme = /^(?:[a-z][a-z0-9+.-]*:[/\\]|(?:https?|wss?|ftp):)/i.test(stripped);
  try {
    return new WhatwgUrl(hasScheme ? stripped : `http://${stripped}`) as unknown as URL;
  } catch {
    return undefined;
  }
}

test('what is clean is a URL that a browser visits elsewhere, and as a line it is one word', () => {
  const texts = Array.from({ length: cases(20_000) }, () => madeOf(PIECES, 8)).filter((text) => !/[\n]/.test(text));
  const values = union.hashMany(texts);
  let cleanCount = 0;
  for (const row of cleanRows(values)) {
    const text = texts[row]!;
    const url = visited(text);
    assert.ok(url !== undefined, JSON.stringify(text));
    assert.not(/(?:^|\.)evil\.example\.?$/.test(url.hostname), JSON.stringify(text));
    assert.not(/["<>`{}|^ ]|%2[02]/.test(url.hostname), JSON.stringify(text));
    cleanCount++;
  }
  assert.ok(cleanCount > texts.length / 50, `${cleanCount} of ${texts.length} are clean`);
  assert.ok(values.doubtful.length > texts.length / 10, `${values.doubtful.length} are doubtful`);
  const lines = union.hashLines(new TextEncoder().encode(`${texts.join('\n')}\n`));
  for (const row of cleanRows(lines)) {
    assert.not(/[\t ]/.test(texts[row]!.replace(/^[\0- ]+|[\0- ]+$/g, '')), JSON.stringify(texts[row]));
    assert.ok(!values.doubtful.includes(row), 'a line is doubted where a value is');
  }
});

test('both kernels doubt the same, whatever is around a URL', () => {
  const urls = ['http://good.example/', 'HTTPS://Good.example/a?b#c', 'good.example/x', 'ftp://good.example/'];
  const texts = Array.from({ length: cases(4000) }, () => `${pick(['', ...PIECES])}${pick(urls)}${madeOf(PIECES, 3)}`);
  const rows = texts.map((text) => text.replaceAll('\n', ''));
  const bytes = new TextEncoder().encode(`${rows.join('\n')}\n`);
  for (const columnOf of [
    (hasher: ExpressionHasher) => hasher.hashMany(texts),
    (hasher: ExpressionHasher) => hasher.hashLines(bytes),
  ]) {
    const [one, other] = [columnOf(union), columnOf(byJavaScript)];
    assert.equal(one.doubtful, other.doubtful);
    assert.ok(one.provenCount > 0 && one.doubtful.length > 0);
    for (const row of one.doubtful) assert.equal(one.doubtAt(row), other.doubtAt(row));
  }
});

test('a value that begins with a host is not doubted, whatever is in its path and query', () => {
  const after = [
    ' ',
    '"',
    "'",
    '<',
    '>',
    '{',
    '}',
    ',',
    ';',
    '|',
    '[.]',
    '%',
    '%22',
    'a',
    '\u00fc',
    'http:/',
    'b.example',
  ];
  const hosts = [
    'good.example',
    'good.example:80',
    'b\u00fccher.example',
    '192.0.2.1',
    '[2001:db8::1]:8080',
    'a_b.example',
  ];
  const texts = Array.from(
    { length: cases(4000) },
    () => `${pick(['http://', 'HTTPS://', ''])}${pick(hosts)}${pick(['/', '/?', '/#'])}${madeOf(after, 6)}`,
  );
  const column = union.hashMany(texts);
  for (const row of column.doubtful) assert.unreachable(JSON.stringify(texts[row]));
  assert.is(column.invalid.length, 0);
});

test('a row that is not doubtful has no doubt; a doubtful one has its hashes, and the text as given', () => {
  const column = union.hashMany(['http://good.example/', 'GET http://good.example/', 'mailto:x']);
  assert.equal([...column.doubtful, ...column.invalid], [1, 2]);
  assert.equal([column.doubtAt(0), column.doubtAt(2), column.doubtAt(3), column.errorAt(1)], Array(4).fill(undefined));
  assert.ok(column.at(1).length > 0);
  const { message, reason, place, input } = column.doubtAt(1)!;
  assert.equal([reason, place, input], ['text-before-scheme', 'input', 'GET http://good.example/']);
  assert.is(message, 'not looked up: "GET http://good.example/": there is text before its scheme (text-before-scheme)');
  const given = new TextEncoder().encode('1 2');
  const ofBytes = union.hashMany([given]);
  given.fill(0x61);
  assert.equal(ofBytes.doubtAt(0)!.input, new TextEncoder().encode('1 2'));
});

for (const source of ['line', 'value'] as const)
  test(`takes linear time: a ${source}`, () => {
    for (const piece of ['\ta', ',http:', ';a:/', '%25', '[.]', '[', '\u00fc.', 'a:', '\\', '@', 'a', ' ', '"', '\0'])
      for (const start of ['', 'http://', '[']) {
        const input = (length: number) => Buffer.from(start + piece.repeat(Math.ceil(length / piece.length)));
        mustBeLinear(`${start}${piece}…`, input, (bytes) => doubtOf(bytes, 0, bytes.length, source));
      }
  });

test.run();
