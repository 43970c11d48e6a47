import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Diagnostics } from '../../../src/command/arguments/diagnostics.ts';
import { inputText } from '../../../src/command/read/input-text.ts';
import { Input, totalOf } from '../../../src/command/read/inputs.ts';
import { expectedCollisions } from '../../../src/command/work/chances.ts';
import { BlockReport } from '../../../src/command/work/results.ts';
import { hasStatusLine, progress, RunReport } from '../../../src/command/work/run-report.ts';
import { PROFILE } from '../../../src/index.ts';
import { FOLDER, file } from '../../support/scratch.ts';
import { mustGive, textOf, urlsum } from '../command.ts';

const tests = suite('progress, --stats');

tests('at most ten draws per second: the rate from the first block on, the share of what is read, what is left', () => {
  const drawn: string[] = [];
  let [nowMs, readBytes] = [60_000, 0]; // the run has had a minute before the first block
  const options = { draw: (text: string) => void drawn.push(text), now: () => nowMs, readBytes: () => readBytes };
  const add = progress({ totalBytes: 4000, ...options });
  for (; nowMs < 61_000; nowMs += 5) {
    readBytes += 2; // packed, while the lines have any length
    add(1, nowMs % 2);
  }
  assert.is(drawn.length, 10);
  assert.is(drawn[0], '1 line  0 %  0 invalid');
  assert.is(drawn[1], '21 lines  200/s  1 %  10 s left  10 invalid');
  assert.is(drawn[9], '181 lines  200/s  9 %  10 s left  90 invalid');
  const addGap = progress({ totalBytes: undefined, ...options });
  addGap(1000, 0);
  nowMs += 2000;
  addGap(1000, 1);
  assert.is(drawn.at(-1), '2000 lines  500/s  1 invalid');
});

tests('what is left in seconds, minutes and hours, and nothing at the end', () => {
  for (const [totalBytes, expected] of [
    [2, '0 s left'],
    [61, '59 s left'],
    [62, '1:00 left'],
    [3601, '59:59 left'],
    [36_602, '10:10:00 left'],
  ] as const) {
    const drawn: string[] = [];
    let [nowMs, readBytes] = [0, 1];
    const options = { draw: (text: string) => void drawn.push(text), now: () => nowMs, readBytes: () => readBytes };
    const add = progress({ totalBytes, ...options });
    add(1, 0);
    nowMs = 1000;
    readBytes = 2;
    add(1, 0);
    assert.is(drawn[1]!.split('  ')[3], expected);
  }
});

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

tests('none where lines are typed at the terminal or come out there, nor without one', () => {
  const [terminal, file] = [{ isTTY: true }, {}];
  const both = { standardInput: true, standardOutput: true };
  const of = (stdin: object, stdout: object, stderr: object, uses = both) =>
    hasStatusLine({ stdin, stdout, stderr }, uses);
  assert.is(of(file, file, terminal), true);
  assert.is(of(terminal, file, terminal), false);
  assert.is(of(file, terminal, terminal), false);
  assert.is(of(file, file, file), false);
  assert.is(of(terminal, file, terminal, { standardInput: false, standardOutput: true }), true, 'urlsum FILE > OUT');
  assert.is(of(terminal, terminal, terminal, { standardInput: false, standardOutput: false }), true, '-o OUT FILE');
});

tests('--stats=json: one object on one line, and nothing of it on standard output', () => {
  const input = 'http://a/\nHTTP://B:80\nbad\nhttp://\nworse\n';
  const { status, stdout, stderr } = urlsum(['--stats=json', '--width', '8', '--on-error', 'keep'], input);
  assert.is(status, 1);
  assert.is(stdout.toString().split('\n').length, 6);
  const { seconds, linesPerSecond, peakMemoryBytes, ...rest } = JSON.parse(
    stderr.trimEnd().split('\n').at(-1)!,
  ) as Record<string, number>;
  assert.ok(seconds! > 0 && seconds! < 60 && peakMemoryBytes! > 1e7);
  assert.ok(Math.abs(linesPerSecond! - 5 / seconds!) < 1e-6 * linesPerSecond!);
  assert.equal(rest, {
    lines: 5,
    bytes: input.length,
    invalid: 3,
    invalidByReason: { 'missing-scheme-non-relative-URL': 2, 'host-missing': 1 },
    proven: 1,
    rewritten: 1,
    parsed: 3,
    threads: 1,
    profile: PROFILE,
    width: 8,
    expectedCollisions: 1 / 2 ** 64,
  });
});

tests('--stats as text has the same figures, and the argument after it is a file', () => {
  const { stdout, stderr } = urlsum(['--stats', '--dedup', file('few', 'http://a/\nhttp://a/\n')]);
  assert.is(stdout.toString().split('\n').length, 2);
  for (const row of [
    /^lines +2$/m,
    /^selected +1 \(50\.0 %\)$/m,
    /^proven canonical +2 \(100\.0 %\)$/m,
    /^profile +url\//m,
    /^expected collisions +\S+ at 32 bytes a hash$/m,
  ])
    assert.match(stderr, row);
  assert.is(urlsum(['--stats=xml'], '').status, 2);
});

tests('the expected number of collisions', () => {
  // reference values of the birthday bound: 10^9 words of 64 bits share 2.7 % of one pair
  assert.is(expectedCollisions(1e9, 8).toPrecision(3), '0.0271');
  assert.is(expectedCollisions(5e9, 8).toPrecision(3), '0.678');
  assert.is(expectedCollisions(1, 8), 0);
  assert.is(expectedCollisions(0, 8), 0);
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
