import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { HashList } from '../../../src/entries/safe-browsing/lists.ts';
import { ExpressionHasher, hashes, ListError, PrefixSet, prefix } from '../../../src/entries/safe-browsing.ts';
import { HeadIndex } from '../../../src/service/lists/prefix-set.ts';
import { random, randomBytes, SCALE } from '../../support/seed.ts';
import { errorOf, mustRefuse } from '../../support/thrown.ts';

const test = suite('safe-browsing: PrefixSet');
const next = random();

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/** Packed prefixes of so few different bytes that heads, tails and whole prefixes repeat. */
function crowdedPrefixes(count: number, length: number): Uint8Array {
  return Uint8Array.from({ length: count * length }, () => [0x00, 0x7f, 0x80, 0xff][next(4)]!);
}

function pieces(bytes: Uint8Array, length: number): string[] {
  return Array.from({ length: bytes.length / length }, (_, row) =>
    hex(bytes.subarray(row * length, (row + 1) * length)),
  );
}

test('holds what a Set of hex strings holds, for every length, crowded and spread', () => {
  for (let length = 4; length <= 32; length++) {
    for (const bytes of [crowdedPrefixes(500, length), randomBytes(next, 500 * length)]) {
      const set = PrefixSet.from(bytes, length);
      const expected = new Set(pieces(bytes, length));
      assert.is(set.size, expected.size, `length ${length}`);
      for (const each of expected) assert.ok(set.has(Buffer.from(each, 'hex')), each);
      for (const probe of pieces(crowdedPrefixes(300, 32), 32)) {
        assert.is(set.has(Buffer.from(probe, 'hex')), expected.has(probe.slice(0, 2 * length)), `${length} ${probe}`);
      }
    }
  }
});

test('the order of the prefixes does not matter, and their memory remains the caller’s', () => {
  for (const length of [4, 5, 16, 32]) {
    const bytes = crowdedPrefixes(400, length);
    const sorted = Buffer.from([...new Set(pieces(bytes, length))].sort().join(''), 'hex');
    const before = hex(bytes);
    const set = PrefixSet.from(bytes, length);
    assert.is(hex(bytes), before);
    assert.equal(set.toBytes(), PrefixSet.from(sorted, length).toBytes());
    assert.is(hex(set.toBytes().subarray(-sorted.length)), sorted.toString('hex'));
    bytes.fill(0);
    assert.is(hex(set.toBytes().subarray(-sorted.length)), sorted.toString('hex'));
  }
});

test('an empty set has nothing', () => {
  const set = PrefixSet.from(new Uint8Array(0), 4);
  assert.is(set.size, 0);
  assert.not(set.has(new Uint8Array(32)));
  for (const width of [4, 9]) {
    const read = PrefixSet.fromBytes(PrefixSet.from(new Uint8Array(0), width).toBytes());
    assert.equal([read.size, read.width], [0, width]);
  }
});

test('its bytes are those of a list, and are read as one', () => {
  for (const width of [4, 7, 32]) {
    const bytes = crowdedPrefixes(300, width);
    const [set, list] = [PrefixSet.from(bytes, width), HashList.from(bytes, width)];
    assert.equal(set.toBytes(), list.toBytes());
    const named = HashList.from(bytes, width, { name: 'ours', profile: 'web-risk' });
    for (const written of [set.toBytes(), named.toBytes()]) {
      const read = PrefixSet.fromBytes(written);
      assert.equal([read.width, read.size, hex(read.toBytes())], [width, set.size, hex(set.toBytes())]);
    }
  }
  assert.is(PrefixSet.fromBytes(HashList.empty().toBytes()).size, 0);
});

test('a list of several widths is refused with a sentence', () => {
  const groups = [4, 8].map((width) => ({ width, prefixes: randomBytes(next, width) }));
  const several = errorOf(() => PrefixSet.fromBytes(HashList.from(groups).toBytes()));
  assert.instance(several, ListError);
  assert.is(several.message, 'file: not a prefix set: its prefixes have 4 and 8 bytes; use HashList');
});

test('finds heads that are spread unevenly: all in one bucket, and at both ends', () => {
  const clustered = Uint32Array.from({ length: 5000 }, (_, index) => 0x8000_0000 + 3 * index);
  const heads = Uint32Array.of(0, 1, ...clustered, 0xffff_fffe, 0xffff_ffff);
  const index = new HeadIndex(heads);
  for (const [at, head] of heads.entries()) assert.is(index.indexOf(head), at);
  for (const head of [2, 0x7fff_ffff, 0x8000_0001, 0xffff_fffd]) assert.is(index.indexOf(head), -1);
});

test('matches the rows of a column, and says which expressions', () => {
  const list = hashes('http://evil.example/a/').map((hash) => prefix(hash, 4));
  const set = PrefixSet.from(Buffer.concat(list), 4);
  const urls = ['http://good.example/', 'no host:', 'http://evil.example/a/b?c', 'http://evil.example/'];
  const column = new ExpressionHasher().hashMany(urls);
  assert.equal([...set.matches(column)], [2, 3]);
  assert.equal(set.matchesOf(2), [2, 3]);
  assert.equal(set.matchesOf(0), []);
  assert.equal(set.matchesOf(1), []);
  assert.equal(set.matchesOf(99), []);
  assert.equal(PrefixSet.from(Buffer.concat(list), 4).matchesOf(3, column), [0]);
});

test('refuses what would read as safe', async () => {
  const set = PrefixSet.from(new Uint8Array(8), 8);
  const column = new ExpressionHasher({ width: 4 }).hashMany(['http://a.example/']);
  await mustRefuse([
    ...[0, 4, 7, 9, 31, 33].map((length) => {
      return [
        () => set.has(new Uint8Array(length)),
        `RangeError: hash must have 32 or 8 bytes, got ${length}`,
      ] as const;
    }),
    [() => set.has('00000000' as never), 'TypeError: hash must be a Uint8Array, got string'],
    [() => set.matches(column), "RangeError: the column's hashes have 4 bytes, fewer than 8"],
    [() => set.matchesOf(0), 'RangeError: matchesOf needs a column, or a call of matches before it'],
    [() => PrefixSet.from(new Uint8Array(9), 8), 'RangeError: prefixes must be whole: 9 bytes are not a multiple of 8'],
    ...[3, 33, 4.5].map((length) => {
      return [() => PrefixSet.from(new Uint8Array(0), length), 'RangeError: width must be a whole number of…'] as const;
    }),
  ]);
});

test('what is not a column, and a row that is not a number', async () => {
  const column = new ExpressionHasher({ width: 8 }).hashMany(['http://good.example/']);
  const set = PrefixSet.from(Uint8Array.of(1, 2, 3, 4), 4);
  const list = HashList.from(Uint8Array.of(1, 2, 3, 4), 4);
  for (const [wrong, kind] of [
    [undefined, 'undefined'],
    [null, 'null'],
    [5n, 'bigint'],
    ['http://good.example/', 'string'],
    [['http://good.example/'], 'Array'],
    [{ bytes: new Uint8Array(0) }, 'Object'],
    [{ ...column, length: undefined }, 'Object'],
  ] as const) {
    const given = wrong as never;
    const works: (() => unknown)[] = [
      () => list.matches(given),
      () => list.matchesOf(0, given),
      () => set.matches(given),
    ];
    if (wrong !== undefined) works.push(() => set.matchesOf(0, given));
    await mustRefuse(
      works.map((work) => [work, `TypeError: column must be an ExpressionColumn, got ${kind}`] as const),
    );
  }
  for (const [wrong, kind] of [
    [1n, 'bigint'],
    [Symbol('0'), 'symbol'],
    ['0', 'string'],
    [undefined, 'undefined'],
  ] as const) {
    const row = wrong as never;
    const works = [
      () => column.at(row),
      () => column.hex(row),
      () => column.errorAt(row),
      () => list.matchesOf(row, column),
      () => set.matchesOf(row, column),
    ];
    await mustRefuse(works.map((work) => [work, `TypeError: row must be a number, got ${kind}`] as const));
  }
  assert.equal(column.at(1), []);
});

test('every cut and every changed bit of the bytes is refused', () => {
  const bytes = PrefixSet.from(crowdedPrefixes(40, 5), 5).toBytes();
  for (let length = 0; length < bytes.length; length++) {
    assert.instance(
      errorOf(() => PrefixSet.fromBytes(bytes.subarray(0, length))),
      ListError,
      `${length} bytes`,
    );
  }
  let refused = 0;
  for (let bit = 0; bit < 8 * bytes.length; bit++) {
    const damaged = bytes.slice();
    damaged[bit >> 3]! ^= 1 << (bit & 7);
    if (errorOf(() => PrefixSet.fromBytes(damaged)) instanceof ListError) refused++;
  }
  assert.is(refused, 8 * bytes.length);
});

test('a column is looked up as its hashes one by one', () => {
  const urls = Array.from(
    { length: 2000 },
    (_, index) => `http://a.b.h${index}.com/${'x/'.repeat(index % 6)}?${index}`,
  );
  for (const width of [4, 7, 32]) {
    const column = new ExpressionHasher({ width }).hashMany(urls);
    for (const share of [1, 3, 50, 5000]) {
      const listed = pieces(column.bytes, width).filter((_, hash) => hash % share === 0);
      const set = PrefixSet.from(Buffer.from(listed.map((each) => each.slice(0, 8)).join(''), 'hex'), 4);
      const rows = urls.flatMap((_, row) => (column.at(row).some((hash) => set.has(hash.slice(0, 4))) ? [row] : []));
      assert.ok(rows.length > 0);
      assert.equal([...set.matches(column)], rows, `width ${width}, one of ${share}`);
    }
  }
});

test('4.14 to 4.29 bytes per prefix of 4, whatever their number', () => {
  for (let count = 20_000; count < (SCALE >= 10 ? 700_000 : 200_000); count = Math.floor(1.3 * count)) {
    const set = PrefixSet.from(randomBytes(next, 4 * count), 4);
    assert.ok(set.byteLength < 4.3 * set.size, `${set.byteLength / set.size} bytes each of ${count}`);
  }
});

test.run();
