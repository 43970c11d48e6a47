import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  HashIndex,
  HashIndexBuilder,
  type HashIndexBuilderOptions,
  HashIndexError,
} from '../../../src/entries/hash-index.ts';
import { PROFILE, profileOf, UrlHash, UrlHasher } from '../../../src/index.ts';
import { urlsum } from '../../command/command.ts';
import { SAMPLE_URLS } from '../../support/samples.ts';
import { FOLDER as folder } from '../../support/scratch.ts';
import { errorOf } from '../../support/thrown.ts';

const test = suite('hash-index: HashIndexBuilder');

const MANY = Array.from({ length: 40_000 }, (_, row) => `https://example.com/${row % 30_000}`);

function written(name: string, urls: readonly (readonly string[])[], options?: HashIndexBuilderOptions): Buffer {
  const path = join(folder, name);
  const builder = new HashIndexBuilder(options);
  for (const some of urls) builder.add(new UrlHasher({ width: options?.width ?? 16 }).hashMany(some));
  builder.write(path);
  return readFileSync(path);
}

test('writes what `urlsum index` writes, byte for byte, in memory and spilled', () => {
  const lines = join(folder, 'urls.txt');
  writeFileSync(lines, `${[...MANY, ...SAMPLE_URLS.filter((url) => !/[\r\n]/.test(url))].join('\n')}\n`);
  for (const width of [8, 16, 32] as const) {
    const path = join(folder, 'command.idx');
    const args = ['dist/esm/cli.js', 'index', '--quiet', '--exit-zero', '--width', String(width), '--out', path, lines];
    execFileSync(process.execPath, args);
    const expected = readFileSync(path);
    const urls = [MANY.slice(0, 20_000), MANY.slice(20_000), SAMPLE_URLS.filter((url) => !/[\r\n]/.test(url))];
    assert.ok(written('memory.idx', urls, { width }).equals(expected), `${width} bytes`);
    assert.ok(written('spilled.idx', urls, { width, memoryBytes: 1 }).equals(expected), `${width} bytes, spilled`);
  }
});

test('takes an index: what was seen, and what is new, as if all came as columns', () => {
  const [seen, fresh] = [MANY.slice(0, 20_000), MANY.slice(10_000)];
  const all = written('all.idx', [seen, fresh]);
  written('seen.idx', [seen]);
  for (const memoryBytes of [2 ** 28, 1]) {
    const builder = new HashIndexBuilder({ memoryBytes });
    const index = HashIndex.open(join(folder, 'seen.idx'), { memoryBytes: memoryBytes - 1 });
    builder.add(index);
    index.close();
    builder.add(new UrlHasher({ width: 16 }).hashMany(fresh));
    builder.write(join(folder, 'sum.idx'));
    assert.ok(readFileSync(join(folder, 'sum.idx')).equals(all), `${memoryBytes} bytes of memory`);
    assert.is(errorOf(() => new HashIndexBuilder().add(index)).message, `${join(folder, 'seen.idx')}: it is closed`);
  }
});

test('width and profile are those of the first column, or of the options; others are refused', () => {
  const column = (width: 8 | 32, excludeFragment = false) =>
    new UrlHasher({ width, excludeFragment }).hashMany(['https://example.com/']);
  const profile = profileOf({ excludeFragment: true });
  written('seen.idx', [MANY]);
  const seen = HashIndex.open(join(folder, 'seen.idx'));
  for (const [options, refused, source, reason] of [
    [{ width: 16 }, column(8), 'the column', 'other-width'],
    [{ profile }, column(8), 'the column', 'other-profile'],
    [{ width: 8 }, seen, 'the index that is added', 'other-width'],
    [{ profile }, seen, 'the index that is added', 'other-profile'],
  ] as const) {
    const error = errorOf(() => new HashIndexBuilder(options).add(refused));
    assert.instance(error, HashIndexError);
    assert.equal([(error as HashIndexError).source, (error as HashIndexError).reason], [source, reason]);
  }
  const changed = new HashIndexBuilder({ width: 8 });
  assert.is((errorOf(() => changed.add(column(32, true))) as HashIndexError).reason, 'other-width');
  changed.add(column(8)); // a column that was refused has left no profile
  const builder = new HashIndexBuilder();
  builder.add(column(32, true));
  for (const [refused, reason] of [
    [column(8, true), 'other-width'],
    [column(32), 'other-profile'],
  ] as const)
    assert.is((errorOf(() => builder.add(refused)) as HashIndexError).reason, reason);
  builder.write(join(folder, 'first.idx'));
  const index = HashIndex.open(join(folder, 'first.idx'));
  assert.equal([index.width, index.profile, index.size], [32, profile, 1]);
});

test('without a column there is an index only where the options say of what', () => {
  const path = join(folder, 'empty.idx');
  assert.instance(
    errorOf(() => new HashIndexBuilder({ width: 8 }).write(path)),
    RangeError,
  );
  assert.not(existsSync(path));
  new HashIndexBuilder({ width: 8, profile: PROFILE }).write(path);
  assert.is(HashIndex.open(path).size, 0);
});

test('a profile of 4000 bytes is read back, and a longer one is refused by the options and by the first column', () => {
  const nameLength = 4000 - profileOf({ dropParams: ['x'] }).length + 1;
  const hasher = new UrlHasher({ dropParams: ['x'.repeat(nameLength)] });
  const path = join(folder, 'long-profile.idx');
  const builder = new HashIndexBuilder();
  builder.add(hasher.hashMany(['http://a/']));
  builder.write(path);
  const index = HashIndex.open(path);
  assert.equal([index.profile, index.profile.length], [profileOf({ dropParams: ['x'.repeat(nameLength)] }), 4000]);
  index.close();
  const dropParams = ['x'.repeat(nameLength + 1)];
  for (const call of [
    () => new HashIndexBuilder({ profile: profileOf({ dropParams }) }),
    () => new HashIndexBuilder().add(new UrlHasher({ dropParams }).hashMany([])),
  ]) {
    const error = errorOf(call);
    assert.instance(error, RangeError);
    assert.is(error.message, 'profile must have at most 4000 bytes in an index, got 4001');
  }
});

test('what is closed, disposed of or written takes no more', () => {
  const [closed, disposed, done] = [new HashIndexBuilder(), new HashIndexBuilder(), new HashIndexBuilder()];
  closed.close();
  closed.close();
  disposed[Symbol.dispose]();
  const column = new UrlHasher({ width: 8 }).hashMany(['https://example.com/']);
  done.add(column);
  done.write(join(folder, 'done.idx'));
  for (const builder of [closed, disposed, done]) {
    assert.is(errorOf(() => builder.add(column)).message, 'the builder is closed');
    assert.is(errorOf(() => builder.write(join(folder, 'x.idx'))).message, 'the builder is closed');
  }
});

test('where it cannot be written nothing is left, and what was there stays', () => {
  const column = new UrlHasher({ width: 8 }).hashMany(['https://example.com/']);
  const unwritten = (path: string) => {
    const builder = new HashIndexBuilder();
    builder.add(column);
    const error = errorOf(() => builder.write(path));
    assert.instance(error, HashIndexError);
    assert.is((error as HashIndexError).reason, 'unwritable');
  };
  unwritten(join(folder, 'missing', 'x.idx'));
  const own = mkdtempSync(join(folder, 'own-'));
  unwritten(own); // a folder
  assert.equal(readdirSync(own), []);
  assert.not(readdirSync(folder).some((name) => name.endsWith('.tmp')));
  if (process.getuid?.() === 0) return; // root writes everywhere
  writeFileSync(join(own, 'kept.idx'), 'kept');
  chmodSync(own, 0o500);
  unwritten(join(own, 'kept.idx'));
  chmodSync(own, 0o700);
  assert.is(readFileSync(join(own, 'kept.idx'), 'utf8'), 'kept');
});

test('where the file cannot be opened the builder keeps its hashes, spilled ones too', () => {
  for (const memoryBytes of [2 ** 20, 2 ** 28]) {
    const builder = new HashIndexBuilder({ memoryBytes });
    builder.add(new UrlHasher({ width: 32 }).hashMany(MANY));
    for (const path of [join(folder, 'missing', 'x.idx'), join(folder, 'missing', 'y.idx')])
      assert.is((errorOf(() => builder.write(path)) as HashIndexError).reason, 'unwritable');
    builder.add(new UrlHasher({ width: 32 }).hashMany(['https://added.example/']));
    const path = join(folder, 'elsewhere.idx');
    builder.write(path);
    const index = HashIndex.open(path);
    assert.is(index.size, 30_001);
    assert.ok(index.has(UrlHash.of(MANY[0]!)) && index.has(UrlHash.of('https://added.example/')));
    index.close();
    assert.is(errorOf(() => builder.write(path)).message, 'the builder is closed');
  }
});

test('a value that is not a column is named in the error', () => {
  const builder = new HashIndexBuilder();
  for (const [column, kind] of [
    [undefined, 'undefined'],
    [null, 'null'],
    [{}, 'Object'],
    [{ ...new UrlHasher().hashMany([]), length: undefined }, 'Object'],
    [new Uint8Array(32), 'Uint8Array'],
    [UrlHash.of('https://example.com/'), 'UrlHash'],
    [['https://example.com/'], 'Array'],
  ] as const) {
    const error = errorOf(() => builder.add(column as never));
    assert.is(`${error.name}: ${error.message}`, `TypeError: hashes must be a HashColumn or a HashIndex, got ${kind}`);
  }
  builder.add(new UrlHasher({ width: 8 }).hashMany(['https://example.com/'])); // the width is still open
});

test('a link to an index stays one', () => {
  const [target, link] = [join(folder, 'target.idx'), join(folder, 'link.idx')];
  writeFileSync(target, '');
  symlinkSync(target, link);
  written('link.idx', [['https://example.com/']]);
  assert.ok(lstatSync(link).isSymbolicLink());
  assert.is(HashIndex.open(target).size, 1);
});

test('bad options', () => {
  const of = (options: unknown) => errorOf(() => new HashIndexBuilder(options as never));
  for (const [options, name, message] of [
    [{ width: 7 }, 'RangeError', /^width must be one of 8, 16, 32, got 7$/],
    [{ profile: 5 }, 'TypeError', /^profile must be a string, got number$/],
    [{ memoryBytes: 0 }, 'RangeError', /^memoryBytes must be a positive number, got 0$/],
    [{ memoryBytes: '1' }, 'TypeError', /^memoryBytes must be a number, got string$/],
    [{ width: Object.create(null) }, 'RangeError', /^width must be one of 8, 16, 32, got Object$/],
    [{ memory: 5 }, 'RangeError', /^options has no "memory"/],
    [5, 'TypeError', /^options must be an object, got number$/],
  ] as const) {
    const error = of(options);
    assert.is(error.name, name);
    assert.match(error.message, message);
  }
  assert.is(errorOf(() => HashIndex.open(new Uint8Array(1), { memoryBytes: 'x' as never })).name, 'TypeError');
});

test('an index in one file takes no place of one that has segments: the builder, and each command that writes one', () => {
  const path = join(folder, 'grown.idx');
  const lines = join(folder, 'grown.txt');
  writeFileSync(lines, 'http://a/\n');
  assert.is(urlsum(['--unseen', path, lines]).status, 0);
  const manifest = readFileSync(path);
  const message = `${path}: it grows by --unseen, in ${path}.d: write to another file, or remove both`;
  const builder = new HashIndexBuilder();
  builder.add(new UrlHasher({ width: 8 }).hashMany(['http://b/']));
  const error = errorOf(() => builder.write(path)) as HashIndexError;
  assert.equal([error.reason, error.message], ['unwritable', message]);
  builder.write(join(folder, 'grown-elsewhere.idx'));
  for (const args of [
    ['index', '--out', path, lines],
    ['index', '--merge', '--out', path, join(folder, 'grown-elsewhere.idx')],
  ])
    assert.equal([urlsum(args).status, urlsum(args).stderr], [2, `urlsum: ${message}\n`]);
  assert.equal(readFileSync(path), manifest);
  assert.is(urlsum(['--unseen', path, lines]).stdout.toString(), '');
});

test.run();
