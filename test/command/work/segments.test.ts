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
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { HashIndex, HashIndexBuilder } from '../../../src/entries/hash-index.ts';
import { UrlHasher } from '../../../src/index.ts';
import { segmentsToMerge } from '../../../src/store/hash-index/folder.ts';
import { FOLDER } from '../../scratch.ts';
import { cases, random } from '../../seed.ts';
import { spawned, urlsum } from '../command.ts';
import { hashesOfIndex } from './format-reading.ts';

const test = suite('an index in segments');
const next = random();

const joined = (lines: readonly string[]) => `${lines.join('\n')}\n`;
const url = (number: number) => `https://example.com/${number}`;
const numbers = (start: number, count: number) => Array.from({ length: count }, (_, index) => url(start + index));

/** Name and time of each file of the index's folder. */
const segmentsOf = (path: string) =>
  new Map(readdirSync(`${path}.d`).map((name) => [name, statSync(join(`${path}.d`, name)).mtimeMs]));

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

test('an index in one file becomes the first segment, without being written again', () => {
  const path = join(FOLDER, 'old.idx');
  urlsum(['index', '--out', path], joined(numbers(0, 2000)));
  const before = statSync(path);
  urlsum(['--unseen', path, '--width', '8'], joined(numbers(1000, 2000)));
  const linked = readdirSync(`${path}.d`).map((name) => statSync(join(`${path}.d`, name)));
  assert.ok(linked.some(({ ino }) => ino === before.ino));
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
    [/its segment \w+\.idx has 999 hashes of 8 bytes, not 1000 of 8/, () => writeOther(join(folder, name), 999, 8)],
    [/it is damaged: its checksum differs/, () => hurtByte(path, readFileSync(path).indexOf('1000'))],
    [/it does not end with its checksum/, () => truncateSync(path, statSync(path).size - 1)],
    [/its version is 4, not 3/, () => writeFileSync(path, readFileSync(path, 'latin1').replace('index 3', 'index 4'))],
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
    const { status, stderr } = urlsum(['index', '--info', path]);
    assert.is(status, 2, String(reason));
    assert.match(stderr, reason);
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

test('segments without their manifest are damage, said with the way to restore them', () => {
  const { path, lines } = threeDays('beheaded.idx');
  const [kept, segments] = [`${path}.kept`, segmentsOf(path)];
  renameSync(path, kept);
  const run = () => urlsum(['--unseen', path, '--width', '8'], joined(lines));
  const { status, stderr } = run();
  assert.is(status, 2);
  const [, folder] = /beheaded\.idx: it is missing, but (\S+) holds 3 segments of it: put it back/.exec(stderr) ?? [];
  const [restore] = /urlsum index --merge --out NEW \S+/.exec(stderr) ?? [];
  assert.is(restore, `urlsum index --merge --out NEW ${folder}/*.idx`);
  assert.equal(segmentsOf(path), segments);
  const rescued = join(FOLDER, 'rescued.idx');
  const names = [...segments.keys()].map((name) => join(folder!, name));
  assert.is(urlsum(['index', '--merge', '--out', rescued, ...names]).status, 0);
  assert.is(HashIndex.open(rescued).size, lines.length);
  renameSync(kept, path);
  assert.equal([run().status, run().stdout.length], [0, 0]);
});

test('removed are files that carry the id, are not named and are older than the manifest: no others', () => {
  const { path } = threeDays('tidy.idx');
  const foreign = threeDays('foreign.idx').path;
  const folder = `${path}.d`;
  const [own] = segmentsOf(path).keys();
  const [other] = segmentsOf(foreign).keys();
  const place = (name: string, from: string, daysOld: number) => {
    cpSync(from, join(folder, name));
    const time = Date.now() / 1000 - 86_400 * daysOld;
    utimesSync(join(folder, name), time, time);
  };
  place('0000000000000001.idx', join(folder, own!), 1); // what a killed run has left
  place('.urlsum-000000000002.tmp', join(folder, own!), 1);
  place('0000000000000003.idx', join(folder, own!), -1); // the manifest is one that was put back
  place('0000000000000004.idx', join(`${foreign}.d`, other!), 1);
  place('0000000000000005.idx', 'package.json', 1);
  place('notes.txt', 'package.json', 1);
  const named = HashIndex.open(path).manifest!.segments.map(({ name }) => name);
  urlsum(['--unseen', path, '--width', '8'], joined(numbers(0, 5)));
  assert.equal(
    readdirSync(folder).sort(),
    ['0000000000000003.idx', '0000000000000004.idx', '0000000000000005.idx', 'notes.txt', ...named].sort(),
  );
});

test('an index of version 2, whose segments have no id, opens and grows into one that has it', () => {
  const { path, lines } = threeDays('second.idx');
  for (const name of segmentsOf(path).keys()) withoutId(join(`${path}.d`, name));
  const segments = readFileSync(path, 'latin1').matchAll(/^segment (\S+) (\d+ \d+) .*\n/gm);
  const text = [
    'urlsum index 2\nwidth 8\nprofile url/1+unicode18\nunicode-hosts none\n',
    ...Array.from(segments, ([, name, sizes]) => `segment ${name} ${sizes} ${sha256(join(`${path}.d`, name!))}\n`),
  ].join('');
  writeFileSync(path, `${text}sha256 ${createHash('sha256').update(text).digest('hex')}\n`);
  HashIndex.open(path).mustBeIntact();
  const more = numbers(5000, 70_000); // of another tier: those that stand are merged
  assert.is(urlsum(['--unseen', path, '--width', '8'], joined([...lines, ...more])).status, 0);
  const index = HashIndex.open(path);
  assert.is(index.size, lines.length + more.length);
  assert.match(index.manifest!.id!, /^[0-9a-f]{16}$/);
  assert.equal([...segmentsOf(path).keys()].sort(), index.manifest!.segments.map(({ name }) => name).sort());
});

const sha256 = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

/** Makes a segment of one as version 2 has it. */
function withoutId(path: string): void {
  const bytes = readFileSync(path);
  const page = bytes.subarray(0, 4096);
  page[22] = 0;
  page.fill(0, 4080);
  createHash('sha256').update(page).digest().copy(page, 4088, 0, 8); // its number is 0
  writeFileSync(path, bytes);
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

function writeOther(path: string, count: number, width: 8 | 16): void {
  const builder = new HashIndexBuilder();
  builder.add(new UrlHasher({ width }).hashMany(numbers(0, count)));
  builder.write(path);
}

function hurtByte(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes[at]! ^= 1;
  writeFileSync(path, bytes);
}

test('what is open stays as it was while runs add to it and merge', () => {
  const { path } = threeDays('open.idx');
  const index = HashIndex.open(path, { memoryBytes: 0 });
  const names = readdirSync(`${path}.d`);
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

/** What an index becomes, and how many hashes are written for it, if as many are added each day. */
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
