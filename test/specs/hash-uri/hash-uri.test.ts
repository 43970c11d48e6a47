import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  fileNameOf,
  findCodes,
  fromNi,
  type HashUri,
  HashUriError,
  isPotentialHashUri,
  isPotentialTrustyUri,
  make,
  parse,
  stripExtension,
  toNi,
  toNih,
} from '../../../src/entries/hash-uri.ts';
import { mustBeLinear } from '../../support/linear.ts';
import { cases, halvedCases } from '../../support/seed.ts';
import { errorOf } from '../../support/thrown.ts';

const test = suite('hash-uri');
const HASH = '47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU';
const FA = `FA${HASH}`;
/** The SHA-256 of 'Hello World!', of which RFC 6920 section 8.1 makes its example. */
const HELLO = 'f4OxZX_x_FO5LcGBSKHWXfwtSx-j1ncoSt3SABJtkGk';
const RA = 'RA5AbXdpz5DcaYXCh9l3eI9ruBosiL5XDU3rxBbBaUO70';
const A25 = 'a'.repeat(25);

test('the trusty URI tools strip an extension first, and do not look at the last character', () => {
  const java = { reading: 'java' } as const;
  for (const uri of [FA, `http://e/x.${FA}.nq.gz`, `http://e/x.${FA.slice(0, -1)}V`, `http://e/x.${FA.slice(0, -1)}V.`])
    assert.ok(isPotentialTrustyUri(uri, java), uri);
  for (const uri of ['', `http://e/x.${FA}x`, `http://e/x.XA${HASH}`, `http://e/x.${FA}.${'x'.repeat(21)}`, `${FA}#p`])
    assert.not(isPotentialTrustyUri(uri, java), uri);
  assert.throws(
    () => isPotentialTrustyUri(FA, { reading: 'python' as never }),
    /^reading must be one of specification, /,
  );
});

/** Undefined where it is not a potential hash-URI, which `parse` throws and `isPotentialHashUri` tells. */
function parsed(uri: string): HashUri | undefined {
  const isOne = isPotentialHashUri(stripExtension(uri));
  try {
    const parts = parse(uri);
    assert.ok(isOne, uri);
    return parts;
  } catch (error) {
    if (!(error instanceof HashUriError)) throw error;
    assert.equal([error.reason, error.place, error.input, isOne], ['not-a-hash-uri', 'code', uri, false]);
    return undefined;
  }
}

test('agrees with one regular expression on any text', () => {
  const whole = /^(?:[\s\S]*[^A-Za-z0-9_-])?([A-Za-z0-9_-]{25,})(\.[A-Za-z0-9_.-]{0,20})?$/;
  const piece = fc.oneof(fc.constantFrom('.', '.nq', '.gz', '/', '#', '..', FA, A25, A25.slice(1)), fc.string());
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
      const uri = pieces.join('');
      const found = whole.exec(uri);
      const parts = parsed(uri);
      assert.equal(
        parts && [parts.identifier + parts.data, parts.extension],
        found === null ? undefined : [found[1], found[2]],
      );
    }),
    { numRuns: halvedCases(4_000) },
  );
});

test('codes are found before a suffix, and where they are', () => {
  assert.equal(findCodes(`http://example.org/r2.${RA}#Part1`), [{ code: RA, module: 'RA', position: 22 }]);
  assert.equal(
    findCodes(`<${FA}> ${RA}/x.${FA}.txt`).map(({ code, position }) => [code, position]),
    [
      [FA, 1],
      [RA, 48],
      [FA, 96],
    ],
  );
  for (const text of ['', `${FA}x`, `x${FA}`, FA.slice(1), `XA${HASH}`, `http://e/${A25}`])
    assert.equal(findCodes(text), [], text);
});

test('the example of RFC 6920 section 8.1, both ways', () => {
  assert.is(toNi(`http://e/x.FA${HELLO}`, { authority: 'example.com' }), `ni://example.com/sha-256;${HELLO}`);
  assert.is(toNi(`x.FA${HELLO}.txt`), `ni:///sha-256;${HELLO}`);
  assert.is(fromNi(`ni:///sha-256;${HELLO}`), `FA${HELLO}`);
  assert.is(fromNi(`NI://example.com/sha-256;${HELLO}?ct=text/plain`), `FA${HELLO}`);
});

test('fromNi(toNi(code)) is the code of any content', () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.webAuthority(), (content, authority) => {
      const code = make('', content);
      assert.is(fromNi(toNi(code)), code);
      assert.is(fromNi(toNi(`http://e/${code}.nq.gz`, { authority })), code);
    }),
    { numRuns: cases(100) },
  );
});

// section 8.2 of RFC 6920 has this digest, shortened to 120 bits, as nih:sha-256-120;5326-9057-…;f
const HEX = '7f83b1657ff1fc53b92dc18148a1d65dfc2d4b1fa3d677284addd200126d9069';
const NIH = `nih:sha-256;${HEX.match(/..../g)!.join('-')};d`;

test('nih URIs, both ways: the check digit is Luhn modulo 16, and hyphens and case are for the eye', () => {
  assert.is(toNih(`http://e/x.FA${HELLO}.txt`), NIH);
  for (const nih of [
    NIH,
    NIH.toUpperCase(),
    `nih:sha-256;${HEX}`,
    `nih:1;${HEX};D`,
    `nih:SHA-256;7f-8${NIH.slice(15)}`,
  ])
    assert.is(fromNi(nih), `FA${HELLO}`, nih);
  fc.assert(
    fc.property(fc.uint8Array(), fc.nat(63), fc.integer({ min: 1, max: 15 }), (content, at, change) => {
      const code = make('', content);
      const nih = toNih(code);
      assert.is(fromNi(nih), code);
      const hex = nih.slice('nih:sha-256;'.length, -2).replaceAll('-', '');
      const wrong = (Number.parseInt(hex[at]!, 16) ^ change).toString(16);
      const spoiled = `nih:sha-256;${hex.slice(0, at)}${wrong}${hex.slice(at + 1)}${nih.slice(-2)}`;
      assert.is((errorOf(() => fromNi(spoiled)) as HashUriError).reason, 'check-digit', `one digit of ${nih}`);
    }),
    { numRuns: cases(100) },
  );
});

test('what stands under /.well-known/ni, and names of algorithms in upper case', () => {
  for (const ni of [
    `http://example.com/.well-known/ni/sha-256/${HELLO}`,
    `HTTPS://example.com:8080/.well-known/ni/SHA-256/${HELLO}?ct=text/plain`,
    `/.well-known/ni/sha-256/${HELLO}`,
    `ni:///SHA-256;${HELLO}`,
  ])
    assert.is(fromNi(ni), `FA${HELLO}`, ni);
});

test('what has no equal in the other notation', () => {
  const rows: readonly (readonly [work: (input: string) => unknown, input: string, reason: string, place: string])[] = [
    [toNi, '', 'not-a-hash-uri', 'code'],
    [toNi, `x.FA${HELLO}#p`, 'not-a-hash-uri', 'code'],
    [toNi, `RA${HELLO}`, 'module-without-bytes', 'module'],
    [toNi, 'a'.repeat(45), 'module-without-bytes', 'module'],
    [toNi, `FA${HELLO}A`, 'hash-malformed', 'hash'],
    [toNi, `FA${HELLO.slice(0, -1)}l`, 'hash-malformed', 'hash'],
    [fromNi, '', 'not-ni', 'scheme'],
    [fromNi, `nih:sha-256;${HELLO}`, 'hash-malformed', 'hash'],
    [fromNi, `ni:/sha-256;${HELLO}`, 'not-ni', 'scheme'],
    [fromNi, `ni:///sha-256/${HELLO}`, 'not-ni', 'scheme'],
    [fromNi, ` ni:///sha-256;${HELLO}`, 'not-ni', 'scheme'],
    [fromNi, `ni:///sha-256;${HELLO}#a`, 'not-ni', 'scheme'],
    [fromNi, 'ni:///sha-256-120;f4OxZX_x_FO5LcGBSKHWXQ', 'algorithm-unsupported', 'algorithm'],
    [fromNi, `ni:///sha-512;${HELLO}`, 'algorithm-unsupported', 'algorithm'],
    [fromNi, `ni:///sha-256;${HELLO}=`, 'hash-malformed', 'hash'],
    [fromNi, 'ni:///sha-256;', 'hash-malformed', 'hash'],
    [fromNi, `ni:///sha-256;${HELLO.slice(0, -1)}l`, 'hash-malformed', 'hash'],
    [fromNi, `ni:///1;${HELLO}`, 'algorithm-unsupported', 'algorithm'],
    [fromNi, 'nih:sha-256-120;5326-9057-e12f-e2b7-4ba0-7c89-2560-a2;f', 'algorithm-unsupported', 'algorithm'],
    [fromNi, 'nih:3;532690-57e12f-e2b74b-a07c89-2560a2;f', 'algorithm-unsupported', 'algorithm'],
    [fromNi, `nih:sha-256;${HEX};e`, 'check-digit', 'hash'],
    [fromNi, `nih:sha-256;${HEX};`, 'check-digit', 'hash'],
    [fromNi, `nih:sha-256;${HEX}0`, 'hash-malformed', 'hash'],
    [fromNi, `nih:sha-256;${HEX};d;d`, 'not-ni', 'scheme'],
    [fromNi, `/.well-known/ni/sha-256/${HELLO}/`, 'not-ni', 'scheme'],
    [fromNi, `/x/.well-known/ni/sha-256/${HELLO}`, 'not-ni', 'scheme'],
    [fromNi, `ftp://e/.well-known/ni/sha-256/${HELLO}`, 'not-ni', 'scheme'],
    [toNih, `RA${HELLO}`, 'module-without-bytes', 'module'],
    [toNih, 'x', 'not-a-hash-uri', 'code'],
    [fromNi, `ni:///sha-256;${HELLO}\n`, 'hash-malformed', 'hash'],
  ];
  for (const [work, input, reason, place] of rows) {
    const error = errorOf(() => work(input));
    assert.instance(error, HashUriError, input);
    assert.equal({ ...error }, { name: 'HashUriError', code: 'ERR_INVALID_HASH_URI', input, reason, place }, input);
  }
  assert.is(errorOf(() => toNi(`FA${HELLO}`, { authority: 'a/b' })).constructor, RangeError);
  assert.match(
    errorOf(() => toNi(`FA${HELLO}`, { authority: 'a b' })).message,
    /^authority must not contain .*, got "a b"$/,
  );
  assert.is(errorOf(() => toNi(`FA${HELLO}`, { host: 'a' } as never)).constructor, RangeError);
  assert.is(errorOf(() => fromNi(undefined as never)).constructor, TypeError);
  assert.ok(errorOf(() => toNi('é'.repeat(1 << 20))).message.length < 500);
});

test('a file is named as the tools name it', () => {
  const code = `FA${HELLO}`;
  const rows: readonly (readonly [name: string, named: string])[] = [
    ['file1.txt', `file1.${code}.txt`],
    ['file1', `file1.${code}`],
    ['a.tar.gz', `a.tar.${code}.gz`],
    ['.profile', `.profile.${code}`],
    ['.a.b', `.a.${code}.b`],
    ['a..b', `a.${code}.b`],
    ['a.', `a.${code}.`],
    ['', code],
    ['some.folder/x', `some.folder/x.${code}`],
    ['some.folder/x.y', `some.folder/x.${code}.y`],
    ['folder/.x', `folder/.x.${code}`],
    ['a.b c', `a.b c.${code}`],
    [`a.${'x'.repeat(20)}`, `a.${code}.${'x'.repeat(20)}`],
    [`a.${'x'.repeat(21)}`, `a.${'x'.repeat(21)}.${code}`],
  ];
  for (const [name, named] of rows) {
    assert.is(fileNameOf(name, code), named);
    assert.is(parse(named).hash, HELLO, named);
  }
  for (const bad of ['', HELLO, `XX${HELLO}`, `x.${code}`, `${code}.txt`]) {
    assert.is(errorOf(() => fileNameOf('x', bad)).constructor, RangeError, bad);
    assert.match(
      errorOf(() => fileNameOf('x', bad)).message,
      /^code must be 45 Base64 characters that begin with FA, RA or RB, got "/,
    );
  }
});

test('long URIs take linear time', () => {
  const run = 'a'.repeat(1 << 17);
  assert.is(parse(run).data.length, (1 << 17) - 2);
  assert.is(parsed(`${'.'.repeat(1 << 17)}!`), undefined);
  assert.is(parse(`${run}${'.'.repeat(21)}`).extension, '.'.repeat(21));
  assert.equal(findCodes(run), []);
  assert.is(findCodes(`${FA} `.repeat(1 << 12)).length, 1 << 12);
  mustBeLinear('letters', (length) => 'a'.repeat(length), parse);
  mustBeLinear('dots', (length) => `${'.'.repeat(length)}!`, parsed);
  mustBeLinear('dots after letters', (length) => `${'a'.repeat(length)}${'.'.repeat(length)}`, parsed);
  mustBeLinear('codes in letters', (length) => 'a'.repeat(length), findCodes);
  mustBeLinear('codes', (length) => `${FA} `.repeat(length / 32), findCodes);
});

test.run();
