import { execFileSync } from 'node:child_process';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { decoded } from '../../../src/command/read/encoding.ts';
import { hasProgram } from '../../programs.ts';
import { textOf } from '../files.ts';
import { file } from '../scratch.ts';

const tests = suite('encodings');

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

tests('text that Python encodes has the keys of the same text in UTF-8, whole and byte by byte', async () => {
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

tests('a byte order mark says more than the option, and needs none', () => {
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

tests('records and lines that end in NUL are decoded before anything else', () => {
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

tests('lines that are not of their encoding are counted through all inputs, and told once', () => {
  const notice = 'urlsum: 4 lines are not UTF-8: pass --encoding latin1\n';
  const paths = [file('one.txt', LATIN1), file('two.txt', LATIN1)];
  for (const args of [[], ['-j', '2'], ['canon'], ['--format', 'bin'], ['expressions'], ['--quiet']]) {
    const { status, stderr } = textOf([...args, ...paths]);
    assert.equal([status, stderr], [0, notice], args.join(' '));
  }
  const both = textOf(['--width', '8', ...paths]).stdout.split('\n');
  assert.is(both[0]!.slice(0, 16), both[1]!.slice(0, 16)); // why it is told
  const csv = Buffer.concat([Buffer.from('id,url\n'), Buffer.from('ä,http://a/\nb,http://b/\n', 'latin1')]);
  assert.is(textOf(['--csv', '-f', 'url'], csv).stderr, 'urlsum: 1 line is not UTF-8: pass --encoding latin1\n');
  const sjis = textOf(['--encoding', 'shift_jis'], Buffer.from([...Buffer.from('http://a/'), 0xff, 0x0a]));
  assert.is(sjis.stderr, 'urlsum: 1 line is not shift_jis: U+FFFD stands for what it does not have\n');
  assert.is(textOf([], 'http://a/\ufffd\n').stderr, '');
});

tests('what is no label is refused', () => {
  for (const label of ['', 'latin-one', 'replacement']) {
    const { status, stderr } = textOf([`--encoding=${label}`], 'http://a/\n');
    assert.is(status, 2);
    assert.match(
      stderr,
      `--encoding must be a label of the Encoding Standard, such as latin1 or utf-16le, not '${label}'`,
    );
  }
});

tests.run();
