import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hashes, prefix } from '../../../src/entries/safe-browsing.ts';
import { errorOf } from '../../support/thrown.ts';

const test = suite('safe-browsing: hash prefixes');

test('a prefix has 4 to 32 whole bytes, in memory of its own', () => {
  const [hash] = hashes('http://a.b.c/');
  const four = prefix(hash!, 4);
  assert.equal([...four], [...hash!.subarray(0, 4)]);
  four[0]! ^= 0xff;
  assert.is.not(four[0], hash![0]);
  assert.is(prefix(hash!, 32).length, 32);
});

test('a prefix is of bytes, and not longer than they are', () => {
  for (const hash of [5, 'abcdefgh', [1, 2, 3, 4, 5], null, undefined, new Uint16Array(8)])
    assert.match(String(errorOf(() => prefix(hash as never, 4))), /^TypeError: hash must be a Uint8Array, got/);
  assert.is(String(errorOf(() => prefix(new Uint8Array(8), 16))), 'RangeError: the hash has 8 bytes, fewer than 16');
  for (const width of [0, 3, 33, 4.5, Number.NaN, '4', undefined])
    assert.match(
      String(errorOf(() => prefix(new Uint8Array(32), width as number))),
      /^RangeError: width must be a whole number/,
    );
});

test.run();
