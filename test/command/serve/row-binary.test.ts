import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isFault } from '../../../src/command/fault.ts';
import { serveRowBinary } from '../../../src/command/serve/row-binary.ts';
import { optionsOfArguments } from '../../../src/command/serve/serve.ts';
import { hashes } from '../../../src/entries/safe-browsing.ts';
import { hostOf, siteOf, surtOf } from '../../../src/entries/site.ts';
import { canonicalize, profileOf, UrlHash } from '../../../src/index.ts';
import { openOutput } from '../../../src/tables/outputs.ts';
import { cutInput, KeptOutput } from './byte-streams.ts';
import { chunk, chunkOf, length, oddRows, string, valueOf } from './rows.ts';

const tests = suite('rowbinary');

function serve(args: readonly string[], input: Uint8Array, cuts: readonly number[] = []): Buffer {
  const output = new KeptOutput();
  const options = optionsOfArguments(args);
  serveRowBinary(cutInput(input, cuts), output.write, openOutput(options), options.nullable);
  return output.bytes;
}

const nullable = (value: Uint8Array | undefined) =>
  value === undefined ? Buffer.from([1]) : Buffer.concat([Buffer.from([0]), value]);

const ROWS = oddRows(3000);
const HASHES = ROWS.map((row) => valueOf(row, (text) => UrlHash.of(text).hex));
const FORMS = ROWS.map((row) => valueOf(row, canonicalize));

for (const width of [8, 16, 32]) {
  tests(`FixedString(${width}), zero where invalid; Nullable, NULL there`, () => {
    const values = HASHES.map((hash) =>
      hash === undefined ? undefined : Buffer.from(hash.slice(0, 2 * width), 'hex'),
    );
    const args = ['--width', `${width}`];
    assert.equal(serve(args, chunkOf(ROWS)), Buffer.concat(values.map((value) => value ?? Buffer.alloc(width))));
    assert.equal(
      serve([...args, '--nullable'], chunk([...ROWS.map((row) => nullable(string(row))), nullable(undefined)])),
      Buffer.concat([...values, undefined].map(nullable)),
    );
  });
}

tests('UInt64 and Int64: the little-endian number of the first 8 bytes', () => {
  for (const output of ['u64', 'i64']) {
    assert.equal(serve(['--output', output], chunkOf(ROWS)), serve(['--width', '8'], chunkOf(ROWS)));
  }
  const [word] = UrlHash.of('http://a/').words;
  assert.is(serve(['--output', 'u64'], chunkOf(['http://a/'])).readBigUInt64LE(), word);
});

tests('String: canonical forms, empty where invalid; Nullable, NULL there', () => {
  const args = ['--output', 'canonical'];
  assert.equal(serve(args, chunkOf(ROWS)), Buffer.concat(FORMS.map((form) => string(form ?? ''))));
  assert.equal(
    serve([...args, '--nullable'], chunk([nullable(undefined), ...ROWS.map((row) => nullable(string(row)))])),
    Buffer.concat([nullable(undefined), ...FORMS.map((form) => nullable(form === undefined ? form : string(form)))]),
  );
});

tests('String: hosts, sites and SURTs, empty where there is none; Nullable, NULL there', () => {
  for (const [output, of] of Object.entries({ host: hostOf, site: siteOf, surt: surtOf })) {
    const texts = ROWS.map((row) => valueOf(row, (text) => of(text) ?? ''));
    assert.equal(serve(['--output', output], chunkOf(ROWS)), Buffer.concat(texts.map((text) => string(text ?? ''))));
    assert.equal(
      serve(['--output', output, '--nullable'], chunk(ROWS.map((row) => nullable(string(row))))),
      Buffer.concat(texts.map((text) => nullable(text ? string(text) : undefined))),
    );
  }
});

tests('String: reasons, empty where there is none; Nullable, NULL there', () => {
  const args = ['--output', 'reason'];
  const rows = ['http://a:b/', 'http://a/', ''];
  const [port, none, scheme] = ['port-invalid', '', 'missing-scheme-non-relative-URL'].map(string);
  assert.equal(serve(args, chunkOf(rows)), Buffer.concat([port!, none!, scheme!]));
  assert.equal(
    serve([...args, '--nullable'], chunk([...rows.map((row) => nullable(string(row))), nullable(undefined)])),
    Buffer.concat([port, undefined, scheme, undefined].map(nullable)), // NULL is NULL
  );
});

tests('Array(FixedString): the hashes of expressions', () => {
  for (const profile of ['web-risk', 'v5'] as const) {
    const lists = ['http://a.b.c.example/1/2.html?q', '', `http://h/${'a/'.repeat(9)}`].map((url) =>
      url === '' ? [] : hashes(url, { profile }).map((hash) => hash.subarray(0, 16)),
    );
    assert.equal(
      serve(
        ['--output', 'expressions', '--profile', profile, '--width', '16'],
        chunkOf(['http://a.b.c.example/1/2.html?q', '', `http://h/${'a/'.repeat(9)}`]),
      ),
      Buffer.concat(lists.map((list) => Buffer.concat([length(list.length), ...list]))),
    );
  }
});

tests('the profile, whatever the rows are', () => {
  assert.equal(
    serve(['--output', 'profile', '--exclude-fragment'], chunkOf(['x', ''])),
    Buffer.concat([1, 2].map(() => string(profileOf({ excludeFragment: true })))),
  );
});

const CHUNKS = Buffer.concat([chunkOf(['https://example.com', 'no url', '']), chunkOf([]), chunkOf(['http://ü/'])]);

tests('every split of three chunks into two reads, and a byte at a time, give the same answers', () => {
  const whole = serve([], CHUNKS);
  assert.is(whole.length, 4 * 32);
  for (let cut = 1; cut < CHUNKS.length; cut++) assert.equal(serve([], CHUNKS, [cut]), whole, `${cut}`);
  assert.equal(serve([], CHUNKS, Array.from(CHUNKS.keys())), whole);
});

tests('an input that ends inside a chunk is an error', () => {
  const [first, second] = [chunkOf(['https://example.com', 'no url', '']).length, 2];
  for (let end = 1; end < CHUNKS.length; end++) {
    if (end === first || end === first + second) continue;
    assert.throws(
      () => serve([], CHUNKS.subarray(0, end)),
      (error: unknown) => isFault(error, 'request') && error.message === 'the input ended inside a chunk',
      `${end}`,
    );
  }
});

tests('what is not a chunk is an error', () => {
  const limit = 2 ** 27;
  const cases: [string[], Buffer, RegExp][] = [
    [[], Buffer.from('\n'), /row count in decimal, not a line feed/],
    [[], Buffer.from('-1\n'), /row count in decimal, not byte 45/],
    [[], Buffer.from('16777217\n'), /more than 16777216 rows/],
    [[], Buffer.concat([Buffer.from('1\n'), length(limit + 1)]), /more than 134217728/],
    [[], Buffer.concat([Buffer.from('1\n'), Buffer.alloc(12, 0x80)]), /length of a row/],
    [['--nullable'], Buffer.from('1\n\x02'), /begins with byte 2, neither 0 .* nor 1/],
  ];
  for (const [args, bytes, message] of cases) {
    assert.throws(
      () => serve(args, bytes),
      (error: unknown) => isFault(error, 'request') && message.test(error.message),
      `${message}`,
    );
  }
});

tests('a chunk of more rows, and a row of more bytes, than are hashed at once', () => {
  const rows = Array.from({ length: 40_000 }, (_, row) => `http://a.example/${row}`);
  rows[20_000] = `http://a.example/${'x'.repeat(3e6)}`;
  assert.equal(
    serve(['--width', '8'], chunkOf(rows)).toString('hex'),
    rows.map((row) => UrlHash.of(row).hex.slice(0, 16)).join(''),
  );
});

tests.run();
