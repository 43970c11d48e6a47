import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileKindOf } from '../../../src/command/read/file-kind.ts';
import { PrefixSet } from '../../../src/entries/safe-browsing.ts';
import { canonicalize } from '../../../src/index.ts';
import { SAMPLE_URLS } from '../../support/samples.ts';
import { FOLDER, file } from '../../support/scratch.ts';
import { cases, random } from '../../support/seed.ts';
import { mustGive, urlsum } from '../command.ts';

const tests = suite('what a file is');

const TEXT = 'http://a/\n';
const OTHERS = 'docs/bulk.md#files-of-other-kinds';
const UTF_16 = Buffer.from(TEXT, 'utf16le');

/** TEXT as the tools write it: xz 5.4.1, bzip2 1.0.8, lz4 1.9.4, Python's zipfile, py7zr 1.1.4. */
const FILES: readonly (readonly [name: string, kind: string, bytes: Buffer])[] = [
  [
    'xz',
    'xz',
    hex(
      'fd377a585a000004e6d6b4460200210116000000742fe5a3010009687474703a2f2f612f0a000000c80d226f8b5e30f1',
      '0001220a151ae1671fb6f37d010000000004595a',
    ),
  ],
  [
    'bzip2',
    'bzip2',
    hex('425a6839314159265359f266ac70000003598000100000801020404400200022180218009181deb85dc914e14243c99a', 'b1c0'),
  ],
  ['empty.bz2', 'bzip2', hex('425a683917724538509000000000')],
  ['lz4', 'lz4', hex('04224d186440a70a000080687474703a2f2f612f0a00000000d5aca37e')],
  ['legacy.lz4', 'lz4', hex('02214c180b000000a0687474703a2f2f612f0a')],
  [
    'zip',
    'a zip archive',
    hex(
      '504b030414000000000029b9755d78a27aed0a0000000a00000005000000612e747874687474703a2f2f612f0a504b01',
      '02140314000000000029b9755d78a27aed0a0000000a000000050000000000000000000000800100000000612e747874',
      '504b05060000000001000100330000002d0000000000',
    ),
  ],
  ['empty.zip', 'a zip archive', hex('504b0506000000000000000000000000000000000000')],
  [
    '7z',
    'a 7z archive',
    hex(
      '377abcaf271c00049d5929df6400000000000000140000000000000010b77e46010009687474703a2f2f612f0a00e000',
      '50004e5d0000813307ae0fcec75c81090a900f5e71b9e029b5641dbca0e5c007501d844c492d97d088868e19d2921b85',
      '1094d01d31b87e4b24ce127ea875aabd932580662cc4723ee1f5d086a4cd48f50000000017060e01095600070b010001',
      '212101180c510000',
    ),
  ],
  // the first page of a file of DuckDB's, and the footer of one without rows
  ['parquet', 'Parquet', hex('504152311500151c151c2c1502150015061506000002000000030109000000687474703a2f2f612f')],
  ['empty.parquet', 'Parquet', hex('504152311502193c48')],
  // apache-arrow 21.2.0: the beginnings of a file and of a stream
  ['arrow', 'an Arrow file', hex('4152524f5731000000000000ffffffff9800000010000000')],
  ['arrows', 'an Arrow stream', hex('ffffffff9800000010000000000a000e0006000d00080000')],
  ['utf-16le-without-mark', 'UTF-16', UTF_16],
  ['utf-16be-without-mark', 'UTF-16', Buffer.from(UTF_16).swap16()],
  ['sqlite', 'an SQLite database', Buffer.from('SQLite format 3\0\x10\0\x01\x01\0', 'latin1')],
  ['warc', 'a WARC file', Buffer.from('WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a/\r\n')],
  ['html', 'HTML', Buffer.from('<!doctype html>\n<a href="http://a/">')],
  ['old.html', 'HTML', Buffer.from('<HTML><A HREF="http://a/">')],
  ['commented.html', 'HTML', Buffer.from('<!-- saved from the web -->\n<html><a href="http://a/">')],
  ['head.html', 'HTML', Buffer.from('<Head><title>a</title>')],
  ['feed', 'XML', Buffer.from('<feed xmlns="http://www.w3.org/2005/Atom">')],
  ['rss', 'XML', Buffer.from('<rss version="2.0">')],
  ['xml', 'XML', Buffer.from('<?xml version="1.0"?><urlset><url><loc>http://a/</loc></url></urlset>')],
  ['later.html', 'HTML', Buffer.from('\ufeff\r\n  \n<!DOCTYPE HTML>\n<a href="http://a/">')],
  ['index.xml', 'XML', Buffer.from('<sitemapindex><sitemap><loc>http://a/</loc></sitemap></sitemapindex>')],
  ['marked.xml', 'XML', Buffer.from('\ufeff<?xml version="1.0"?><urlset/>')],
  ['sitemap', 'XML', Buffer.from('<urlset><url><loc>http://a/</loc></url></urlset>')],
  ['idx', 'a hash index', built('index')],
  ['manifest', 'a hash index', builtBySegments()],
  ['node', 'an ELF program', hex('7f454c4602010100000000000000000003003e00')],
  ['image.png', 'a PNG image', hex('89504e470d0a1a0a0000000d49484452')],
  ['image.jpg', 'a JPEG image', hex('ffd8ffe000104a46494600010100')],
  ['pdf', 'a PDF document', Buffer.from('%PDF-1.7\n')],
  ['list', 'a list of prefixes', built('list', 'build')],
  ['set', 'a list of prefixes', Buffer.from(PrefixSet.from(new Uint8Array(4), 4).toBytes())],
];

function built(...command: readonly string[]): Buffer {
  const path = join(FOLDER, 'built');
  assert.is(urlsum([...command, '--out', path], TEXT).status, 0);
  return readFileSync(path);
}

function builtBySegments(): Buffer {
  const path = join(FOLDER, 'segments.idx');
  assert.is(urlsum(['--unseen', path], TEXT).status, 0);
  return readFileSync(path);
}

function hex(...digits: readonly string[]): Buffer {
  return Buffer.from(digits.join(''), 'hex');
}

for (const args of [[], ['-j', '2'], ['--csv', '-f', '1'], ['-z']]) {
  tests(`urlsum ${args.join(' ')}: it is said what each is and what to do, and the next input is read`, () => {
    const paths = FILES.map(([name, , bytes]) => file(name, Buffer.concat([bytes, Buffer.from('\nhttp://b/\n')])));
    const { status, stdout, stderr } = urlsum([...args, '--format', 'hex', ...paths, '-'], 'http://a/');
    assert.is(status, 2);
    assert.is(stdout.toString().trim().split('\n').length, 1);
    const complaints = stderr.trim().split('\n');
    assert.is(complaints.length, FILES.length);
    for (const [index, [, kind]] of FILES.entries())
      assert.ok(complaints[index]!.startsWith(`urlsum: ${paths[index]}: it is ${kind}; `));
  });
}

tests('lines in <> are not markup', () => {
  for (const uri of ['file:///a', 'http://a/', 'feel:a']) {
    mustGive(urlsum(['--delimiter', ' ', '-f', '2'], `<${uri}> http://a/\n`), { status: 0, stderr: '' }, uri);
  }
});

tests('a tar archive', () => {
  const folder = dirname(file('in.txt', TEXT));
  const archive = execFileSync('tar', ['-cf', '-', '-C', folder, 'in.txt']);
  for (const packed of [archive, gzipSync(archive)]) {
    const { status, stderr } = urlsum([], packed);
    assert.equal([status, stderr], [2, `urlsum: -: it is a tar archive; unpack it first (${OTHERS})\n`]);
  }
  assert.is(urlsum([], execFileSync('tar', ['-xOf', file('in.tar', archive)])).status, 0);
});

tests('the same where they are packed with gzip', () => {
  const paths = FILES.map(([name, , bytes]) => file(`${name}.gz`, gzipSync(bytes)));
  const { status, stdout, stderr } = urlsum(paths);
  assert.is(status, 2);
  assert.is(stdout.length, 0);
  assert.is(stderr.match(/\.gz: it is .*; .* \(docs\//g)?.length, FILES.length);
});

tests('what is packed twice is not unpacked twice', () => {
  const { status, stderr } = urlsum([], gzipSync(gzipSync('http://a/\n')));
  assert.is(status, 2);
  assert.is(stderr, `urlsum: -: it is gzip; one layer is unpacked, so unpack the others first (${OTHERS})\n`);
});

tests('no list of URLs begins as one of these, and most are known by their first byte', () => {
  const next = random();
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  for (const [name, , bytes] of FILES) {
    const signature = bytes.subarray(0, 10);
    for (let round = 0; round < cases(500); round++) {
      const cut = next(signature.length + 1);
      const url = SAMPLE_URLS[next(SAMPLE_URLS.length)]!;
      const text = Buffer.concat([signature.subarray(0, cut), Buffer.from(url.slice(next(url.length + 1)))]);
      const line = decoder.decode(text).split('\n')[0]!;
      if (fileKindOf(text) instanceof Object) assert.throws(() => canonicalize(line), undefined, `${name}: ${line}`);
    }
  }
  for (const url of SAMPLE_URLS) assert.not.type(fileKindOf(Buffer.from(`${url}\n`)), 'object', url);
});

tests('the kind does not depend on how much is there, once it is told', () => {
  for (const [name, kind, bytes] of FILES) {
    let told: unknown = 'undecided';
    for (let length = 0; length <= bytes.length; length++) {
      const found = fileKindOf(bytes.subarray(0, length));
      if (told === 'undecided') told = found;
      assert.is(found, told, `${name}: ${length}`);
    }
    assert.is((told as { name: string }).name, kind);
  }
  assert.is(fileKindOf(brotliCompressSync('http://a/\n')), undefined); // it has no signature
});

tests('a line that begins like one of these is a line, whole or not', () => {
  for (const text of [
    ...['P', 'PA', 'PAR1', 'PAR1\n', 'BZh9', 'BZh91AY&S\nhttp://a/', '7z', 'h', 'PK\n', 'ARROW1\n', 'urlsumHL'],
    ...['urlsumIX\n', '\x1f'],
  ]) {
    for (const end of ['', '\nhttp://a/\n']) {
      const { stdout, status } = urlsum(['--format', 'hex', '--width', '8'], text + end);
      assert.is(status, 1, text);
      assert.is(stdout.toString().split('\n').length - 1, (text + end).replace(/\n$/, '').split('\n').length, text);
    }
  }
});

tests.run();
