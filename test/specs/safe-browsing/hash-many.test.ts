import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Profile, UrlInput } from '../../../src/entries/safe-browsing.ts';
import {
  type ExpressionColumn,
  ExpressionHasher,
  expressions,
  hashes,
  SafeBrowsingUrlError,
} from '../../../src/entries/safe-browsing.ts';
import { expressionList } from '../../../src/specs/safe-browsing/expressions.ts';
import { settingsOf } from '../../../src/specs/safe-browsing/settings.ts';
import { corpusLines, sampled } from '../../support/data.ts';
import { mutated, SAMPLE_URLS } from '../../support/samples.ts';
import { random } from '../../support/seed.ts';
import { bytesOf } from './bytes.ts';

const test = suite('safe-browsing: ExpressionHasher.hashMany');
const MODES = ['spec', 'browser', 'union'] as const;

function sha256(text: string, byteLength: number): string {
  return createHash('sha256')
    .update(text)
    .digest('hex')
    .slice(0, 2 * byteLength);
}

/** Against the expressions one at a time and node:crypto; returns the number of hashes. */
function check(
  column: ExpressionColumn,
  urls: readonly UrlInput[],
  profile: Profile,
  mode: (typeof MODES)[number],
): number {
  assert.is(column.length, urls.length);
  assert.is(column.offsets.length, urls.length + 1);
  assert.is(column.bytes.length, column.width * column.offsets[urls.length]!);
  const invalid: number[] = [];
  for (const [row, url] of urls.entries()) {
    const list = expressionList(url, settingsOf({ profile, mode }));
    if (!Array.isArray(list)) {
      invalid.push(row);
      assert.equal([column.hex(row), column.errorAt(row)?.reason], [[], list.reason]);
      continue;
    }
    assert.ok(
      list.length > 0 && list.length <= (mode === 'union' ? 60 : 30) && new Set(list).size === list.length,
      `${list.length} of ${String(url)}`,
    );
    assert.equal(
      column.hex(row),
      list.map((each) => sha256(each, column.width)),
      String(url),
    );
    assert.is(column.errorAt(row), undefined);
  }
  assert.equal([...column.invalid], invalid);
  return column.offsets[urls.length]!;
}

function mixed(count: number): UrlInput[] {
  const next = random();
  return Array.from({ length: count }, () => {
    const url = mutated(SAMPLE_URLS[next(SAMPLE_URLS.length)]!, next);
    return next(5) === 0 ? new TextEncoder().encode(url) : url;
  });
}

for (const kernel of ['simd', 'js'] as const) {
  test(`rows are the expressions' hashes, one by one: ${kernel}`, () => {
    const urls = mixed(kernel === 'js' ? 500 : 3000);
    for (const profile of ['web-risk', 'v5'] as const) {
      for (const mode of MODES)
        check(new ExpressionHasher({ profile, mode, kernel }).hashMany(urls), urls, profile, mode);
    }
  });
}

test('every width from 4 to 32', () => {
  const urls = mixed(300);
  for (let width = 4; width <= 32; width++) check(new ExpressionHasher({ width }).hashMany(urls), urls, 'v5', 'spec');
  for (const width of [0, 3, 33, 8.5, Number.NaN])
    assert.throws(() => new ExpressionHasher({ width }).hashMany([]), /width must be/);
});

const lines = [...sampled(corpusLines('main'), 400), ...sampled(corpusLines('intl'), 4)];
if (lines.length > 0) {
  test(`${lines.length} real lines`, () => {
    const column = new ExpressionHasher({ mode: 'union' }).hashMany(lines);
    assert.ok(check(column, lines, 'v5', 'union') > 4 * lines.length, 'more than four expressions per line');
    assert.ok(column.provenCount > lines.length / 3, `only ${column.provenCount} lines were proven`);
  });
}

test('batches of every size give the same rows', () => {
  const urls = mixed(700);
  const whole = new ExpressionHasher().hashMany(urls);
  for (const size of [1, 2, 3, 255, 256, 257]) {
    const pieces = Array.from({ length: Math.ceil(urls.length / size) }, (_, index) =>
      new ExpressionHasher().hashMany(urls.slice(index * size, (index + 1) * size)),
    );
    assert.ok(Buffer.concat(pieces.map(({ bytes }) => bytes)).equals(whole.bytes), `batches of ${size}`);
  }
});

test('URLs of every length around the limits of a batch, and larger than the memory of the kernel', () => {
  const long = (byteLength: number) => `http://a.b.c.d.e.f.com/1/2/3/4/${'x'.repeat(byteLength)}?q=%20`;
  const urls = [1, 32_000, 33_000, 130_000, 200_000, 417_000, 418_000, 900_000].flatMap((byteLength) => [
    long(byteLength),
    'http://h.com/',
    bytesOf(long(byteLength)),
  ]);
  check(new ExpressionHasher().hashMany(urls), urls, 'v5', 'spec');
  check(new ExpressionHasher({ mode: 'union', profile: 'web-risk' }).hashMany(urls), urls, 'web-risk', 'union');
});

test('a thousand rows of thirty expressions, which is more than a kernel call takes', () => {
  const urls = Array.from({ length: 1000 }, (_, index) => `http://a.b.c.d.e.f.g/1/2/3/4/${index}?q`);
  const column = new ExpressionHasher({ profile: 'web-risk' }).hashMany(urls);
  assert.is(check(column, urls, 'web-risk', 'spec'), 30_000);
});

test('strings with line feeds, beyond ASCII or not, stay one row each', () => {
  const urls = ['http://a.com/x\ny', 'http://b.com/', '\n', '', 'http://c.com/\u00fc', 'http://d.com/\n\u00fc\n'];
  check(new ExpressionHasher().hashMany(urls), urls, 'v5', 'spec');
  check(new ExpressionHasher().hashMany(urls.slice(0, 2)), urls.slice(0, 2), 'v5', 'spec');
});

test('the caller may hash, and write over its bytes, between two URLs', () => {
  const scratch = new Uint8Array(32);
  function* urls(): Generator<UrlInput> {
    for (let index = 0; index < 1000; index++) {
      hashes(`http://elsewhere.com/${index}`);
      if (index % 2) yield `http://host.com/${index}`;
      else yield scratch.subarray(0, new TextEncoder().encodeInto(`http://host.com/${index}`, scratch).written);
    }
    new TextEncoder().encodeInto('http:///', scratch);
    yield scratch.subarray(0, 8);
    scratch.fill(0x78);
    const buffer = Buffer.from('http:///');
    yield buffer;
    buffer.fill(0x78);
  }
  const column = new ExpressionHasher().hashMany(urls());
  const expected = Array.from({ length: 1000 }, (_, index) => `http://host.com/${index}`);
  for (const [row, url] of expected.entries())
    assert.equal(
      column.hex(row),
      expressions(url).map((each) => sha256(each, 32)),
    );
  for (const row of [1000, 1001])
    assert.is(column.errorAt(row)?.message, 'nothing to look up: "http:///": the host is empty (host-missing)');
});

test('what has no host costs its own row', () => {
  const urls = ['http://a.com/', new URL('http://b.com/'), 'mailto:x', 'http://c.com/'];
  const column = new ExpressionHasher().hashMany(urls);
  assert.equal([...column.invalid], [2]);
  assert.equal(column.hex(1), [sha256('b.com/', 32)]);
  assert.equal([column.errorAt(2)?.reason, column.errorAt(2)?.input], ['scheme-without-authority', 'mailto:x']);
  assert.instance(column.errorAt(2), SafeBrowsingUrlError);
  assert.equal(column.hex(3), [sha256('c.com/', 32)]);
});

test('a column has its own memory, and nothing for rows that it does not have', () => {
  const column = new ExpressionHasher().hashMany(['http://a.com/', 'http://b.com/']);
  const [before] = column.hex(0);
  new ExpressionHasher().hashMany(['http://c.com/', 'http://d.com/']);
  assert.is(column.hex(0)[0], before);
  column.at(0)[0]!.fill(0);
  assert.is(column.hex(0)[0], before);
  for (const row of [-1, 2, 0.5, Number.NaN])
    assert.equal([column.at(row), column.hex(row), column.errorAt(row)], [[], [], undefined]);
  assert.is(new ExpressionHasher().hashMany([]).length, 0);
});

test.run();
