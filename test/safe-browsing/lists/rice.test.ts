import { randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ListError } from '../../../src/safe-browsing/lists/error.ts';
import { decodeIndices, decodeRice, encodeRice, type RiceDeltas } from '../../../src/safe-browsing/lists/rice.ts';
import { random } from '../../seed.ts';
import { errorOf } from '../../thrown.ts';

const test = suite('safe-browsing: Rice deltas');
const next = random();
const LENGTHS = [4, 8, 16, 32] as const;

function deltas(firstValue: bigint, riceParameter: number, entriesCount: number, hex: string): RiceDeltas {
  return { firstValue, riceParameter, entriesCount, encodedData: Buffer.from(hex, 'hex') };
}

const hexOf = (bytes: Uint8Array, length: number) =>
  Buffer.from(bytes)
    .toString('hex')
    .match(new RegExp(`.{${2 * length}}`, 'g'));

// What Chromium's components/safe_browsing/core/browser/db/v5_rice_unittest.cc expects
const KNOWN: readonly [RiceDeltas, readonly string[]][] = [
  [deltas(0x3030_3030n, 3, 2, '22'), ['30303030', '30303031', '30303032']],
  [deltas(0x3030_3030n, 7, 1, '0202'), ['30303030', '30303031']],
  [deltas(0x3030_3030n, 8, 1, '020400'), ['30303030', '30303031']],
  [deltas(489_866_504n, 30, 2, '7400d2971bed497400'), ['1d32c508', '291bc542', 'f7a502e5']],
  [deltas(0n, 26, 1, 'cf7d0000'), ['00000000', '100003ee']],
];

/** Strictly ascending prefixes, packed. */
function ascending(count: number, length: number, isDense: boolean): Buffer {
  const all = Array.from({ length: count }, () => {
    const bytes = randomBytes(length);
    return (isDense ? bytes.fill(0x7f, 0, length - 2) : bytes).toString('hex');
  });
  return Buffer.from([...new Set(all)].sort().join(''), 'hex');
}

/** The definition, bit by bit in a string of digits: an oracle that shares nothing with the reader. */
function decodeByDigits(
  { firstValue, riceParameter, entriesCount, encodedData }: RiceDeltas,
  length: number,
): string[] {
  let digits = Array.from(encodedData, (byte) => [...byte.toString(2).padStart(8, '0')].reverse().join('')).join('');
  const values = [firstValue];
  for (let index = 0; index < entriesCount; index++) {
    const ones = digits.indexOf('0');
    const rest = [...digits.slice(ones + 1, ones + 1 + riceParameter)].reverse().join('');
    values.push(values.at(-1)! + BigInt(ones) * 2n ** BigInt(riceParameter) + BigInt(`0b0${rest}`));
    digits = digits.slice(ones + 1 + riceParameter);
  }
  return values.map((value) => value.toString(16).padStart(2 * length, '0'));
}

test('known answers', () => {
  for (const [encoded, expected] of KNOWN) {
    assert.equal(hexOf(decodeRice(encoded, 4), 4), expected);
    assert.equal(decodeByDigits(encoded, 4), expected);
  }
  assert.equal([...decodeIndices(deltas(5n, 3, 1, '06'))], [5, 8]);
});

for (const length of LENGTHS) {
  test(`${length} bytes: what was encoded is decoded, here and by the definition`, () => {
    for (const count of [1, 2, 3, 100, 1000]) {
      for (const isDense of [false, true]) {
        const packed = ascending(count, length, isDense);
        const encoded = encodeRice(packed, length);
        assert.is(Buffer.from(decodeRice(encoded, length)).toString('hex'), packed.toString('hex'));
        if (count <= 100) assert.equal(decodeByDigits(encoded, length), hexOf(packed, length));
      }
    }
  });

  test(`${length} bytes: spread values take about two bits more than their spread`, () => {
    const packed = ascending(1000, length, false);
    const bitsEach = (8 * encodeRice(packed, length).encodedData.length) / 1000;
    assert.ok(bitsEach < 8 * length - 10 + 2.2, `${bitsEach}`);
  });

  test(`${length} bytes: damaged data give an error or ascending values, and end`, () => {
    let refused = 0;
    for (let trial = 0; trial < 2000; trial++) {
      const encoded = encodeRice(ascending(1 + next(20), length, next(2) === 0), length);
      const encodedData = Uint8Array.from(encoded.encodedData).subarray(0, next(encoded.encodedData.length + 1));
      for (let flips = next(3); flips > 0 && encodedData.length > 0; flips--)
        encodedData[next(encodedData.length)]! ^= 1 << next(8);
      const entriesCount = encoded.entriesCount + next(3) - 1;
      const riceParameter = next(4) === 0 ? next(300) - 20 : encoded.riceParameter;
      try {
        const values = hexOf(decodeRice({ ...encoded, encodedData, entriesCount, riceParameter }, length), length)!;
        assert.is(values.length, entriesCount + 1);
        for (let index = 1; index < values.length; index++) assert.ok(values[index]! >= values[index - 1]!);
      } catch (error) {
        assert.instance(error, ListError);
        refused++;
      }
    }
    assert.ok(refused > 500, `${refused}`);
  });
}

test('a count that the data cannot hold claims no memory, and ones without end stop', () => {
  const reasonOf = (encoded: RiceDeltas, length: 4 | 8 | 16 | 32) =>
    (errorOf(() => decodeRice(encoded, length)) as ListError).reason;
  assert.is(reasonOf(deltas(0n, 3, 2 ** 31 - 1, 'ff'), 4), 'rice-truncated');
  assert.is(reasonOf(deltas(0n, 30, 1, 'ff'.repeat(1000)), 4), 'rice-overflow');
  assert.is(reasonOf(deltas(0n, 254, 1, 'ff'.repeat(1000)), 32), 'rice-overflow');
  assert.is(reasonOf(deltas(0n, 227, 1, 'ff'.repeat(1000)), 32), 'rice-truncated');
  assert.is(reasonOf(deltas(0n, 2, 1, 'ff'), 4), 'rice-parameter');
  assert.is(reasonOf(deltas(0n, 3, -1, 'ff'), 4), 'rice-count');
  assert.is(reasonOf(deltas(2n ** 32n, 3, 0, ''), 4), 'rice-overflow');
});

test.run();
