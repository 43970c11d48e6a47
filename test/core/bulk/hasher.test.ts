import { constants } from 'node:buffer';
import { createHash } from 'node:crypto';
import { parse as parseUrl } from 'node:url';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { URL as ReferenceURL } from 'whatwg-url';
import { TEXT, TEXT_END } from '../../../assembly/layout.ts';
import {
  canonicalize,
  type HashColumn,
  tryCanonicalize,
  UrlError,
  UrlHash,
  UrlHasher,
  UrlShortHash,
  UrlVeryShortHash,
} from '../../../src/index.ts';
import { corpusLines } from '../../support/data.ts';
import { mutated, SAMPLE_URLS } from '../../support/samples.ts';
import { cases, random } from '../../support/seed.ts';
import { errorOf } from '../../support/thrown.ts';
import { KERNELS } from '../kernel/kernels.ts';
import { countsOf } from './counts.ts';

/** A row's hash the long way round: one URL, node:crypto. */
function expected(url: string, width = 32): string | undefined {
  try {
    return createHash('sha256')
      .update(canonicalize(url))
      .digest('hex')
      .slice(0, 2 * width);
  } catch (error) {
    assert.instance(error, UrlError);
    return undefined;
  }
}

function hexes(column: HashColumn): (string | undefined)[] {
  return Array.from({ length: column.length }, (_, row) => column.hex(row));
}

const text = (lines: readonly string[], end = '\n') => Buffer.from(lines.map((line) => line + end).join(''));

for (const { name } of KERNELS) {
  const tests = suite(`UrlHasher: ${name}`);
  const hasher = new UrlHasher({ kernel: name });

  tests('hashMany, hashLines and UrlHash.of agree, for any batch and order', () => {
    const next = random();
    const sources = [...SAMPLE_URLS, ...corpusLines('changed').slice(0, 2000)];
    for (const size of [0, 1, 2, 3, 4, 5, 7, 8, 9, 100, 2047, 2048, 2049, cases(5000)]) {
      const urls = Array.from({ length: size }, () => mutated(sources[next(sources.length)]!, next));
      const rows = urls.map((url) => expected(url));
      assert.equal(hexes(hasher.hashMany(urls)), rows, `hashMany of ${size}`);
      assert.equal(hexes(hasher.hashMany([...urls].reverse())), [...rows].reverse(), 'reversed');
      const lines = urls.map((url) => url.replaceAll('\n', ''));
      assert.equal(
        hexes(hasher.hashLines(text(lines))),
        // a byte order mark at the start of the text belongs to no line
        lines.map((line, row) => expected(row === 0 ? line.replace(/^\ufeff/, '') : line)),
        `hashLines of ${size}`,
      );
    }
  });

  tests('line feeds in full batches of short strings', () => {
    for (const at of [0, 1000, 2047, 2048, 4095]) {
      const urls = Array.from({ length: 4500 }, (_, row) => `http://${row}.example/${row === at ? 'a\nb\r' : ''}`);
      assert.equal(
        hexes(hasher.hashMany(urls)),
        urls.map((url) => expected(url)),
        `in string ${at}`,
      );
    }
  });

  tests('a generator that hashes while it is asked for strings', () => {
    const others = Array.from({ length: 5000 }, (_, index) => `http://other/${index}`);
    function* urls() {
      for (let index = 0; index < 6000; index++) {
        if (index % 1500 === 0) assert.is(hasher.hashLines(text(others)).hex(4999), expected(others[4999]!));
        yield `http://own/${index}`;
      }
    }
    const rows = Array.from({ length: 6000 }, (_, index) => expected(`http://own/${index}`));
    assert.equal(hexes(hasher.hashMany(urls())), rows);
  });

  tests('a list is what it iterates over, whatever methods of its own it has', () => {
    class Other extends Array<string> {
      override *[Symbol.iterator](): ArrayIterator<string> {
        yield 'http://iterated/';
      }
    }
    class Sliced extends Array<string> {
      override slice(): string[] {
        return ['http://sliced/'];
      }
    }
    const plain = ['http://a/', 'http://b/'];
    const own = { [Symbol.iterator]: () => ['http://own/'].values(), slice: () => [], join: () => 'x', length: 0 };
    for (const [urls, rows] of [
      [Other.from(plain), ['http://iterated/']],
      [Sliced.from(plain), plain],
      [new Proxy(plain, {}), plain],
      [Object.assign([...plain], { slice: () => ['http://sliced/'], join: () => 'http://joined/' }), plain],
      [own, ['http://own/']],
    ] as const) {
      assert.equal(
        hexes(hasher.hashMany(urls)),
        rows.map((url) => expected(url)),
      );
    }
  });

  tests('digests of one batch and of many are memory of their own: the next call changes none', () => {
    for (const count of [2, name === 'js' ? 33_000 : 70_000]) {
      const lines = Array.from({ length: count }, (_, index) => `http://a/${index}`);
      const column = hasher.hashLines(text(lines));
      hasher.hashLines(text(lines.toReversed()));
      assert.equal(
        hexes(column),
        lines.map((line) => expected(line)),
      );
      assert.is(column.bytes.buffer.byteLength, 32 * count);
    }
  });

  tests('a parsed line where what the kernel rewrote has left less than a block of room', () => {
    const rewritten = `http://a/${'"'.repeat(80_000)}`;
    const parsed = `http://a/../${'x'.repeat(100)}`;
    const firstRows = [parsed, rewritten].map((line) => expected(line));
    for (let gap = 19; gap < 140; gap += { simd: 1, js: 30 }[name]) {
      // all lines with their ends, and the escapes written after them, but `gap` bytes fill the kernel's text
      const filler = TEXT_END - TEXT - gap - 113 - (rewritten.length + 1) - (9 + 3 * 80_000) - 10;
      const lines = [parsed, rewritten, `http://b/${'y'.repeat(filler)}`];
      const rows = [...firstRows, expected(lines[2]!)];
      assert.equal(hexes(hasher.hashLines(text(lines))), rows, `hashLines with ${gap} bytes left`);
      assert.equal(hexes(hasher.hashMany(lines)), rows, `hashMany with ${gap} bytes left`);
    }
  });

  tests('widths: the first bytes of the same digests', () => {
    for (const width of [8, 16, 32] as const) {
      const column = new UrlHasher({ width, kernel: name }).hashMany(SAMPLE_URLS);
      assert.is(column.width, width);
      assert.is(column.bytes.length, width * SAMPLE_URLS.length);
      assert.equal(
        hexes(column),
        SAMPLE_URLS.map((url) => expected(url, width)),
      );
    }
  });

  tests('lines: LF, CR LF, no final line end, empty lines, byte order marks, no text at all', () => {
    const cases: readonly (readonly [bytes: string, lines: readonly string[]])[] = [
      ['', []],
      ['\n', ['']],
      ['http://a/', ['http://a/']],
      ['http://a/\n', ['http://a/']],
      ['http://a/\r\n\r\nhttp://B', ['http://a/', '', 'http://B']],
      ['\n\nhttp://a\r\n', ['', '', 'http://a']],
      ['\ufeffhttp://a/\n\ufeffhttp://b/\n', ['http://a/', '\ufeffhttp://b/']],
      ['\ufeff', []],
      ['http://a/\r', ['http://a/']],
      ['http://a/b\rc\n', ['http://a/bc']],
    ];
    for (const [bytes, lines] of cases) {
      assert.equal(
        hexes(hasher.hashLines(Buffer.from(bytes))),
        lines.map((line) => expected(line)),
        JSON.stringify(bytes),
      );
    }
  });

  tests('bytes that are not UTF-8 are read as a TextDecoder reads them', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 12 }), { maxLength: 8 }), (tails) => {
        const bytes = Buffer.concat(
          tails.flatMap((tail) => [
            Buffer.from('http://e/'),
            Buffer.from(tail.filter((byte) => byte !== 0x0a)),
            Buffer.from('\n'),
          ]),
        );
        const lines = new TextDecoder().decode(bytes).split('\n').slice(0, -1);
        assert.equal(
          hexes(hasher.hashLines(bytes)),
          lines.map((line) => expected(line)),
        );
      }),
      { numRuns: cases(100) },
    );
  });

  tests('a bad row costs its own hash and nothing else', () => {
    const urls = ['http://a/', 'no url', 'http://b/', 'http://x y/', 'http://c/'];
    for (const column of [hasher.hashMany(urls), hasher.hashLines(text(urls))]) {
      assert.equal(column.invalid, Uint32Array.of(1, 3));
      assert.equal(
        hexes(column),
        urls.map((url) => expected(url)),
      );
      assert.ok(column.bytes.subarray(32, 64).every((byte) => byte === 0));
      assert.is(column.errorAt(1)?.input, 'no url');
      assert.is(column.errorAt(3)?.reason, 'domain-invalid-code-point');
      for (const row of [0, 2, 4, 5, -1, 0.5]) assert.is(column.errorAt(row), undefined);
      for (const row of [1, 3, 5, -1, 0.5]) assert.ok(column.at(row) === undefined && column.hex(row) === undefined);
    }
  });

  tests('at gives the class of the width; words are the bytes', () => {
    for (const [width, type] of [
      [32, UrlHash],
      [16, UrlShortHash],
      [8, UrlVeryShortHash],
    ] as const) {
      const column = new UrlHasher({ width, kernel: name }).hashMany(['http://a/', 'http://b/']);
      const hash = column.at(1)!;
      assert.instance(hash, type);
      assert.is(hash.hex, column.hex(1));
      assert.equal([...column.words.subarray(width / 8)], [...hash.words]);
    }
  });

  tests('lines and strings longer than memory, among short ones', () => {
    const long = [
      `http://a/${'x'.repeat(500_000)}`,
      `http://A/${'é'.repeat(200_000)}`,
      `no url ${'y'.repeat(1_000_000)}`,
      `http://a/${'%'.repeat(131_060)}`,
      `http://a/${'z'.repeat(131_063)}`,
    ];
    const urls = long.flatMap((url) => ['http://a/', url, 'HTTP://B']);
    const rows = urls.map((url) => expected(url));
    assert.equal(hexes(hasher.hashMany(urls)), rows);
    for (const end of ['\n', '\r\n']) assert.equal(hexes(hasher.hashLines(text(urls, end))), rows);
    assert.equal(hexes(hasher.hashLines(Buffer.from(urls.join('\n')))), rows);
  });

  tests('the fast path is taken where it can be', () => {
    const canonical = Array.from({ length: 5000 }, (_, row) => `https://example.com/${row}`);
    const known = name === 'simd' ? 5000 : 0;
    const proven = { provenCount: known, rewrittenCount: 0 };
    assert.equal(
      countsOf(() => hasher.hashMany(canonical)),
      proven,
    );
    assert.equal(
      countsOf(() => hasher.hashLines(text(canonical))),
      proven,
    );
    const rewritable = canonical.map((url) => url.replace('e', 'E'));
    assert.equal(
      countsOf(() => hasher.hashMany(rewritable)),
      { provenCount: 0, rewrittenCount: known },
    );
    const parsed = canonical.map((url) => `${url}/\tx`);
    assert.equal(
      countsOf(() => hasher.hashMany(parsed)),
      { provenCount: 0, rewrittenCount: 0 },
    );
  });

  tests.run();
}

const limits = suite('UrlHasher limits');

limits('a line longer than a string can be costs its own row', () => {
  const lines = Buffer.alloc(constants.MAX_STRING_LENGTH + 64, 'a');
  lines.write('http://a/\n');
  lines.write('\nhttp://b/', lines.length - 10);
  for (const { name } of KERNELS) {
    const column = new UrlHasher({ kernel: name }).hashLines(lines);
    assert.equal(hexes(column), [expected('http://a/'), undefined, expected('http://b/')]);
    assert.is(column.errorAt(1)?.reason, 'length-limit');
  }
});

limits.run();

const options = suite('UrlHasher options');

options('a value that an option cannot have is refused, and the option named', () => {
  for (const [name, value, message] of [
    ['width', Object.create(null), 'RangeError: width must be one of 8, 16, 32, got Object'],
    ['width', null, 'RangeError: width must be one of 8, 16, 32, got null'],
    ['width', '8', 'RangeError: width must be one of 8, 16, 32, got "8"'],
    ['width', 4, 'RangeError: width must be one of 8, 16, 32, got 4'],
    ['kernel', 'avx', 'RangeError: kernel must be one of simd, js, got "avx"'],
    ['kernel', Object.create(null), 'RangeError: kernel must be one of simd, js, got Object'],
    ['kernel', Symbol('js'), 'RangeError: kernel must be one of simd, js, got Symbol(js)'],
    ['dropList', Object.create(null), 'RangeError: dropList must be one of tracking-2026, got Object'],
    ['rowBounds', null, 'TypeError: rowBounds must be a boolean, got null'],
    ['rowBounds', 1, 'TypeError: rowBounds must be a boolean, got number'],
  ] as const) {
    const error = errorOf(() => new UrlHasher({ [name]: value } as never));
    assert.is(`${error.name}: ${error.message}`, message);
  }
});

options('what is neither a string nor a URL is refused', () => {
  const hasher = new UrlHasher();
  const isTypeError = (error: unknown) => error instanceof TypeError && !(error instanceof UrlError);
  for (const text of ['http://a/', null, undefined, 7, [], new ArrayBuffer(1), new Uint16Array(1)])
    assert.throws(() => hasher.hashLines(text as never), isTypeError);
  for (const urls of ['http://a/', new String('http://a/'), Buffer.from('http://a/'), null, undefined, 7, {}])
    assert.throws(() => hasher.hashMany(urls as never), isTypeError);
  for (const [value, kind] of [
    [Symbol('http://a/'), 'symbol'],
    [Object.create(null), 'Object'],
    [undefined, 'undefined'],
    [null, 'null'],
    [7, 'number'],
    [parseUrl('http://a/'), 'Object'], // its href is a string, which is not how it shows itself
  ])
    for (const [call, name] of [
      [() => hasher.hashMany(['http://a/', value]), 'each of urls'],
      [() => canonicalize(value), 'url'],
      [() => canonicalize('x', { base: value ?? null }), 'base'],
      [() => tryCanonicalize(value), 'url'],
      [() => tryCanonicalize('x', { base: value ?? null }), 'base'],
      [() => UrlHash.of(value), 'url'],
      [() => UrlHash.tryOf(value), 'url'],
      [() => UrlHash.tryOf('x', { base: value ?? null }), 'base'],
      [() => new UrlHasher({ base: value ?? null }), 'base'],
      [() => hasher.hash(value), 'url'],
      [() => hasher.tryHash(value), 'url'],
    ] as const) {
      const error = errorOf(call);
      assert.is(
        `${error.name}: ${error.message}`,
        `TypeError: ${name} must be a string or a URL, got ${name === 'base' && value === undefined ? 'null' : kind}`,
      );
    }
  assert.equal(hexes(hasher.hashMany([new URL('http://a/'), 'x'])), [expected('http://a/'), undefined]);
  assert.is(canonicalize(new URL('http://a/b'), { base: new URL('http://c/') }), 'http://a/b');
  assert.is(canonicalize('x', { base: new URL('http://c/') }), 'http://c/x');
  const nextUrl = { href: 'http://a/', origin: 'http://a', toString: () => 'http://a/' }; // of Next, say
  assert.is(hasher.hash(nextUrl as URL).hex, expected('http://a/'));
});

options('base: relative URLs are resolved against it, by every way in, as whatwg-url does', () => {
  const base = 'https://example.com/a/b?q';
  const urls = ['../c', '?x=1', '#top', '//other.example/', 'http://a/', '', 'http://[', 'mailto:x'];
  const resolved = urls.map((url) => (url === 'http://[' ? 'not a URL' : new ReferenceURL(url, base).href));
  const bytes = Buffer.from(urls.join(''));
  const offsets = Uint32Array.from([0, ...urls.keys()], (_, row) => urls.slice(0, row).join('').length);
  for (const { name } of KERNELS) {
    const hasher = new UrlHasher({ kernel: name, base });
    const wanted = resolved.map((url) => expected(url));
    assert.ok(wanted.filter(Boolean).length === urls.length - 1);
    for (const column of [
      hasher.hashMany(urls),
      hasher.hashLines(Buffer.from(`${urls.join('\n')}\n`)),
      hasher.hashRows(bytes, offsets),
      new UrlHasher({ kernel: name, base: new URL(base) }).hashMany(urls),
    ])
      assert.equal(hexes(column), wanted);
  }
  assert.throws(
    () => new UrlHasher({ base: 'b' }),
    (error: unknown) => error instanceof UrlError && error.argument === 'base' && error.input === 'b',
  );
});

options.run();
