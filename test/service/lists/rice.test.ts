import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  decodeIndices,
  decodeRice,
  encodeIndices,
  encodeRice,
  type RiceDeltas,
  type RiceWidth,
} from '../../../src/service/lists/rice.ts';
import { ListError } from '../../../src/service/lists/sorted-prefixes.ts';
import { halvedCases, random, randomBytes } from '../../support/seed.ts';
import { errorOf, mustRefuse } from '../../support/thrown.ts';

const test = suite('safe-browsing: Rice deltas');
const next = random();
const DAMAGED_COUNT = halvedCases(1000);
const LENGTHS = [4, 8, 16, 32] as const;

function deltas(firstValue: bigint, riceParameter: number, entriesCount: number, hex: string): RiceDeltas {
  return { firstValue, riceParameter, entriesCount, encodedData: Buffer.from(hex, 'hex') };
}

const sha256 = (text: string) => createHash('sha256').update(text).digest();

const hexOf = (bytes: Uint8Array, length: number) =>
  Buffer.from(bytes)
    .toString('hex')
    .match(new RegExp(`.{${2 * length}}`, 'g'));

const FIRST_64 = 2_103_960_615_330_909_784n;
const FIRST_128 = (FIRST_64 << 64n) | 17_417_795_843_993_004_048n;
const FIRST_256 = (FIRST_128 << 128n) | (12_442_768_094_943_213_214n << 64n) | 10_311_063_094_514_325_004n;

// What Chromium's components/safe_browsing/core/browser/db/v5_rice_unittest.cc expects
const KNOWN: readonly [width: RiceWidth, RiceDeltas, readonly string[]][] = [
  [4, deltas(0x3030_3030n, 3, 2, '22'), ['30303030', '30303031', '30303032']],
  [4, deltas(0x3030_3030n, 7, 2, '0202'), ['30303030', '30303031', '30303032']],
  [4, deltas(0x3030_3030n, 8, 2, '020400'), ['30303030', '30303031', '30303032']],
  [4, deltas(0x1d7d_1d75n, 30, 2, 'f14e0833eb16a64100'), ['1d7d1d75', '6a3f3131', 'f273f40e']],
  [4, deltas(489_866_504n, 30, 2, '7400d2971bed497400'), ['1d32c508', '291bc542', 'f7a502e5']],
  [4, deltas(0n, 26, 1, 'cf7d0000'), ['00000000', '100003ee']],
  [
    8,
    deltas(FIRST_64, 62, 2, 'ea8dcda97300d297cb63717b1aed497400'),
    ['1d32c5084a360e58', '291bc5421f1cd54d', 'f7a502e56e8b01c6'],
  ],
  [
    16,
    deltas(FIRST_128, 126, 2, '52f5d8db98b6ee4fe98dcda97300d2978308fd05faf6a213ca63717b1aed497400'),
    ['1d32c5084a360e58f1b87109637a6810', '291bc5421f1cd54d99afcc55d166e2b9', 'f7a502e56e8b01c6dc242b35122683c9'],
  ],
  [
    32,
    deltas(
      FIRST_256,
      254,
      2,
      `a0e3f706c0b3771da4cac3878f5929a352f5d8db98b6ee4fe98dcda97300d297${'3b396674979eb7b03d8d4ece571cd6a07e08fd05faf6a213ca63717b1aed497400'}`,
    ),
    [
      '1d32c5084a360e58f1b87109637a6810acad97a861a7769e8f1841410d2a960c',
      '291bc5421f1cd54d99afcc55d166e2b9fe42447025895bf09dd41b2110a687dc',
      'f7a502e56e8b01c6dc242b35122683c9d25d07fb1f532d9853eb0ef3ff334f03',
    ],
  ],
];

/** Strictly ascending prefixes, packed. */
function ascending(count: number, length: number, isDense: boolean): Buffer {
  const all = Array.from({ length: count }, () => {
    const bytes = Buffer.from(randomBytes(next, length));
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
  for (const [length, encoded, expected] of KNOWN) {
    assert.equal(hexOf(decodeRice(encoded, length), length), expected);
    assert.equal(decodeByDigits(encoded, length), expected);
  }
  assert.equal([...decodeIndices(deltas(5n, 3, 1, '06'))], [5, 8]);
});

test('the 32-bit answer has the expressions that Google names: b, a and y.example.com/', () => {
  const listed = ['b', 'a', 'y'].map((host) => sha256(`${host}.example.com/`).subarray(0, 4).toString('hex'));
  assert.equal(listed, KNOWN[4]![2]);
});

// google/safebrowsing, hash_test.go: distances alone, which here follow a first number of zero
const V4_DISTANCES: readonly [k: number, hex: string, distances: readonly number[]][] = [
  [
    28,
    '54607be70a5fc1dcee69defe583ca3d6a5f2108c4a595600',
    [62763050, 1046523781, 192522171, 1800511020, 4442775, 582142548],
  ],
  [
    28,
    '21c50291f982d757b8e93cf0c84fe8648d776204d6853f1c9700041b17c6',
    [339784008, 263128563, 63871877, 69723256, 826001074, 797300228, 671166008, 207712688],
  ],
];

test('known answers of version 4: distances of indices', () => {
  for (const [k, hex, distances] of V4_DISTANCES) {
    let sum = 0;
    const expected = [0, ...distances.map((distance) => (sum += distance))];
    assert.equal([...decodeIndices(deltas(0n, k, distances.length, hex))], expected);
  }
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
    for (let trial = 0; trial < DAMAGED_COUNT; trial++) {
      const encoded = encodeRice(ascending(1 + next(20), length, next(2) === 0), length);
      const encodedData = Uint8Array.from(encoded.encodedData).subarray(0, next(encoded.encodedData.length + 1));
      for (let flips = next(3); flips > 0 && encodedData.length > 0; flips--)
        encodedData[next(encodedData.length)]! ^= 1 << next(8);
      const entriesCount = encoded.entriesCount + next(3) - 1;
      const riceParameter = next(4) === 0 ? next(300) - 20 : encoded.riceParameter;
      try {
        const values = hexOf(decodeRice({ ...encoded, encodedData, entriesCount, riceParameter }, length), length)!;
        assert.is(values.length, entriesCount + 1);
        assert.equal(values, decodeByDigits({ ...encoded, encodedData, entriesCount, riceParameter }, length));
        for (let index = 1; index < values.length; index++) assert.ok(values[index]! > values[index - 1]!);
      } catch (error) {
        assert.instance(error, ListError);
        refused++;
      }
    }
    assert.ok(refused > DAMAGED_COUNT / 4, `${refused}`);
  });
}

test('a count that the data cannot hold claims no memory, and a run of ones without end is stopped', () => {
  const reasonOf = (encoded: RiceDeltas, length: 4 | 8 | 16 | 32) =>
    (errorOf(() => decodeRice(encoded, length)) as ListError).reason;
  assert.is(reasonOf(deltas(0n, 3, 2 ** 31 - 1, 'ff'), 4), 'rice-truncated');
  assert.is(reasonOf(deltas(0n, 30, 1, 'ff'.repeat(1000)), 4), 'rice-overflow');
  assert.is(reasonOf(deltas(0n, 254, 1, 'ff'.repeat(1000)), 32), 'rice-overflow');
  assert.is(reasonOf(deltas(0n, 227, 1, 'ff'.repeat(1000)), 32), 'rice-truncated');
  assert.is(reasonOf(deltas(0n, 2, 1, 'ff'), 4), 'rice-parameter');
  assert.is(reasonOf(deltas(0n, 3, -1, 'ff'), 4), 'rice-count');
  assert.is(reasonOf(deltas(0n, 3, 0.5, 'ff'), 4), 'rice-count');
  assert.is(reasonOf(deltas(0n, 3.5, 1, 'ff'), 4), 'rice-parameter');
  assert.is(reasonOf(deltas(2n ** 32n, 3, 0, ''), 4), 'rice-overflow');
  assert.is(reasonOf(deltas(-1n, 3, 0, ''), 4), 'rice-overflow');
  assert.is(reasonOf(deltas(0n, 3, 1, '00'), 4), 'repeated-entry');
});

for (const length of LENGTHS) {
  const bits = 8 * length;
  const [least, most] = [bits - 29, bits - 2];

  test(`${length} bytes: the limits of numbers, parameters and quotients`, () => {
    const end = 2n ** BigInt(bits);
    const pair = (first: bigint, second: bigint) =>
      Buffer.from([first, second].map((value) => value.toString(16).padStart(2 * length, '0')).join(''), 'hex');
    for (const [first, second] of [
      [0n, end - 1n],
      [0n, 1n],
      [end - 2n, end - 1n],
      [2n ** 32n - 1n - (length === 4 ? 1n : 0n), length === 4 ? 2n ** 32n - 1n : 2n ** 32n], // a carry through a limb
    ] as const) {
      const packed = pair(first, second);
      assert.equal(decodeRice(encodeRice(packed, length), length), new Uint8Array(packed), `${first} ${second}`);
    }
    const one = deltas(end - 1n, least, 1, `02${'00'.repeat(length)}`); // a distance of one
    assert.is((errorOf(() => decodeRice(one, length)) as ListError).reason, 'rice-overflow');
    assert.is(decodeRice({ ...one, firstValue: end - 2n }, length).length, 2 * length);
    for (const riceParameter of [least - 1, most + 1, 0, -1]) {
      const error = errorOf(() => decodeRice({ ...one, riceParameter }, length)) as ListError;
      assert.is(error.reason, 'rice-parameter', `${riceParameter}`);
      assert.is(error.place, 'additions');
    }
    const four = deltas(0n, most, 1, `0f${'00'.repeat(length)}`); // the quotient 4 of two bits
    assert.is((errorOf(() => decodeRice(four, length)) as ListError).reason, 'rice-overflow');
    const three = decodeRice({ ...four, encodedData: Buffer.from(`07${'00'.repeat(length)}`, 'hex') }, length);
    assert.is(three[length], 0xc0);
  });
}

test('indices are encoded and decoded, at both ends of their range', () => {
  for (const indices of [
    [0],
    [0, 1, 2],
    [5, 0xffff_fffe, 0xffff_ffff],
    Array.from({ length: 5000 }, (_, row) => 7 * row),
  ])
    assert.equal(decodeIndices(encodeIndices(Uint32Array.from(indices))), Uint32Array.from(indices));
});

test('what cannot be encoded or decoded is refused', async () => {
  const any = (value: unknown) => value as never;
  const one = { firstValue: 1n, riceParameter: 3, entriesCount: 0, encodedData: new Uint8Array(0) };
  await mustRefuse([
    [() => encodeRice(new Uint8Array(0), 4), 'RangeError: there is no prefix to encode'],
    [() => encodeRice(new Uint8Array(8), any(5)), 'RangeError: width must be one of 4, 8, 16, 32, got 5'],
    [() => encodeRice(any([1, 2, 3, 4]), 4), 'TypeError: prefixes must be a Uint8Array, got Array'],
    [() => encodeRice(Buffer.alloc(8), 4), 'ListError: additions: the prefixes of 4 bytes do not ascend, each once'],
    [() => encodeRice(Buffer.of(0, 0, 0, 2, 0, 0, 0, 1), 4), 'ListError: additions: the prefixes of 4 bytes do not…'],
    [() => encodeRice(Buffer.alloc(7), 4), 'ListError: additions: prefixes of 4 bytes do not fill 7 bytes'],
    [() => decodeRice(any(undefined), 4), 'TypeError: deltas must be an object, got undefined'],
    [() => decodeRice(any(null), 4), 'TypeError: deltas must be an object, got null'],
    [() => decodeRice(any({}), 4), 'TypeError: deltas.firstValue must be a bigint, got undefined'],
    [() => decodeRice({ ...one, firstValue: any(1) }, 4), 'TypeError: deltas.firstValue must be a bigint, got number'],
    [
      () => decodeRice({ ...one, riceParameter: any('3') }, 4),
      'TypeError: deltas.riceParameter must be a number, got…',
    ],
    [() => decodeRice({ ...one, entriesCount: any(1n) }, 4), 'TypeError: deltas.entriesCount must be a number, got…'],
    [() => decodeRice({ ...one, encodedData: any([]) }, 4), 'TypeError: deltas.encodedData must be a Uint8Array, got…'],
  ]);
  assert.equal(decodeRice(one, 4), Uint8Array.of(0, 0, 0, 1));
});

test.run();
