import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Width } from '../../../src/core/kernel/kernel.ts';
import { HashIndex, HashIndexError } from '../../../src/entries/hash-index.ts';
import { PROFILE, UrlHash, UrlHasher } from '../../../src/index.ts';
import { HashIndexBuilder } from '../../../src/store/hash-index/hash-index-builder.ts';
import { SAMPLE_URLS } from '../../support/samples.ts';
import { FOLDER as folder } from '../../support/scratch.ts';
import { random, randomBytes } from '../../support/seed.ts';
import { errorOf } from '../../support/thrown.ts';

const test = suite('hash-index');
const WIDTHS = [8, 16, 32] as const;
const PAGE_BYTES = 4096;
const next = random();
let fileCount = 0;

/** Packed hashes, of which `crowded` ones share all but two of their bytes. */
function packedHashes(count: number, width: Width, crowded: boolean): Uint8Array<ArrayBuffer> {
  const bytes = randomBytes(next, count * width);
  for (let at = 0; crowded && at < bytes.length; at++)
    bytes[at] = [0x00, 0xff][next(2)]! & (at % width < 2 ? 0xff : 0x01);
  return bytes;
}

const unitsOf = (bytes: Uint8Array<ArrayBuffer>) => new Uint32Array(bytes.buffer);
const hexOf = (bytes: Uint8Array, row: number, width: number) =>
  Buffer.from(bytes.subarray(row * width, (row + 1) * width)).toString('hex');

/** Words as numbers, the first word first, as BigInts compare. */
function inWordOrder(one: string, other: string): number {
  const words = (hex: string) => hex.match(/.{16}/g)!.map((word) => Buffer.from(word, 'hex').readBigUInt64LE());
  const others = words(other);
  for (const [index, word] of words(one).entries()) if (word !== others[index]) return word < others[index]! ? -1 : 1;
  return 0;
}

interface Built {
  readonly path: string;
  readonly runCount: number;
}

function build(width: Width, packed: Uint8Array<ArrayBuffer>, memoryBytes = Number.POSITIVE_INFINITY): Built {
  const path = join(folder, `${fileCount++}.idx`);
  const builder = HashIndexBuilder.in(folder, { width, profile: PROFILE, memoryBytes });
  const units = unitsOf(packed);
  for (let at = 0; at < units.length; at += width / 4) builder.addAt(units, at);
  const { runCount } = builder;
  writeFileSync(path, Buffer.concat([...builder.pages()]));
  builder.close();
  return { path, runCount };
}

/** Reads an index by its written layout, with node:crypto. */
function readNaively(path: string): string[] {
  const bytes = readFileSync(path);
  assert.is(bytes.subarray(0, 8).toString('latin1'), 'urlsumIX');
  const width = bytes.readUInt32LE(12);
  const footer = bytes.subarray(bytes.length - PAGE_BYTES);
  const [count, pageCount] = [Number(footer.readBigUInt64LE(0)), Number(footer.readBigUInt64LE(8))];
  const fencePageCount = Math.ceil(pageCount / 511);
  assert.is(bytes.length, PAGE_BYTES * (2 + pageCount + fencePageCount));
  assert.is(bytes.readUInt32LE(20), 0, 'a host beyond ASCII');
  assert.is(bytes.subarray(24, 24 + bytes.readUInt32LE(16)).toString('latin1'), PROFILE);
  const hashes: string[] = [];
  for (let number = 0; number <= pageCount + fencePageCount + 1; number++) {
    const page = bytes.subarray(number * PAGE_BYTES, (number + 1) * PAGE_BYTES);
    const ordinal = Buffer.alloc(8);
    ordinal.writeBigUInt64LE(BigInt(number));
    const checksum = createHash('sha256').update(page.subarray(0, 4088)).update(ordinal).digest().subarray(0, 8);
    assert.is(page.subarray(4088).toString('hex'), checksum.toString('hex'), `page ${number}`);
    const perPage = number === 0 || number > pageCount ? 0 : Math.min(Math.floor(4088 / width), count - hashes.length);
    for (let row = 0; row < perPage; row++) hashes.push(hexOf(page, row, width));
    const fence = bytes.subarray((1 + pageCount) * PAGE_BYTES + 8 * (number - 1) + 8 * Math.floor((number - 1) / 511));
    if (perPage > 0) assert.is(fence.subarray(0, 8).toString('hex'), page.subarray(0, 8).toString('hex'));
  }
  return hashes;
}

test('however often hashes are spilled, few runs are on the disk: at most three of a tier', () => {
  const { runCount } = build(8, randomBytes(next, 8 * 400_000), 1); // 3500 at a time
  assert.ok(runCount <= 3 * 3, `${runCount} runs`);
});

for (const width of WIDTHS) {
  test(`${width} bytes: sorted, distinct and whole, by an independent reader, in memory and spilled`, () => {
    for (const isCrowded of [false, true]) {
      const packed = packedHashes(9000, width, isCrowded);
      const expected = [...new Set(Array.from({ length: 9000 }, (_, row) => hexOf(packed, row, width)))].sort(
        inWordOrder,
      );
      assert.equal(readNaively(build(width, packed).path), expected);
      const { path, runCount } = build(width, packed, 1);
      // some four tables: where they are of a tier, their runs are one
      if (!isCrowded) assert.ok(runCount >= 1, `${runCount} runs`);
      assert.equal(readNaively(path), expected);
      assert.not(existsSync(`${path}.run1`));
    }
  });

  test(`${width} bytes: has what a Set has, kept and page by page`, () => {
    const packed = packedHashes(3000, width, true);
    const others = packedHashes(3000, width, true);
    const { path } = build(width, packed);
    const expected = new Set(Array.from({ length: 3000 }, (_, row) => hexOf(packed, row, width)));
    for (const index of [
      HashIndex.open(path),
      HashIndex.open(path, { memoryBytes: 0 }),
      HashIndex.open(readFileSync(path)),
    ]) {
      assert.is(index.size, expected.size);
      for (const source of [packed, others]) {
        for (let row = 0; row < 3000; row++) {
          const hash = source.subarray(row * width, (row + 1) * width);
          assert.is(index.has(hash), expected.has(Buffer.from(hash).toString('hex')));
        }
      }
      index.close();
      index[Symbol.dispose]();
    }
  });
}

test('an index of another version of the format is refused, with the remedy', () => {
  const bytes = readFileSync(build(8, packedHashes(10, 8, false)).path);
  bytes.writeUInt32LE(2, 8);
  const { reason, message } = errorOf(() => HashIndex.open(bytes)) as HashIndexError;
  assert.is(reason, 'unknown-version');
  assert.is(message, 'bytes: its version is 2, not 1; urlsum index makes it again from the URLs');
});

test('of a closed index no page is read, whatever has its descriptor now', () => {
  const { path } = build(8, packedHashes(2000, 8, false));
  const index = HashIndex.open(path, { memoryBytes: 0 });
  index.close();
  const other = openSync(path, 'r');
  const error = errorOf(() => index.has(new Uint8Array(8).fill(0xff))) as HashIndexError;
  closeSync(other);
  assert.is(`${error.name}: ${error.reason}`, 'HashIndexError: unreadable');
});

test('matches gives the rows whose hashes are in the index; invalid rows are none of them', () => {
  const seen = new UrlHasher({ width: 16 }).hashMany(SAMPLE_URLS.filter((_, row) => row % 3 === 0));
  const path = join(folder, 'samples.idx');
  const builder = HashIndexBuilder.in(folder, { width: 16, profile: PROFILE, memoryBytes: 1e6 });
  builder.add(seen);
  writeFileSync(path, Buffer.concat([...builder.pages()]));
  const index = HashIndex.open(path);
  const known = new Set(Array.from({ length: seen.length }, (_, row) => seen.hex(row)));
  for (const width of [16, 32] as const) {
    const column = new UrlHasher({ width }).hashMany(SAMPLE_URLS);
    const rows = Array.from({ length: column.length }, (_, row) => row);
    const expected = rows.filter((row) => column.hex(row) !== undefined && known.has(column.hex(row)!.slice(0, 32)));
    assert.ok(expected.length > 0 && column.invalid.length > 0);
    assert.equal([...index.matches(column)], expected);
  }
  assert.ok(index.has(UrlHash.of(SAMPLE_URLS[0]!)));
  assert.ok(index.has(UrlHash.of(SAMPLE_URLS[0]!).short()));
  assert.instance(
    errorOf(() => index.has(UrlHash.of(SAMPLE_URLS[0]!).veryShort())),
    RangeError,
  );
  assert.instance(
    errorOf(() => index.matches(new UrlHasher({ width: 8 }).hashMany([]))),
    RangeError,
  );
  const other = new UrlHasher({ excludeFragment: true }).hashMany(SAMPLE_URLS);
  const error = errorOf(() => index.matches(other)) as HashIndexError;
  assert.is(
    `${error.reason}: ${error.message}`,
    `other-profile: the column: its profile is ${other.profile}, that of the index ${PROFILE}`,
  );
});

test('a value that is neither a hash nor a column is named in the error', () => {
  const index = HashIndex.open(readFileSync(build(8, packedHashes(9, 8, false)).path));
  for (const [value, kind] of [
    [undefined, 'undefined'],
    [null, 'null'],
    ['282a', 'string'],
    [{}, 'Object'],
    [1, 'number'],
    [{ bytes: 'x'.repeat(32) }, 'Object'],
    [[], 'Array'],
  ] as const)
    for (const [call, message] of [
      [() => index.has(value as never), `hash must be a hash or a Uint8Array, got ${kind}`],
      [() => index.matches(value as never), `column must be a HashColumn, got ${kind}`],
    ] as const) {
      const error = errorOf(call);
      assert.is(`${error.name}: ${error.message}`, `TypeError: ${message}`);
    }
});

test('what is closed answers nothing, whether it is in memory or not', () => {
  const { path } = build(32, packedHashes(600, 32, false));
  const hash = UrlHash.of('https://example.com/');
  const column = new UrlHasher().hashMany(['https://example.com/']);
  for (const [source, memoryBytes] of [
    [path, 2 ** 30],
    [path, 0],
    [readFileSync(path), 2 ** 30],
  ] as const) {
    const index = HashIndex.open(source, { memoryBytes });
    index.has(hash); // its page is loaded now
    index.close();
    index.close();
    for (const call of [() => index.has(hash), () => index.matches(column), () => index.mustBeIntact()]) {
      const error = errorOf(call);
      assert.instance(error, HashIndexError);
      assert.is((error as HashIndexError).reason, 'unreadable');
      assert.match(error.message, /it is closed/);
    }
  }
});

test('every truncation and every flipped byte is refused before anything is answered from it', () => {
  const packed = packedHashes(600, 32, false);
  const bytes = readFileSync(build(32, packed).path);
  for (let length = 0; length < bytes.length; length += 1 + next(500)) {
    const error = errorOf(() => HashIndex.open(bytes.subarray(0, length)));
    assert.instance(error, HashIndexError, `${length} bytes`);
  }
  const withoutEnd = errorOf(() => HashIndex.open(bytes.subarray(0, -PAGE_BYTES))) as HashIndexError;
  assert.is(withoutEnd.reason, 'truncated');
  for (let trial = 0; trial < 300; trial++) {
    const damaged = Uint8Array.from(bytes);
    damaged[next(damaged.length)]! ^= 1 << next(8);
    const error = errorOf(() => {
      const index = HashIndex.open(damaged);
      index.mustBeIntact();
    });
    assert.instance(error, HashIndexError);
  }
  assert.is(errorOf(() => HashIndex.open(join(folder, 'missing.idx'))).name, 'HashIndexError');
});

test('a page in another page’s place is refused', () => {
  const bytes = Uint8Array.from(readFileSync(build(32, packedHashes(600, 32, false)).path));
  bytes.copyWithin(2 * PAGE_BYTES, PAGE_BYTES, 2 * PAGE_BYTES);
  const error = errorOf(() => HashIndex.open(bytes).mustBeIntact()) as HashIndexError;
  assert.is(error.reason, 'wrong-checksum');
});

test('a host without node:crypto answers from the same bytes, and notices a flipped one', () => {
  const packed = packedHashes(3000, 32, false);
  const bytes = Uint8Array.from(readFileSync(build(32, packed).path));
  const damaged = Uint8Array.from(bytes);
  damaged[2 * PAGE_BYTES + 7]! ^= 1;
  const { getBuiltinModule } = process;
  Object.assign(process, { getBuiltinModule: undefined });
  try {
    const index = HashIndex.open(bytes);
    for (let row = 0; row < 3000; row++) assert.ok(index.has(UrlHash.parse(hexOf(packed, row, 32))));
    const error = errorOf(() => HashIndex.open(damaged).mustBeIntact());
    assert.is((error as HashIndexError).reason, 'wrong-checksum');
  } finally {
    Object.assign(process, { getBuiltinModule });
  }
});

test('indexes merge to the index of all their hashes', () => {
  const [one, other] = [packedHashes(4000, 16, false), packedHashes(4000, 16, false)];
  other.set(one.subarray(0, 16 * 1000), 16 * 500);
  const all = new Uint8Array(one.length + other.length);
  all.set(one);
  all.set(other, one.length);
  const path = join(folder, 'merged.idx');
  const builder = HashIndexBuilder.in(folder, { width: 16, profile: PROFILE, memoryBytes: 1e6 });
  const others = [build(16, one).path, build(16, other).path].map((each) => HashIndex.open(each));
  writeFileSync(path, Buffer.concat([...builder.pages(others)]));
  assert.is(HashIndex.open(path).size, 7000);
  assert.equal(readFileSync(path), readFileSync(build(16, all).path));
});

test.run();
