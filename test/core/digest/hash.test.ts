import { deepStrictEqual, notDeepStrictEqual } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hexByDigits, hexOfBytes } from '../../../src/core/bytes/hex.ts';
import * as source from '../../../src/index.ts';
import { inAnotherRealm } from '../../support/another-realm.ts';
import { SAMPLE_URLS } from '../../support/samples.ts';
import { cases } from '../../support/seed.ts';
import { errorOf } from '../../support/thrown.ts';
import { KERNELS } from '../kernel/kernels.ts';

type Library = typeof source;
const { canonicalize, tryCanonicalize, UrlError, UrlHash, UrlHasher, UrlShortHash, UrlVeryShortHash } = source;

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

const HEX = '0f115db062b7c0dd030b16878c99dea5c354b49dc37b38eb8846179c7783e9d7';

const values = suite('hashes are values');

values('test tools tell different hashes apart, and equal ones not', () => {
  for (const type of CLASSES) {
    const [one, same, other] = ['https://a/', 'HTTPS://A', 'https://b/'].map((url) => type.of(url));
    deepStrictEqual(one, same);
    deepStrictEqual({ list: [one] }, { list: [same] });
    notDeepStrictEqual(one, other);
    notDeepStrictEqual({ list: [one] }, { list: [other] });
    assert.equal(one, same);
    assert.not.equal(one, other);
  }
  notDeepStrictEqual(UrlHash.of('https://a/').short(), UrlHash.of('https://a/').veryShort());
});

values('columns compare by their rows, their errors included, not by how they came about', () => {
  const [many, lines, parsed] = [
    new UrlHasher().hashMany(['http://a/', 'x']),
    new UrlHasher().hashLines(Buffer.from('http://a/\nx')),
    new UrlHasher({ kernel: 'js' }).hashMany(['http://a/', 'x']),
  ];
  deepStrictEqual(many, lines);
  deepStrictEqual(many, parsed);
  notDeepStrictEqual(many, new UrlHasher().hashMany(['http://b/', 'x']));
  notDeepStrictEqual(many, new UrlHasher().hashMany(['http://a/', 'y']));
});

values('console.log and messages show the value', () => {
  assert.is(inspect(UrlHash.of('https://example.com/')), 'UrlHash(0f115db0…)');
  assert.is(inspect([UrlShortHash.parse(HEX.slice(0, 32))]), '[ UrlShortHash(0f115db0…) ]');
  assert.is(inspect(UrlVeryShortHash.parse(HEX.slice(0, 16))), 'UrlVeryShortHash(0f115db0…)');
  assert.is(Object.prototype.toString.call(UrlHash.parse(HEX)), '[object UrlHash]');
  const message = errorOf(() => deepStrictEqual(UrlHash.of('https://a/'), UrlHash.parse(HEX))).message;
  assert.ok(message.includes(HEX), message);
});

values('structuredClone and postMessage keep the value, which reads back', async () => {
  for (const type of CLASSES) {
    const hash = type.of('https://example.com/');
    const clone = structuredClone(hash);
    deepStrictEqual(clone, { hex: hash.hex });
    assert.ok(hash.equals(type.parse(clone.hex) as never));
    const { port1, port2 } = new MessageChannel();
    const received = new Promise<MessageEvent>((resolve) => (port2.onmessage = resolve));
    port1.postMessage(hash);
    assert.is((await received).data.hex, hash.hex);
    port1.close();
  }
});

values('no hash can be changed', () => {
  const hash = UrlHash.of('https://example.com/');
  assert.instance(
    errorOf(() => Object.assign(hash, { hex: '00' })),
    TypeError,
  );
  hash.bytes.fill(0);
  assert.is(hash.hex, HEX);
  const source = new Uint8Array(32);
  const ofBytes = UrlHash.fromBytes(source);
  source.fill(1);
  assert.is(ofBytes.hex, '00'.repeat(32));
});

for (const { name } of KERNELS) {
  values(`a column iterates over its rows, kernel ${name}`, () => {
    for (const [width, type] of [
      [8, UrlVeryShortHash],
      [16, UrlShortHash],
      [32, UrlHash],
    ] as const) {
      const column = new UrlHasher({ width, kernel: name }).hashMany(['http://a/', 'x', 'http://b/']);
      deepStrictEqual([...column], [type.of('http://a/'), undefined, type.of('http://b/')]);
      deepStrictEqual([...new UrlHasher({ width, kernel: name }).hashMany([])], []);
    }
  });
}

values.run();

const copies = suite('across copies of the package');
const built = (name: string) => join(process.cwd(), 'dist', name);

const COPIES: Readonly<Record<string, Library>> = {
  source,
  esm: (await import(built('esm/index.js'))) as Library,
  hosts: (await import(built('hosts/index.js'))) as Library,
  'another realm': inAnotherRealm('index', { TextEncoder, TextDecoder, WebAssembly }),
};

for (const [name, copy] of Object.entries(COPIES)) {
  for (const [otherName, other] of Object.entries(COPIES)) {
    copies(`${name} and ${otherName}`, () => {
      const [mine, theirs] = [copy.UrlHash.of('https://a/'), other.UrlHash.of('https://a/')];
      assert.is(name === otherName, copy.UrlHash === other.UrlHash, 'a copy is another');
      assert.ok(mine.equals(theirs));
      assert.ok(mine.startsWith(theirs.short()) && mine.startsWith(theirs.veryShort()));
      assert.ok(mine.startsWithJust(theirs.veryShort()) && mine.short().startsWith(theirs.veryShort()));
      assert.ok(mine.short().equals(theirs.short()) && mine.veryShort().equals(theirs.short().veryShort()));
      assert.ok(copy.UrlHash.fromBytes(theirs.bytes).equals(copy.UrlHash.fromWords(theirs.words)));
      const different = other.UrlHash.of('https://b/');
      assert.not.ok(mine.equals(different) || mine.short().equals(different.short()));
      assert.not.ok(mine.startsWith(different.short()) || mine.startsWith(different.veryShort()));
      assert.not.ok(mine.startsWithJust(different.veryShort()) || mine.short().startsWith(different.veryShort()));
      assert.not.ok(mine.equals(theirs.short() as never) || theirs.short().equals(mine as never));
      const error = errorOf(() => other.UrlHash.of('x'));
      assert.is((error as Error & { code?: unknown }).code, 'ERR_INVALID_URL');
    });
  }
}

copies('equals is false for what is not a hash, startsWith a TypeError', () => {
  const hash = UrlHash.of('https://a/');
  for (const value of [undefined, null, hash.hex, { hex: hash.hex }, structuredClone(hash), hash.bytes, 5]) {
    assert.is(hash.equals(value as never), false);
    for (const call of [
      () => hash.startsWith(value as never),
      () => hash.startsWithJust(value as never),
      () => hash.short().startsWith(value as never),
    ]) {
      const error = errorOf(call);
      assert.instance(error, TypeError);
      assert.match(error.message, /must be a hash, got/);
    }
  }
});

copies.run();
