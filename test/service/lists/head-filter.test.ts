import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { HeadFilter } from '../../../src/service/lists/head-filter.ts';
import { PrefixSet } from '../../../src/service/lists/prefix-set.ts';
import { headAt } from '../../../src/specs/safe-browsing/hash-prefix.ts';
import { random, randomBytes } from '../../support/seed.ts';

const test = suite('HeadFilter');
const next = random();

const headsIn = (bytes: Uint8Array, width: number) =>
  Array.from({ length: bytes.length / width }, (_, row) => headAt(bytes, row * width));

test('every prefix of every set passes, and few others: so most hashes are looked for in no set', () => {
  for (const counts of [[0], [1], [2, 1], [31, 1, 0], [1000, 10], [20_000, 5000, 300]]) {
    const groups = counts.map((count, index) => ({ width: [4, 8, 32][index]!, count }));
    const packed = groups.map(({ width, count }) => ({ width, bytes: randomBytes(next, width * count) }));
    const filter = new HeadFilter(packed.map(({ width, bytes }) => PrefixSet.from(bytes, width)));
    for (const { width, bytes } of packed)
      for (const head of headsIn(bytes, width)) assert.ok(filter.mayHave(head), `${counts}: ${head}`);
    const others = headsIn(randomBytes(next, 4 * 20_000), 4);
    const passed = others.filter((head) => filter.mayHave(head)).length;
    assert.ok(passed < others.length / 14, `${counts}: ${passed} of ${others.length} others passed`);
  }
});

test('without prefixes nothing passes; the least and the greatest head are told from their neighbours', () => {
  assert.not.ok([0, 1, 2 ** 31, 2 ** 32 - 1].some((head) => new HeadFilter([]).mayHave(head)));
  const filter = new HeadFilter([PrefixSet.from(Uint8Array.of(0, 0, 0, 0, 255, 255, 255, 255), 4)]);
  assert.ok(filter.mayHave(0) && filter.mayHave(2 ** 32 - 1));
  assert.not.ok(filter.mayHave(2 ** 31) || filter.mayHave(2 ** 31 - 1));
});

test.run();
