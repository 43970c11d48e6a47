import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hexByDigits, hexOfBytes } from '../../../src/core/bytes/hex.ts';
import {
  canonicalize,
  tryCanonicalize,
  UrlError,
  UrlHash,
  UrlHasher,
  UrlShortHash,
  UrlVeryShortHash,
} from '../../../src/index.ts';
import { SAMPLE_URLS } from '../../support/samples.ts';
import { cases } from '../../support/seed.ts';
import { errorOf } from '../../support/thrown.ts';

const tests = suite('UrlHash');
const URL_OF_THE_SEED = 'https://doc.rust-lang.org/';
const CLASSES = [UrlHash, UrlShortHash, UrlVeryShortHash] as const;

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

tests('of: the SHA-256 of the canonical form, of strings and URL objects, with and without a base', () => {
  for (const url of SAMPLE_URLS.filter((each) => URL.canParse(each))) {
    assert.is(UrlHash.of(url).hex, sha256(canonicalize(url)).toString('hex'), url);
  }
  assert.is(UrlHash.of(new URL(URL_OF_THE_SEED)).hex, sha256(URL_OF_THE_SEED).toString('hex'));
  assert.is(
    UrlHash.of('../b', { base: 'https://example.com/a/c/d' }).hex,
    sha256('https://example.com/a/b').toString('hex'),
  );
  assert.is(
    UrlHash.of(`https://example.com/${'x'.repeat(500_000)}`).hex,
    sha256(`https://example.com/${'x'.repeat(500_000)}`).toString('hex'),
  );
  assert.is(UrlShortHash.of(URL_OF_THE_SEED).hex, sha256(URL_OF_THE_SEED).toString('hex').slice(0, 32));
  assert.is(UrlVeryShortHash.of(URL_OF_THE_SEED).hex, sha256(URL_OF_THE_SEED).toString('hex').slice(0, 16));
});

tests('of: what is not a URL is a UrlError with its input', () => {
  for (const url of [
    '',
    'example.com',
    'http://a b/',
    'http://[1/',
    'two\nlines',
    `http://a b/${'x'.repeat(10_000)}`,
  ]) {
    assert.throws(
      () => UrlHash.of(url),
      (error: unknown) => error instanceof UrlError && error.input === url,
    );
  }
});

tests('words: the digest as little-endian u64, as the specification computes them', () => {
  const bytes = sha256(URL_OF_THE_SEED);
  const expected = [0, 8, 16, 24].map((at) => bytes.readBigUInt64LE(at));
  const hash = UrlHash.of(URL_OF_THE_SEED);
  assert.equal(hash.words, expected);
  assert.equal(Buffer.from(hash.bytes), bytes);
  assert.is(hash.toDecimal(), expected.join('-'));
  assert.is(String(hash), bytes.toString('hex'));
  assert.is(`${hash.short()}`, bytes.toString('hex').slice(0, 32));
  assert.is(JSON.stringify({ hash }), `{"hash":"${bytes.toString('hex')}"}`);
  assert.equal(hash.short().words, expected.slice(0, 2));
  assert.is(hash.short().toDecimal(), expected.slice(0, 2).join('-'));
  assert.equal(hash.veryShort().words, expected.slice(0, 1));
  assert.is(hash.veryShort().toDecimal(), String(expected[0]));
});

tests('tryOf and tryCanonicalize: null for what is not a URL, and for a base that is not one', () => {
  for (const type of CLASSES) {
    assert.ok(
      type.tryOf('../b', { base: 'https://example.com/a/c' })?.equals(type.of('https://example.com/b') as never),
    );
    assert.ok(type.tryOf('http://a/#b', { excludeFragment: true })?.equals(type.of('http://a/') as never));
    assert.is(type.tryOf('x'), null);
    assert.is(type.tryOf('x', { base: 'y' }), null);
    assert.is(type.tryOf('http://a/', { base: 'y' }), null);
    assert.throws(() => type.tryOf(Symbol('x') as never), TypeError);
    assert.throws(() => type.tryOf('x', { fragment: true } as never), RangeError);
  }
  assert.is(tryCanonicalize('HTTP://A#b', { excludeFragment: true }), 'http://a/');
  assert.is(tryCanonicalize('b', { base: 'http://a/' }), 'http://a/b');
  for (const [url, base] of [['x'], ['x', 'y'], ['http://a/', 'y']] as const)
    assert.is(tryCanonicalize(url, { base }), null);
  assert.throws(() => tryCanonicalize('x', { base: 'y', fragment: true } as never), RangeError);
});

tests('short forms and prefix tests of the specification', () => {
  const hash = UrlHash.of(URL_OF_THE_SEED);
  const other = UrlHash.of('https://example.com/');
  const short = hash.short();
  const veryShort = hash.veryShort();
  assert.ok(hash.startsWith(short) && short.startsWith(veryShort) && hash.startsWithJust(veryShort));
  assert.ok(hash.startsWith(veryShort) && !other.startsWith(veryShort));
  assert.ok(veryShort.equals(short.veryShort()) && hash.equals(UrlHash.of(URL_OF_THE_SEED)));
  assert.not.ok(
    other.startsWith(short) ||
      other.short().startsWith(veryShort) ||
      other.startsWithJust(veryShort) ||
      other.equals(hash),
  );
  assert.not.ok(short.equals(other.short()) || veryShort.equals(other.veryShort()));
});

tests('every spelling reads back: parse(String(hash)), fromDecimal, fromWords, fromBytes', () => {
  for (const type of CLASSES) {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: type.width, maxLength: type.width }), (bytes) => {
        const hash = type.fromBytes(bytes);
        for (const again of [
          type.fromDecimal(hash.toDecimal()),
          type.parse(String(hash)),
          type.parse(hash.hex.toUpperCase()),
          type.fromWords(hash.words),
          type.fromWords(BigUint64Array.from(hash.words)),
        ]) {
          assert.equal(again.bytes, Uint8Array.from(bytes));
        }
        assert.is(hexByDigits(bytes), hash.hex);
      }),
      { numRuns: cases(100) },
    );
  }
});

tests("hex digits come from the bytes' own toHex where they are asked for whole, else from what else there is", () => {
  const hex = sha256('').toString('hex');
  let calls = 0;
  const toHex = function (this: Uint8Array): string {
    calls++;
    return Buffer.from(this).toString('hex');
  };
  const bytes = Object.assign(new Uint8Array(sha256('')), { toHex });
  assert.is(hexOfBytes(bytes, 0, 32), hex);
  assert.is(calls, 1);
  assert.is(hexOfBytes(bytes, 8, 16), hex.slice(16, 32));
  assert.is(hexOfBytes(bytes, 0, 16), hex.slice(0, 32));
  assert.is(calls, 1);
});

tests('hashes are values: nobody can change one', () => {
  const source = new Uint8Array(32);
  const hash = UrlHash.fromBytes(source);
  source.fill(1);
  hash.bytes.fill(2);
  assert.is(hash.hex, '00'.repeat(32));
});

tests('bad spellings are RangeErrors, wrong kinds TypeErrors', () => {
  const bad = [
    '',
    '1',
    '1-2-3',
    '1-2-3-4-5',
    '1-2-3-',
    '-1-2-3-4',
    '1-2-3-x',
    '01-2-3-4',
    '1-2-3-18446744073709551616',
    ' 1-2-3-4',
    '1-2-3-4\n',
    '1e3-2-3-4',
  ];
  for (const text of bad)
    assert.throws(
      () => UrlHash.fromDecimal(text),
      (error: unknown) => error instanceof RangeError,
      JSON.stringify(text),
    );
  for (const hex of ['', 'ab', 'g'.repeat(64), '0'.repeat(63), '0'.repeat(65), `${'0'.repeat(63)}\n`])
    assert.throws(
      () => UrlHash.parse(hex),
      (error: unknown) => error instanceof RangeError,
    );
  for (const length of [0, 8, 16, 31, 33, 64])
    assert.throws(
      () => UrlHash.fromBytes(new Uint8Array(length)),
      (error: unknown) => error instanceof RangeError,
    );
  for (const words of [[], [1n], [1n, 2n, 3n, -1n], [1n, 2n, 3n, 1n << 64n]])
    assert.throws(
      () => UrlHash.fromWords(words),
      (error: unknown) => error instanceof RangeError,
    );
  const [four, hex] = [[1n, 2n, 3n], '0'.repeat(64)];
  for (const [call, message] of [
    [() => new (UrlHash as never as new () => void)(), 'bytes must be a Uint8Array, got undefined'],
    [() => UrlHash.fromBytes([...new Uint8Array(32)] as never), 'bytes must be a Uint8Array, got Array'],
    [() => UrlHash.fromBytes(hex as never), 'bytes must be a Uint8Array, got string'],
    [() => UrlHash.parse(5 as never), 'hex must be a string, got number'],
    [() => UrlHash.parse([hex] as never), 'hex must be a string, got Array'],
    [() => UrlHash.fromDecimal(5 as never), 'text must be a string, got number'],
    [() => UrlHash.fromDecimal(null as never), 'text must be a string, got null'],
    [() => UrlHash.fromWords(5 as never), 'words must be a list of bigints, got number'],
    [() => UrlHash.fromWords('1234' as never), 'words must be a list of bigints, got string'],
    [() => UrlHash.fromWords(null as never), 'words must be a list of bigints, got null'],
    [() => UrlHash.fromWords({} as never), 'words must be a list of bigints, got Object'],
    [() => UrlHash.fromWords([...four, 4] as never), 'word 3 must be a bigint, got number'],
    [() => UrlHash.fromWords([...four, '4'] as never), 'word 3 must be a bigint, got string'],
    [() => UrlHash.fromWords(Array(4) as never), 'word 0 must be a bigint, got undefined'],
  ] as const) {
    const error = errorOf(call);
    assert.is(error.constructor, TypeError);
    assert.is(error.message, message);
  }
  for (const [call, message] of [
    [() => UrlHash.fromBytes(new Uint8Array(31)), 'bytes must have 32 bytes, got 31'],
    [() => UrlShortHash.parse('ab'), 'hex must have 32 hex digits, got "ab"'],
    [() => UrlHash.fromWords(four), 'words must have length 4, got 3'],
    [() => UrlVeryShortHash.fromDecimal('1-2'), `text must be decimal words joined by '-', 1 in all, got "1-2"`],
    [() => UrlShortHash.fromDecimal('1'), `text must be decimal words joined by '-', 2 in all, got "1"`],
  ] as const) {
    const error = errorOf(call);
    assert.is(error.constructor, RangeError);
    assert.is(error.message, message);
  }
});

tests('a host without TextEncoder and TextDecoder (jsdom) gets the same hashes', () => {
  const { TextEncoder, TextDecoder } = globalThis;
  const urls = [
    'https://example.com/',
    'HTTP://Example.com',
    `https://example.com/${'é'.repeat(200)}`,
    `https://example.com/${'x'.repeat(600_000)}`,
    'https://bücher.example/',
    'http://%61.com/',
    'http://b%C3%BCcher.example/',
  ];
  const hashes = urls.map((url) => UrlHash.of(url).hex);
  const column = new UrlHasher().hashMany(urls);
  Reflect.deleteProperty(globalThis, 'TextEncoder');
  Reflect.deleteProperty(globalThis, 'TextDecoder');
  try {
    assert.equal(
      urls.map((url) => UrlHash.of(url).hex),
      hashes,
    );
    assert.equal([...new UrlHasher().hashMany(urls).bytes], [...column.bytes]);
  } finally {
    Object.assign(globalThis, { TextEncoder, TextDecoder });
  }
});

tests.run();
