import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { HashIndex, HashIndexBuilder } from '../../../src/entries/hash-index.ts';
import { UrlHasher } from '../../../src/index.ts';
import { segmentsToMerge } from '../../../src/store/hash-index/folder.ts';
import type { SegmentOwner } from '../../../src/store/hash-index/layout.ts';
import { mustGive, spawned, urlsum } from '../../command/command.ts';
import { FOLDER } from '../../support/scratch.ts';
import { cases, random } from '../../support/seed.ts';
import { hashesOfIndex } from './format-reading.ts';

const test = suite('an index in segments');
const next = random();

const joined = (lines: readonly string[]) => `${lines.join('\n')}\n`;
const url = (number: number) => `https://example.com/${number}`;
const numbers = (start: number, count: number) => Array.from({ length: count }, (_, index) => url(start + index));

/** Name and time of each segment in the index's folder. */
const segmentsOf = (path: string) =>
  new Map(
    readdirSync(`${path}.d`)
      .filter((name) => name.endsWith('.idx'))
      .map((name) => [name, statSync(join(`${path}.d`, name)).mtimeMs]),
  );

/** An index of three days, and what is in it. */
function threeDays(name: string): { path: string; lines: string[] } {
  const path = join(FOLDER, name);
  const lines: string[] = [];
  for (const day of [0, 1, 2]) {
    const seen = numbers(1000 * day, 1000);
    urlsum(['--unseen', path, '--width', '8'], joined(seen));
    lines.push(...seen);
  }
  return { path, lines };
}

test('each run adds a segment and leaves those that stand, until four of a tier become one', () => {
  const path = join(FOLDER, 'days.idx');
  const seen = new Set<string>();
  let before = new Map<string, number>();
  for (let day = 0; day < 9; day++) {
    const lines = Array.from({ length: 500 }, () => url(next(5000)));
    urlsum(['--unseen', path, '--width', '8'], joined(lines));
    for (const line of lines) seen.add(line);
    const after = segmentsOf(path);
    const isMerged = after.size < before.size;
    assert.is(after.size, (day % 3) + 1, `day ${day}`);
    if (!isMerged) for (const [name, time] of before) assert.is(after.get(name), time, `day ${day}: ${name}`);
    const index = HashIndex.open(path);
    assert.is(index.size, seen.size);
    assert.equal(index.matches(new UrlHasher({ width: 8 }).hashMany(seen)).length, seen.size);
    assert.is(index.matches(new UrlHasher({ width: 8 }).hashMany(numbers(5000, 500))).length, 0);
    index.close();
    before = after;
  }
});

test('a run without new lines writes nothing', () => {
  const { path, lines } = threeDays('nothing.idx');
  const [manifest, segments] = [statSync(path, { bigint: true }), segmentsOf(path)];
  assert.is(urlsum(['--unseen', path, '--width', '8'], joined(lines)).stdout.length, 0);
  assert.is(statSync(path, { bigint: true }).mtimeNs, manifest.mtimeNs);
  assert.equal(segmentsOf(path), segments);
});

test('an index in one file becomes the first segment, with what is new', () => {
  const path = join(FOLDER, 'old.idx');
  urlsum(['index', '--out', path], joined(numbers(0, 2000)));
  const before = readFileSync(path);
  assert.is(urlsum(['--unseen', path, '--width', '8'], joined(numbers(1000, 1000))).stdout.length, 0);
  assert.ok(readFileSync(path).equals(before), 'nothing is new');
  assert.not(existsSync(`${path}.d`));
  urlsum(['--unseen', path, '--width', '8'], joined(numbers(1000, 2000)));
  assert.is(HashIndex.open(path).size, 3000);
  assert.is(segmentsOf(path).size, 1);
  writeFileSync(path, before); // one of the same index, as it was
  mustGive(urlsum(['--unseen', path, '--width', '8'], joined(numbers(5000, 1))), {
    status: 2,
    says: /old\.idx: it is an index in one file, but \S+manifest is generation 1: copy that to its place, or/,
  });
  cpSync(`${path}.d/manifest`, path);
  assert.is(HashIndex.open(path).size, 3000);
});

test('in one file by --merge: the bytes of an index of all lines; --info, --against and code read the segments', () => {
  const { path, lines } = threeDays('merged.idx');
  const [one, all] = [join(FOLDER, 'one.idx'), join(FOLDER, 'all.idx')];
  assert.is(urlsum(['index', '--merge', '--out', one, path]).status, 0);
  urlsum(['index', '--out', all], joined(lines));
  assert.ok(readFileSync(one).equals(readFileSync(all)));
  assert.match(urlsum(['index', '--info', path]).stdout.toString(), /^segments +3, of 1000, 1000, 1000 hashes$/m);
  const input = joined([...numbers(2500, 1000)]);
  assert.is(urlsum(['--against', path, '--width', '8', '--format', 'bin'], input).stdout.length, 8 * 500);
  const builder = new HashIndexBuilder();
  builder.add(HashIndex.open(path));
  builder.write(`${one}.code`);
  assert.ok(readFileSync(`${one}.code`).equals(readFileSync(all)));
});

test('a program written from the page about the format finds the same hashes', () => {
  const { path, lines } = threeDays('read.idx');
  const column = new UrlHasher({ width: 8 }).hashMany(lines);
  const wanted = lines.map((_, row) => column.hex(row)!).sort();
  assert.equal(hashesOfIndex(path).sort(), wanted);
  const one = join(FOLDER, 'read-one.idx');
  urlsum(['index', '--out', one], joined(lines));
  assert.equal(hashesOfIndex(one).sort(), wanted);
});

test('a manifest and a folder that do not fit each other are damage, and said', () => {
  const whole = threeDays('whole.idx').path;
  const path = join(FOLDER, 'hurt.idx');
  const folder = `${path}.d`;
  const [first, second] = readFileSync(whole, 'latin1').matchAll(/^segment (\S+)/gm);
  const [name, other] = [first![1]!, second![1]!];
  const changes: readonly (readonly [reason: RegExp, change: () => void])[] = [
    [/its segment \w+\.idx is not in .*hurt\.idx\.d/, () => rmSync(join(folder, name))],
    [/its segment \w+\.idx has \d+ bytes, not \d+/, () => truncateSync(join(folder, name), 4096)],
    [/its segment \w+\.idx belongs to another index/, () => writeOther(join(folder, name), 999)],
    [
      /its segment \w+\.idx has 999 hashes of 8 bytes, not 1000 of 8/,
      () => writeOther(join(folder, name), 999, HashIndex.open(path).manifest),
    ],
    [/it is damaged: its checksum differs/, () => hurtByte(path, readFileSync(path).indexOf('1000'))],
    [/it does not end with its checksum/, () => truncateSync(path, statSync(path).size - 1)],
    ...[2, 3, 5].map((version) => {
      const change = () => writeFileSync(path, readFileSync(path, 'latin1').replace('index 4', `index ${version}`));
      return [new RegExp(`its version is ${version}, not 4; urlsum index makes it again`), change] as const;
    }),
    [
      /wrong-checksum|it is not the segment that the index names/,
      () => cpSync(join(folder, other), join(folder, name)),
    ],
    [/page \d+ is damaged/, () => hurtByte(join(folder, name), 5000)],
  ];
  for (const [reason, change] of changes) {
    rmSync(folder, { recursive: true, force: true });
    cpSync(whole, path);
    cpSync(`${whole}.d`, folder, { recursive: true });
    change();
    mustGive(urlsum(['index', '--info', path]), { status: 2, says: reason }, String(reason));
  }
});

test('a folder that is a link is refused: the index whose segments are there stays whole', () => {
  const { path } = threeDays('owner.idx');
  const borrower = join(FOLDER, 'borrower.idx');
  symlinkSync(`${path}.d`, `${borrower}.d`);
  const segments = segmentsOf(path);
  const { status, stderr } = urlsum(['--unseen', borrower, '--width', '8'], joined(numbers(0, 5)));
  assert.is(status, 2);
  assert.match(stderr, /borrower\.idx: its folder \S+borrower\.idx\.d is a link, .*: replace it by a folder/);
  assert.is(existsSync(borrower), false);
  assert.equal(segmentsOf(path), segments);
});

test('an index that is missing is in its folder, of which the message says what to copy', () => {
  const { path, lines } = threeDays('beheaded.idx');
  const [kept, segments] = [`${path}.kept`, segmentsOf(path)];
  renameSync(path, kept);
  const run = () => urlsum(['--unseen', path, '--width', '8'], joined(lines));
  const { status, stderr } = run();
  assert.is(status, 2);
  const [, copy] =
    /beheaded\.idx: it is missing, but (\S+) is generation 3: copy that to its place\n/.exec(stderr) ?? [];
  assert.equal(segmentsOf(path), segments);
  cpSync(copy!, path);
  assert.ok(readFileSync(path).equals(readFileSync(kept)));
  assert.equal([run().status, run().stdout.length], [0, 0]);
  for (const name of [path, copy!]) rmSync(name);
  assert.match(run().stderr, /it is missing, but \S+\.d holds 3 of its segments: index --merge reads them/);
  const rescued = join(FOLDER, 'rescued.idx');
  const names = [...segments.keys()].map((name) => join(`${path}.d`, name));
  assert.is(urlsum(['index', '--merge', '--out', rescued, ...names]).status, 0);
  assert.is(HashIndex.open(rescued).size, lines.length);
  renameSync(kept, path);
  assert.equal([run().status, run().stdout.length], [0, 0]);
});

test('removed are segments of the index that a later generation does not name, and begun files: no others', () => {
  const { path } = threeDays('tidy.idx');
  const foreign = threeDays('foreign.idx').path;
  const folder = `${path}.d`;
  const [own] = segmentsOf(path).keys();
  const [other] = segmentsOf(foreign).keys();
  const place = (name: string, from: string) => cpSync(from, join(folder, name));
  place('0000000000000001.idx', join(folder, own!));
  place('.urlsum-000000000002.tmp', 'package.json');
  place('0000000000000004.idx', join(`${foreign}.d`, other!));
  place('0000000000000005.idx', 'package.json');
  place('notes.txt', 'package.json');
  const later = join(folder, '0000000000000003.idx');
  writeFileSync(later, ofGeneration(readFileSync(join(folder, own!)), 4)); // of a run that was killed
  const day = (start: number) => {
    assert.is(urlsum(['--unseen', path, '--width', '8'], joined(numbers(start, 5))).status, 0);
    return HashIndex.open(path).manifest!;
  };
  const kept = ['0000000000000004.idx', '0000000000000005.idx', 'notes.txt', 'manifest'];
  const before = readdirSync(folder);
  const next = day(9000);
  assert.is(next.generation, 5);
  assert.equal(
    readdirSync(folder).sort(),
    [...before.filter((name) => !name.endsWith('.tmp')), ...next.segments.map(({ name }) => name)].sort(),
    'while one is of a later generation, all stay',
  );
  const { segments } = day(9005);
  assert.equal(readdirSync(folder).sort(), [...kept, ...segments.map(({ name }) => name)].sort());
});

/** A segment of the same hashes, of another generation. */
function ofGeneration(bytes: Buffer, generation: number): Buffer {
  const page = bytes.subarray(0, 4096);
  page.writeUInt32LE(generation, 4076);
  page.fill(0, 4088);
  createHash('sha256').update(page).digest().copy(page, 4088, 0, 8); // its number is 0
  return bytes;
}

test('segments and their folder get the permissions of the index', () => {
  const path = join(FOLDER, 'private.idx');
  urlsum(['index', '--width', '8', '--out', path], joined(numbers(0, 1000)));
  chmodSync(path, 0o660);
  urlsum(['--unseen', path, '--width', '8'], joined(numbers(500, 1000)));
  const modeOf = (name: string) => (statSync(name).mode & 0o7777).toString(8);
  assert.equal([path, `${path}.d`].map(modeOf), ['660', '770']);
  for (const name of segmentsOf(path).keys()) assert.is(modeOf(join(`${path}.d`, name)), '660');
});

function writeOther(path: string, count: number, owner?: SegmentOwner): void {
  const builder = new HashIndexBuilder();
  builder.add(new UrlHasher({ width: 8 }).hashMany(numbers(0, count)));
  writeFileSync(path, Buffer.concat([...builder.pages([], owner)]));
}

function hurtByte(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes[at]! ^= 1;
  writeFileSync(path, bytes);
}

test('what is open stays as it was while runs add to it and merge', () => {
  const { path } = threeDays('open.idx');
  const index = HashIndex.open(path, { memoryBytes: 0 });
  const names = [...segmentsOf(path).keys()];
  urlsum(['--unseen', path, '--width', '8'], joined(numbers(3000, 1000)));
  assert.ok(
    names.every((name) => !existsSync(join(`${path}.d`, name))),
    'they are merged',
  );
  assert.is(index.size, 3000);
  index.mustBeIntact();
  index.close();
  assert.is(HashIndex.open(path).size, 4000);
});

test('the bytes of a manifest are not an index', () => {
  const { path } = threeDays('bytes.idx');
  assert.throws(
    () => HashIndex.open(readFileSync(path)),
    /bytes: it only names the files of an index: open it by its path/,
  );
  assert.match(
    spawned(['--against', '-', '--width', '8', '/dev/null'], readFileSync(path)).stderr,
    /open it by its path/,
  );
});

/** Returns what an index becomes, and how many hashes are written for it, if as many are added each day. */
function grown(start: number, perDay: number, dayCount: number) {
  let segments: { size: number }[] = start === 0 ? [] : [{ size: start }];
  let [written, most, mostSegments] = [0, 0, 0];
  for (let day = 0; day < dayCount; day++) {
    const merged = segmentsToMerge(segments, perDay);
    const size = merged.reduce<number>((sum, each) => sum + each.size, perDay);
    segments = [...segments.filter((each) => !merged.includes(each)), { size }];
    written += size;
    most = Math.max(most, size);
    mostSegments = Math.max(mostSegments, segments.length);
  }
  return { segments, written, most, mostSegments };
}

test('two years of days: a day costs in proportion to its new hashes, and there are few segments', () => {
  const dayCount = cases(730);
  for (const [start, perDay] of [
    [1e9, 1e6],
    [0, 1e6],
    [1e9, 1000],
    [1e6, 1e6],
  ] as const) {
    const { segments, written, most, mostSegments } = grown(start, perDay, dayCount);
    assert.is(
      segments.reduce((sum, { size }) => sum + size, 0),
      start + dayCount * perDay,
    );
    console.log(
      `${start} hashes, ${perDay} a day: ${(written / dayCount / perDay).toFixed(1)} times a day's written per day, at most ${(most / perDay).toFixed(0)} times in one; up to ${mostSegments} segments`,
    );
    assert.ok(mostSegments <= 3 * (1 + Math.ceil(Math.log2((start + dayCount * perDay) / 65_536) / 2)));
    // a day of fewer hashes than tier 0 has is written again with the others of that tier: up to 512 KiB
    assert.ok(written / dayCount <= 8 * Math.max(perDay, 2 ** 16));
  }
});

test('a day of 10^6 new hashes writes what docs/bulk.md says', () => {
  const document = readFileSync('docs/bulk.md', 'utf8').replaceAll(/\s+/g, ' ');
  const [, in16Days, inTwoYears] = /(\d+) MB on average over 16 days and (\d+) over two years/.exec(document)!;
  const megabytesPerDay = (start: number, dayCount: number) =>
    Math.round((8 * grown(start, 1e6, dayCount).written) / dayCount / 1e6);
  for (const start of [1e7, 1e9]) {
    assert.is(megabytesPerDay(start, 16), Number(in16Days));
    assert.is(megabytesPerDay(start, 730), Number(inTwoYears));
  }
});

test.run();
