import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Diagnostics } from '../../../src/command/arguments/diagnostics.ts';
import { inputText } from '../../../src/command/read/input-text.ts';
import { Input, totalOf } from '../../../src/command/read/inputs.ts';
import { BlockReport } from '../../../src/command/work/results.ts';
import { RunReport } from '../../../src/command/work/run-report.ts';
import { FOLDER, file } from '../../support/scratch.ts';
import { mustGive, textOf } from '../command.ts';

const tests = suite('reports on a run');

tests('bytes are counted as they are read, packed if they are; a total is that of files', async () => {
  const lines = Buffer.from('http://a.example/\n'.repeat(100_000));
  const packed = gzipSync(lines);
  const paths = [file('progress.gz', packed), file('progress.txt', lines)];
  const inputs = paths.map((path) => new Input(path));
  assert.is(await totalOf(inputs), packed.length + lines.length);
  for (const others of [['-'], ['/dev/null'], ['http://a.example/'], [FOLDER]])
    assert.is(await totalOf([...paths, ...others].map((path) => new Input(path))), undefined);
  for (const input of inputs) {
    let byteLength = 0;
    for await (const chunk of inputText(input.chunks)) byteLength += chunk.length;
    assert.equal([byteLength, input.readBytes], [lines.length, input.name === paths[0] ? packed.length : lines.length]);
  }
});

/** Returns what a terminal shows in the end: each line after its last erasure. */
function shown(written: string): string[] {
  return written.split('\n').map((line) => line.split('\r\x1b[K').at(-1)!);
}

tests('the line stays below messages, and is drawn again after them', async () => {
  let written = '';
  const diagnostics = new Diagnostics({
    write(text, done) {
      written += text;
      done?.();
    },
  });
  diagnostics.showStatusLine('1 line');
  await diagnostics.tell(['one', 'two']);
  diagnostics.trouble('three');
  assert.equal(shown(written), ['urlsum: one', 'urlsum: two', 'urlsum: three', '1 line']);
  diagnostics.showStatusLine('2 lines');
  diagnostics.showStatusLine('');
  await diagnostics.tell(['four']);
  assert.equal(shown(written), ['urlsum: one', 'urlsum: two', 'urlsum: three', 'urlsum: four', '']);
  assert.is(diagnostics.status, 2);
});

tests('blocks with bad lines that are not shown leave the line where it is', async () => {
  let written = '';
  const diagnostics = new Diagnostics({
    write(text, done) {
      written += text;
      done?.();
    },
  });
  const framing = { cutter: () => () => 0, batches: () => [] };
  const form = { encoding: 'utf-8', records: undefined, framing, statistics: undefined };
  const plan = { ...form, onError: 'null', threadCount: 1, shownLimit: 0, exitsZero: false } as const;
  const runReport = new RunReport(plan, diagnostics, {
    totalBytes: undefined,
    readBytes: () => 0,
    hasStatusLine: true,
  });
  const report = Object.assign(new BlockReport(1), { rowCount: 1, recordCount: 1 });
  report.problems.push({ number: 0, reason: 'x' });
  for (let block = 0; block < 3; block++) await runReport.add('-', report);
  assert.match(shown(written).at(-1)!, /^\d lines?.* invalid$/);
  await runReport.end({}, undefined);
  assert.not.match(shown(written).join(), /lines? /);
});

const RECORD = '{"id":1,"url":"HTTPS://example.com"}\n';

tests('an input with bad rows and none with a value ends with 2, and says what its first bad row has', () => {
  const many = `\n${RECORD.repeat(3000)}not JSON\n`;
  const lacking = 'the object has no string in the field "uri" but';
  for (const threads of ['1', '2'])
    for (const args of [['--exit-zero'], [], ['--quiet']]) {
      const { status, stderr } = textOf(['--json', 'uri', '--skip-blank', '-j', threads, ...args], many);
      assert.is(status, 2);
      const reason = `row 2: ${lacking} "id", "url" (malformed-record)`;
      assert.match(stderr, `urlsum: -: none of its 3002 rows has a value; ${reason}\n`);
    }
  for (const [args, input, complaint] of [
    [['--json', 'uri'], '{}\n', `1 row has a value; row 1: ${lacking} no members`],
    [['--json', 'id'], RECORD, '1 row has a value; row 1: the object has no string in the field "id" but 1'],
    [['--json', 'x'], '{"x":["http://a/"]}\n', 'the object has no string in the field "x" but an array'],
    [
      ['--json', 'uri'],
      'http://a/\n[1]\n',
      '2 rows has a value; row 1: not a JSON object (malformed-record); it seems to be lines of URLs: ',
    ],
    [['--json', 'uri'], 'id,url\n1,http://a/\n', 'it seems to be a table: --csv, --tsv'],
    [['--json', 'uri'], '192.0.2.1 - - [01/Nov/2026:00:00:00 +0000] "GET / HTTP/1.1" 200 2\n', 'an access log: --log'],
    [['--json', 'uri'], ' CDX N b a\n', 'it seems to be the index of a web archive: --cdx reads it (docs/'],
    [['--cdx'], 'http://a/\n[1]\n', 'row 1: not a CDX record: it has 1 field, not 7, 9 or 11'],
    [['--cdx'], RECORD.repeat(2), 'it seems to be JSON lines: --json FIELD reads'],
    [['--delimiter', ' ', '-f', '9'], 'a b\nc\n', 'row 1: not a record with a column 9: it has 2 columns'],
    [['--csv', '-f', 'a'], 'a,b\n1\n1\n', 'row 2: not a record of this table: it has 1 column, not 2'],
    [['--log'], 'x\n- - - [x] "-" 408 -\n', 'row 1: not of a format that --log knows'],
  ] as const) {
    mustGive(textOf([...args, '--exit-zero'], input), { status: 2, says: complaint }, input);
  }
  for (const [args, input] of [
    [['--json', 'uri'], `${RECORD}{"uri":"http://a/"}\n`],
    [['--json', 'uri'], ''],
    [['--csv', '-f', 'url'], 'id,url\n'],
    [['--log'], '#Version: 1.0\n'],
    [['--json', 'uri', '--skip-blank'], '\n \n'],
  ] as const)
    assert.is(textOf([...args, '--exit-zero'], input).status, 0, input);
  const [one, other] = [file('one.jsonl', RECORD), file('other.jsonl', '{"uri":"http://a/"}\n')];
  const two = textOf(['--json', 'uri', '--exit-zero', one, other], '');
  assert.is(two.status, 2);
  assert.match(two.stderr, `${one}: none of its 1 row has`);
});

tests.run();
