import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Width } from '../../../src/core/kernel/kernel.ts';
import { HashTable } from '../../../src/store/hash-index/hash-table.ts';
import { cases, random, randomBytes } from '../../support/seed.ts';

const tests = suite('the table of hashes');
const WIDTHS = [8, 16, 32] as const;
const next = random();

const hexOf = (bytes: Uint8Array, row: number, width: number) =>
  Buffer.from(bytes.subarray(row * width, (row + 1) * width)).toString('hex');

/** Sorts hashes in hex as their words compare, the first word first, which are little-endian. */
function sorted(hashes: Iterable<string>): string[] {
  const words = (hex: string) => hex.replace(/.{16}/g, (word) => Buffer.from(word, 'hex').reverse().toString('hex'));
  return Array.from(hashes, words).sort().map(words);
}

/** Hashes that share slots, and begin with one that is zero. */
function crowdedHashes(count: number, width: Width): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(count * width);
  for (let at = width; at < bytes.length; at++)
    bytes[at] = at % width === 6 ? next(256) : at % 4 === 0 ? next(16) : at % width === 7 ? next(9) : 0;
  return bytes;
}

/** Hashes that all begin their search in the last slots of a part, and go on in the first, some of which are theirs. */
function lastHashes(count: number, width: Width): Uint8Array<ArrayBuffer> {
  const bytes = randomBytes(next, count * width);
  for (let row = 0; row < count; row++) {
    bytes[row * width + 7] = next(2);
    bytes[row * width + 6] = next(8) === 0 ? 0 : 0xff;
    bytes[row * width + 5] = bytes[row * width + 6]!;
  }
  return bytes;
}

/** Hashes that differ only in the two bytes that come last in their order. */
function alikeHashes(count: number, width: Width): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(count * width).fill(7);
  for (let row = 0; row < count; row++) bytes.set(randomBytes(next, 2), (row + 1) * width - 8);
  return bytes;
}

for (const width of WIDTHS) {
  tests(`${width} bytes: has what a Set has, and sorts it, whatever slots are shared; then it is empty`, () => {
    const inputs = [crowdedHashes(cases(5000), width), lastHashes(3000, width), alikeHashes(4000, width)];
    for (const bytes of [randomBytes(next, cases(5000) * width), ...inputs]) {
      const [table, model] = [new HashTable(width), new Set<string>()];
      const units = new Uint32Array(bytes.buffer);
      for (let row = 0; row < bytes.length / width; row++) {
        const [at, hex] = [(row * width) / 4, hexOf(bytes, row, width)];
        assert.is(table.has(units, at), model.has(hex));
        assert.is(table.add(units, at), !model.has(hex), `row ${row}`);
        model.add(hex);
        assert.ok(table.has(units, at) && !table.isFull);
        if (row === 0) assert.is(table.add(units, 0), false, 'zero is a hash like others');
      }
      assert.is(table.size, model.size);
      assert.ok(model.size > 2900, `${model.size} different`);
      const taken = new Uint8Array(table.takeSorted().buffer);
      assert.equal(
        Array.from({ length: taken.length / width }, (_, row) => hexOf(taken, row, width)),
        sorted(model),
      );
      assert.is(table.size, 0);
      assert.is(table.has(units, 0), false);
      assert.ok(table.add(units, 0));
    }
  });

  tests(`${width} bytes: with a limit, it is full before its memory and the sorted hashes exceed that`, () => {
    const units = new Uint32Array(randomBytes(next, 4 << 20).buffer);
    for (const limitBytes of [1, 1 << 20, 3 << 20]) {
      const table = new HashTable(width, limitBytes);
      let at = 0;
      while (!table.isFull) {
        table.add(units, at);
        at += width / 4;
      }
      const leastBytes = 256 * 16 * width; // 16 slots in each part
      const count = table.size;
      assert.ok(count * width < Math.max(leastBytes, limitBytes / 2), `${count}`);
      // The key is random per process, so how soon one of 256 parts of 16 slots is full varies: far from 1 in each part.
      const share = limitBytes / 2 < leastBytes ? 16 : 4;
      assert.ok(count * width > Math.max(leastBytes, limitBytes / 2) / share, `${count}`);
      assert.is(table.takeSorted().byteLength, count * width);
      assert.not(table.isFull);
    }
  });
}

tests('hashes that begin alike fill it no sooner than others', () => {
  const random = new Uint32Array(randomBytes(next, 2 << 20).buffer);
  const countOf = (alikeBits: number): number => {
    const table = new HashTable(8, 1 << 20);
    const units = random.slice();
    for (let at = 0; !table.isFull; at += 2) {
      units[at + 1] = units[at + 1]! >>> alikeBits; // the first word's upper half
      table.add(units, at);
    }
    return table.size;
  };
  const usual = countOf(0);
  for (const alikeBits of [8, 16, 24, 32])
    assert.ok(countOf(alikeBits) > 0.8 * usual, `${alikeBits} bits: ${countOf(alikeBits)} of ${usual}`);
});

tests.run();
