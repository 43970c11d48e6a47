import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileNameOf, fromNi, HashUriError, make, parse, toNi } from '../../src/hash-uri/index.ts';
import { SEED } from '../seed.ts';
import { errorOf } from '../thrown.ts';

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
    { seed: SEED },
  );
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
    [fromNi, `nih:sha-256;${HASH}`, 'not-ni', 'scheme'],
    [fromNi, `ni:/sha-256;${HASH}`, 'not-ni', 'scheme'],
    [fromNi, `ni:///sha-256/${HASH}`, 'not-ni', 'scheme'],
    [fromNi, ` ni:///sha-256;${HASH}`, 'not-ni', 'scheme'],
    [fromNi, `ni:///sha-256;${HASH}#a`, 'not-ni', 'scheme'],
    [fromNi, 'ni:///sha-256-120;f4OxZX_x_FO5LcGBSKHWXQ', 'algorithm-unsupported', 'algorithm'],
    [fromNi, `ni:///sha-512;${HASH}`, 'algorithm-unsupported', 'algorithm'],
    [fromNi, `ni:///sha-256;${HASH}=`, 'hash-malformed', 'hash'],
    [fromNi, 'ni:///sha-256;', 'hash-malformed', 'hash'],
    [fromNi, `ni:///sha-256;${HASH.slice(0, -1)}l`, 'hash-malformed', 'hash'],
    [fromNi, `ni:///sha-256;${HASH}\n`, 'hash-malformed', 'hash'],
  ];
  for (const [work, input, reason, place] of rows) {
    const error = errorOf(() => work(input));
    assert.instance(error, HashUriError, input);
    assert.equal({ ...error }, { name: 'HashUriError', code: 'ERR_INVALID_HASH_URI', input, reason, place }, input);
  }
  assert.is(errorOf(() => toNi(`FA${HASH}`, { authority: 'a/b' })).constructor, RangeError);
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
    assert.is(parse(named)?.hash, HASH, named);
  }
  for (const bad of ['', HASH, `XX${HASH}`, `x.${code}`, `${code}.txt`]) {
    assert.is(errorOf(() => fileNameOf('x', bad)).constructor, RangeError, bad);
  }
});

test.run();
