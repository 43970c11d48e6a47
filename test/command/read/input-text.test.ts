import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import * as zlib from 'node:zlib';
import { gunzipSync, gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { decoded } from '../../../src/command/read/encoding.ts';
import { inputText } from '../../../src/command/read/input-text.ts';
import { hasProgram } from '../../support/programs.ts';
import { file } from '../../support/scratch.ts';
import { random } from '../../support/seed.ts';
import { mustGive, textOf, urlsum } from '../command.ts';

const tests = suite('urlsum on packed inputs');

const SAMPLE = readFileSync('bench/sample/urls.txt');
const EXPECTED = urlsum([], SAMPLE).stdout;
const HALF = SAMPLE.indexOf('\n', SAMPLE.length / 2) + 1;
const PARTS = [SAMPLE.subarray(0, HALF), SAMPLE.subarray(HALF)].map((part) => gzipSync(part));

/**
 * Two frames of 'http://a/\n' and 'http://b/\n' and a skippable one between, written by hand (RFC 8878, section 3.1.1).
 */
const ZSTD = Buffer.concat([
  ...['http://a/\n', 'http://b/\n'].map((text) =>
    Buffer.concat([Buffer.from('28b52ffd200a510000', 'hex'), Buffer.from(text)]),
  ),
]);
const SKIPPABLE = Buffer.from('502a4d1804000000ffffffff', 'hex');

/** The text of chunks, each in the memory of the one before it. */
async function plain(chunks: readonly Uint8Array[]): Promise<Buffer> {
  const memory = new Uint8Array(Math.max(0, ...chunks.map(({ length }) => length)));
  async function* inTurn() {
    for (const chunk of chunks) {
      memory.fill(0xaa).set(chunk);
      yield memory.subarray(0, chunk.length);
    }
  }
  const parts: Uint8Array[] = [];
  for await (const part of inputText(inTurn())) parts.push(part.slice());
  return Buffer.concat(parts);
}

function cut(bytes: Uint8Array, next: (below: number) => number): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = 1 + next(next(2) === 0 ? 3 : 4000);
    chunks.push(bytes.subarray(at, at + length));
    at += length;
  }
  return chunks;
}

tests('every member, with and without zeros between and after them', () => {
  const [one, two] = PARTS as [Buffer, Buffer];
  const zeros = Buffer.alloc(300_000);
  for (const packed of [
    [one, two],
    [one, two, zeros],
    [one, zeros, two, zeros],
    [one, zeros.subarray(0, 1), two, gzipSync('')],
  ]) {
    assert.ok(urlsum([], Buffer.concat(packed)).stdout.equals(EXPECTED));
  }
});

tests('members cut into chunks anywhere', async () => {
  const next = random();
  const text = Buffer.concat(Array.from({ length: 40 }, (_, index) => Buffer.from(`http://${index}/\n`)));
  const packed = Buffer.concat(
    Array.from({ length: 40 }, (_, index) => Buffer.concat([gzipSync(`http://${index}/\n`), Buffer.alloc(next(3))])),
  );
  for (let round = 0; round < 30; round++) assert.equal(await plain(cut(packed, next)), text);
  assert.equal(await plain([...packed].map((byte) => Uint8Array.of(byte))), text);
});

tests('text of any length that is not packed goes through as it is', async () => {
  for (const text of ['', 'h', 'ht', '\x1f', '\x1f\x8b', '\x1f\x8b\x07x', '(\xb5/', 'http://a/']) {
    assert.is(
      (await plain([...Buffer.from(text, 'latin1')].map((byte) => Uint8Array.of(byte)))).toString('latin1'),
      text,
    );
  }
});

tests('a truncated file: the whole lines before the cut, then the reason, exit status 2', () => {
  const packed = gzipSync(SAMPLE);
  for (const length of [packed.length - 1, packed.length >> 1, 2000, 30, 11, 3]) {
    const { status, stdout, stderr } = urlsum([file('cut.gz', packed.subarray(0, length))]);
    assert.is(status, 2, `${length}`);
    assert.match(
      stderr,
      /cut\.gz: unexpected end of file; lines before may be damaged, too, which --out never shows\n$/,
    );
    assert.ok(EXPECTED.subarray(0, stdout.length).equals(stdout), 'whole lines only');
    if (length >= packed.length >> 1) assert.ok(stdout.length > 0.4 * EXPECTED.length);
  }
});

tests('several threads: damage costs no line that one thread would write', () => {
  const text = Buffer.from(Array.from({ length: 120_000 }, (_, row) => `http://example.com/${row}\n`).join(''));
  const packed = gzipSync(text);
  const wrong = Buffer.from(packed);
  wrong.writeUInt32LE(1, wrong.length - 8);
  for (const damaged of [packed.subarray(0, -4), packed.subarray(0, packed.length >> 1), wrong]) {
    const path = file('damaged.gz', damaged);
    const [one, several] = ['1', '3'].map((threads) => urlsum(['--format', 'hex', '-j', threads, path]));
    assert.ok(one!.stdout.length > 0.4 * 65 * 120_000);
    assert.equal(several, one);
    assert.is(several!.status, 2);
  }
});

tests('a damaged second member: all of the first, the reason, exit status 2; the next file is read', () => {
  const [one, two] = PARTS as [Buffer, Buffer];
  const damaged = Buffer.from(two);
  damaged.fill(0xff, 60, 200);
  const { status, stdout, stderr } = urlsum([
    file('bad.gz', Buffer.concat([one, damaged])),
    file('good', 'http://a/\n'),
  ]);
  assert.is(status, 2);
  assert.match(stderr, /bad\.gz: (?:invalid|incorrect)/);
  const head = urlsum([], gunzipSync(one)).stdout;
  const good = stdout.subarray(0, stdout.length - 76);
  assert.ok(good.length > 0.9 * head.length && EXPECTED.subarray(0, good.length).equals(good));
  assert.ok(stdout.subarray(-76).equals(urlsum([], 'http://a/\n').stdout), 'the file after it');
});

tests('a wrong checksum and what is not a member are damage too', () => {
  const wrong = gzipSync('http://a/\n');
  wrong.writeUInt32LE(1, wrong.length - 8);
  for (const packed of [
    wrong,
    Buffer.concat([gzipSync('http://a/\n'), Buffer.from('junk')]),
    Buffer.concat([gzipSync('http://a/\n'), Buffer.alloc(9), Buffer.from('junk')]),
  ]) {
    mustGive(urlsum([], packed), { status: 2, says: /-: incorrect/ });
  }
});

const HAS_ZSTD = 'createZstdDecompress' in zlib;

tests('zstd before Node 22.15 is refused', () => {
  if (HAS_ZSTD) return;
  const { status, stdout, stderr } = urlsum(['-', file('plain', 'http://a/\n')], ZSTD);
  assert.is(status, 2);
  assert.is(
    stderr,
    `urlsum: -: Node ${process.version} does not unpack zstd; zstd -dc unpacks it (docs/bulk.md#files-of-other-kinds)\n`,
  );
  assert.ok(stdout.equals(urlsum([], 'http://a/\n').stdout), 'the file after it');
});

tests('zstd: a changed bit of a frame with a checksum never ends with status 0', () => {
  if (!HAS_ZSTD) return;
  const next = random();
  const { zstdCompressSync, constants } = zlib as unknown as {
    readonly zstdCompressSync: (bytes: Uint8Array, options: object) => Buffer;
    readonly constants: { readonly ZSTD_c_checksumFlag: number };
  };
  const packed = zstdCompressSync(SAMPLE.subarray(0, 20_000), { params: { [constants.ZSTD_c_checksumFlag]: 1 } });
  for (let left = 60; left > 0; left--) {
    const damaged = Buffer.from(packed);
    damaged[5 + next(packed.length - 5)]! ^= 1 << next(8);
    const { status, stderr } = urlsum([], damaged);
    assert.is(status, 2, stderr);
  }
});

tests('gzip: a changed bit never ends with status 0, and the message says what was printed', () => {
  const next = random();
  const packed = gzipSync(SAMPLE.subarray(0, 20_000));
  for (let left = 30; left > 0; left--) {
    const damaged = Buffer.from(packed);
    damaged[10 + next(packed.length - 10)]! ^= 1 << next(8);
    mustGive(urlsum([], damaged), { status: 2, says: /; lines before may be damaged, too, which --out never shows\n/ });
  }
  const out = file('sums', '');
  const broken = Buffer.from(packed);
  broken[packed.length - 5]! ^= 1;
  assert.is(urlsum(['--out', out], broken).status, 2);
  assert.is(readFileSync(out, 'utf8'), '', '--out never shows them');
});

tests('zstd: frames one after another, skippable ones among them', async () => {
  if (!HAS_ZSTD) return;
  const expected = 'http://a/\nhttp://b/\n';
  assert.is((await plain([ZSTD])).toString(), expected);
  assert.is((await plain([...ZSTD].map((byte) => Uint8Array.of(byte)))).toString(), expected);
  assert.is((await plain([SKIPPABLE, ZSTD])).toString(), expected);
  assert.is(
    urlsum(['--format', 'hex'], ZSTD).stdout.toString(),
    urlsum(['--format', 'hex'], expected).stdout.toString(),
  );
  mustGive(urlsum([], ZSTD.subarray(0, ZSTD.length - 1)), { status: 2, says: /-: unexpected (?:EOF|end of file)/ });
});

tests.run();

const encodings = suite('encodings');

/** Texts, the codec of Python that encodes them, and labels of the Encoding Standard for it. */
const TEXTS: readonly (readonly [text: string, codec: string, ...labels: readonly string[]])[] = [
  ['äöü', 'latin-1', 'latin1', 'ISO-8859-1', 'ascii'],
  ['€“”Žÿ', 'cp1252', 'windows-1252', 'latin1'],
  ['Пример', 'cp1251', 'windows-1251'],
  ['Пример', 'koi8-r', 'koi8-r'],
  ['Пример', 'cp866', 'ibm866'],
  ['żółw', 'iso8859-2', 'latin2'],
  ['αβγ', 'iso8859-7', 'greek'],
  ['日本語', 'shift_jis', 'sjis', 'shift_jis'],
  ['日本語', 'euc-jp', 'euc-jp'],
  ['日本語', 'iso2022-jp', 'iso-2022-jp'],
  ['中文', 'gb18030', 'gb18030', 'gbk'],
  ['中文', 'big5', 'big5'],
  ['한국어', 'euc-kr', 'euc-kr'],
  ['é😀', 'utf-16-le', 'utf-16', 'utf-16le'],
  ['é😀', 'utf-16-be', 'utf-16be'],
];

function encodedByPython(): Buffer[] {
  const script = `
import json, sys
for text, codec in json.load(sys.stdin):
    print(("http://a/" + text + "\\nhttp://" + text + ".example/?" + text + "\\n").encode(codec).hex())
`;
  const input = JSON.stringify(TEXTS.map(([text, codec]) => [text, codec]));
  const lines = execFileSync('python3', ['-c', script], { input, encoding: 'utf8' }).trim().split('\n');
  return lines.map((hex) => Buffer.from(hex, 'hex'));
}

encodings('text that Python encodes has the keys of the same text in UTF-8, whole and byte by byte', async () => {
  if (!hasProgram('python3')) return;
  for (const [index, bytes] of encodedByPython().entries()) {
    const [text, codec, ...labels] = TEXTS[index]!;
    const lines = `http://a/${text}\nhttp://${text}.example/?${text}\n`;
    for (const label of labels) {
      const expected = textOf(['--width', '8'], lines);
      assert.equal(textOf(['--width', '8', '--encoding', label], bytes), expected, `${codec} ${label}`);
      if (index % 5 === 0)
        assert.equal(textOf(['--width', '8', '--encoding', label, '-j', '2'], gzipSync(bytes)), expected);
      async function* pieces() {
        for (const byte of bytes) yield Uint8Array.of(byte);
      }
      let read = '';
      for await (const piece of decoded(pieces(), new TextDecoder(label).encoding)) read += Buffer.from(piece);
      assert.is(read, lines, label);
    }
  }
});

encodings('a byte order mark says more than the option, and needs none', () => {
  const text = 'http://a/é\n';
  const expected = 'http://a/%C3%A9\n';
  for (const bytes of [
    Buffer.from(`\ufeff${text}`),
    Buffer.from(`\ufeff${text}`, 'utf16le'),
    Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
  ])
    for (const options of [[], ['--encoding', 'latin1'], ['--encoding', 'utf-16be'], ['-j', '2']]) {
      const path = file('marked.txt', bytes);
      assert.equal(textOf(['canon', ...options, path]), { status: 0, stdout: expected, stderr: '' }, options.join());
    }
});

encodings('records and lines that end in NUL are decoded before anything else', () => {
  const utf16 = (text: string) => Buffer.from(text, 'utf16le');
  const run = (args: readonly string[], text: string) =>
    textOf(['--width', '8', '--encoding', 'utf-16le', ...args], utf16(text));
  for (const [args, text] of [
    [['-z'], 'http://a/ä\0http://b/\n\0'],
    [['--csv', '-f', 'url'], 'id,url\n"ö\n",http://a/ä\n'],
    [['--json', 'url'], '{"url":"http://a/ä"}\n'],
    [['--tsv', '-f', '2'], 'ö\thttp://a/ä\n'],
  ] as const)
    assert.equal(run(args, text), textOf(['--width', '8', ...args], text), args.join(' '));
});

const LATIN1 = Buffer.from('http://a/ä\nhttp://a/ö\nhttp://a/b\n', 'latin1');

encodings('lines that are not of their encoding are counted through all inputs, and told once', () => {
  const notice = 'urlsum: 4 lines are not UTF-8 (docs/bulk.md#encodings)\n';
  const paths = [file('one.txt', LATIN1), file('two.txt', LATIN1)];
  for (const args of [[], ['-j', '2'], ['canon'], ['--format', 'bin'], ['expressions'], ['--quiet']]) {
    mustGive(textOf([...args, ...paths]), { status: 0, stderr: notice }, args.join(' '));
  }
  const both = textOf(['--width', '8', ...paths]).stdout.split('\n');
  assert.is(both[0]!.slice(0, 16), both[1]!.slice(0, 16)); // why it is told
  const csv = Buffer.concat([Buffer.from('id,url\n'), Buffer.from('ä,http://a/\nb,http://b/\n', 'latin1')]);
  assert.is(textOf(['--csv', '-f', 'url'], csv).stderr, 'urlsum: 1 line is not UTF-8 (docs/bulk.md#encodings)\n');
  const sjis = textOf(['--encoding', 'shift_jis'], Buffer.from([...Buffer.from('http://a/'), 0xff, 0x0a]));
  assert.is(sjis.stderr, 'urlsum: 1 line is not shift_jis: U+FFFD stands for what it does not have\n');
  assert.is(textOf([], 'http://a/\ufffd\n').stderr, '');
});

encodings('an unknown label is refused', () => {
  for (const label of ['', 'latin-one', 'replacement']) {
    mustGive(textOf([`--encoding=${label}`], 'http://a/\n'), {
      status: 2,
      says: `--encoding must be a label of the Encoding Standard, such as latin1 or utf-16le, not '${label}'`,
    });
  }
});

encodings.run();
