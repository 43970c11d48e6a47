import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileNameOf, fromNi, HashUriError, make, parse, toNi, toNih } from '../../../src/entries/hash-uri.ts';
import { cases } from '../../support/seed.ts';
import { errorOf } from '../../support/thrown.ts';

const test = suite('hash-uri: ni URIs and file names');
const HASH = 'f4OxZX_x_FO5LcGBSKHWXfwtSx-j1ncoSt3SABJtkGk';

test('the example of RFC 6920 section 8.1, both ways', () => {
  assert.is(toNi(`http://e/x.FA${HASH}`, { authority: 'example.com' }), `ni://example.com/sha-256;${HASH}`);
  assert.is(toNi(`x.FA${HASH}.txt`), `ni:///sha-256;${HASH}`);
  assert.is(fromNi(`ni:///sha-256;${HASH}`), `FA${HASH}`);
  assert.is(fromNi(`NI://example.com/sha-256;${HASH}?ct=text/plain`), `FA${HASH}`);
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
  assert.is(toNih(`http://e/x.FA${HASH}.txt`), NIH);
  for (const nih of [
    NIH,
    NIH.toUpperCase(),
    `nih:sha-256;${HEX}`,
    `nih:1;${HEX};D`,
    `nih:SHA-256;7f-8${NIH.slice(15)}`,
  ])
    assert.is(fromNi(nih), `FA${HASH}`, nih);
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
    `http://example.com/.well-known/ni/sha-256/${HASH}`,
    `HTTPS://example.com:8080/.well-known/ni/SHA-256/${HASH}?ct=text/plain`,
    `/.well-known/ni/sha-256/${HASH}`,
    `ni:///SHA-256;${HASH}`,
  ])
    assert.is(fromNi(ni), `FA${HASH}`, ni);
});

test('what has no equal in the other notation', () => {
  const rows: readonly (readonly [work: (input: string) => unknown, input: string, reason: string, place: string])[] = [
    [toNi, '', 'not-a-hash-uri', 'code'],
    [toNi, `x.FA${HASH}#p`, 'not-a-hash-uri', 'code'],
    [toNi, `RA${HASH}`, 'module-without-bytes', 'module'],
    [toNi, 'a'.repeat(45), 'module-without-bytes', 'module'],
    [toNi, `FA${HASH}A`, 'hash-malformed', 'hash'],
    [toNi, `FA${HASH.slice(0, -1)}l`, 'hash-malformed', 'hash'],
    [fromNi, '', 'not-ni', 'scheme'],
    [fromNi, `nih:sha-256;${HASH}`, 'hash-malformed', 'hash'],
    [fromNi, `ni:/sha-256;${HASH}`, 'not-ni', 'scheme'],
    [fromNi, `ni:///sha-256/${HASH}`, 'not-ni', 'scheme'],
    [fromNi, ` ni:///sha-256;${HASH}`, 'not-ni', 'scheme'],
    [fromNi, `ni:///sha-256;${HASH}#a`, 'not-ni', 'scheme'],
    [fromNi, 'ni:///sha-256-120;f4OxZX_x_FO5LcGBSKHWXQ', 'algorithm-unsupported', 'algorithm'],
    [fromNi, `ni:///sha-512;${HASH}`, 'algorithm-unsupported', 'algorithm'],
    [fromNi, `ni:///sha-256;${HASH}=`, 'hash-malformed', 'hash'],
    [fromNi, 'ni:///sha-256;', 'hash-malformed', 'hash'],
    [fromNi, `ni:///sha-256;${HASH.slice(0, -1)}l`, 'hash-malformed', 'hash'],
    [fromNi, `ni:///1;${HASH}`, 'algorithm-unsupported', 'algorithm'],
    [fromNi, 'nih:sha-256-120;5326-9057-e12f-e2b7-4ba0-7c89-2560-a2;f', 'algorithm-unsupported', 'algorithm'],
    [fromNi, 'nih:3;532690-57e12f-e2b74b-a07c89-2560a2;f', 'algorithm-unsupported', 'algorithm'],
    [fromNi, `nih:sha-256;${HEX};e`, 'check-digit', 'hash'],
    [fromNi, `nih:sha-256;${HEX};`, 'check-digit', 'hash'],
    [fromNi, `nih:sha-256;${HEX}0`, 'hash-malformed', 'hash'],
    [fromNi, `nih:sha-256;${HEX};d;d`, 'not-ni', 'scheme'],
    [fromNi, `/.well-known/ni/sha-256/${HASH}/`, 'not-ni', 'scheme'],
    [fromNi, `/x/.well-known/ni/sha-256/${HASH}`, 'not-ni', 'scheme'],
    [fromNi, `ftp://e/.well-known/ni/sha-256/${HASH}`, 'not-ni', 'scheme'],
    [toNih, `RA${HASH}`, 'module-without-bytes', 'module'],
    [toNih, 'x', 'not-a-hash-uri', 'code'],
    [fromNi, `ni:///sha-256;${HASH}\n`, 'hash-malformed', 'hash'],
  ];
  for (const [work, input, reason, place] of rows) {
    const error = errorOf(() => work(input));
    assert.instance(error, HashUriError, input);
    assert.equal({ ...error }, { name: 'HashUriError', code: 'ERR_INVALID_HASH_URI', input, reason, place }, input);
  }
  assert.is(errorOf(() => toNi(`FA${HASH}`, { authority: 'a/b' })).constructor, RangeError);
  assert.match(
    errorOf(() => toNi(`FA${HASH}`, { authority: 'a b' })).message,
    /^authority must not contain .*, got "a b"$/,
  );
  assert.is(errorOf(() => toNi(`FA${HASH}`, { host: 'a' } as never)).constructor, RangeError);
  assert.is(errorOf(() => fromNi(undefined as never)).constructor, TypeError);
  assert.ok(errorOf(() => toNi('é'.repeat(1 << 20))).message.length < 500);
});

test('a file is named as the tools name it', () => {
  const code = `FA${HASH}`;
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
    assert.is(parse(named).hash, HASH, named);
  }
  for (const bad of ['', HASH, `XX${HASH}`, `x.${code}`, `${code}.txt`]) {
    assert.is(errorOf(() => fileNameOf('x', bad)).constructor, RangeError, bad);
    assert.match(
      errorOf(() => fileNameOf('x', bad)).message,
      /^code must be 45 Base64 characters that begin with FA, RA or RB, got "/,
    );
  }
});

test.run();
