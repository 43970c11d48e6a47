import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { visible } from '../../../src/core/bytes/text.ts';
import { withoutUnseen } from '../../../src/core/quote.ts';
import { ENVIRONMENT } from '../../support/environment.ts';
import { FOLDER, file } from '../../support/scratch.ts';
import { mustGive, spawned, textOf, urlsum } from '../command.ts';

const tests = suite('complaints');

/** Characters that a terminal obeys: line ends, escape sequences in seven and in eight bits, and marks of direction. */
const OBEYED = [
  ...['\n', '\r', '\x1b[2J', '\x07', '\x7f', '\u009b2J', '\u0085', '\u2028', '\u202e', '\u2066', '\u200f', '\u061c'],
];
const RAW = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

tests('what a terminal obeys is escaped: all of C0 but the tab, DEL, C1, separators, direction', () => {
  for (let code = 0; code < 0x3000; code++) {
    const character = String.fromCharCode(code);
    const isObeyed = RAW.test(character) || character === '\n';
    assert.is(visible(character) !== character, isObeyed, code.toString(16));
    assert.not.match(visible(character), RAW);
  }
  assert.is(visible('a\n\r\x1b\u009b\u202eb\tc'), 'a\\n\\r\\u001b\\u009b\\u202eb\tc');
});

for (const obeyed of OBEYED) {
  const name = JSON.stringify(obeyed).replace(/[\x7f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`);
  tests(`${name} in a line, in the name of a file that is read and of one that is not there`, () => {
    const path = file(`name${obeyed}urlsum: fake`, 'bad\n');
    const complaint = textOf([path]).stderr;
    assert.is(complaint.split('\n').length, 2, complaint);
    assert.is(
      complaint,
      `urlsum: ${visible(withoutUnseen(path))}:1: not a URL: "bad": ${complaint.split('"bad": ')[1]}`,
    );
    const none = textOf([`${FOLDER}/none${obeyed}`]).stderr;
    assert.is(none.split('\n').length, 2);
    assert.not.match(none, RAW);
    const line = textOf(['-z'], `bad${obeyed}\0`).stderr;
    assert.is(line.split('\n').length, 2);
    assert.not.match(line, RAW);
    assert.not.match(textOf([`--${obeyed}`]).stderr, RAW);
  });

  tests(`${name} in a line of --check and in the name of a file of hash-uri check`, () => {
    if (!/[\n\r]/.test(obeyed)) {
      mustGive(textOf(['-c'], `  bad${obeyed}x\n`), { status: 0, stdout: `bad${visible(obeyed)}x: OK\n` });
    }
    assert.is(textOf(['-c', '-z'], `  bad${obeyed}x\0`).stdout, `bad${obeyed}x: OK\0`, 'NUL: for programs');
    const path = file(`x${obeyed}y`, '');
    assert.is(textOf(['hash-uri', 'check', path]).stdout, `${visible(path)}: NO HASH-URI\n`);
  });
}

tests('--check: bytes that are not UTF-8 stay, but not where they are C1 controls', () => {
  const check = (line: string) => urlsum(['-c'], Buffer.from(line, 'latin1'));
  assert.is(check('  bad\xff\xe4\n').stdout.toString('latin1'), 'bad\xff\xe4: OK\n');
  assert.is(check('  bad\x9b2J\n').stdout.toString(), 'bad\ufffd2J: OK\n');
});

/** Preloaded: standard error takes one write per twenty turns of the event loop; what most waited is told at the end. */
const SLOW_READER = `
import { writeSync } from 'node:fs';
import { Writable } from 'node:stream';
let [most, lineCount] = [0, 0];
const after = (turns, done) => (turns === 0 ? done() : setImmediate(after, turns - 1, done));
const slow = new Writable({ write(chunk, _, done) { lineCount += chunk.toString().split('\\n').length - 1; after(20, done); } });
const { write } = slow;
slow.write = (...args) => { const isFree = write.apply(slow, args); most = Math.max(most, slow.writableLength); return isFree; };
Object.defineProperty(process, 'stderr', { value: slow });
process.on('exit', () => writeSync(2, JSON.stringify({ most, lineCount })));
`;

tests('a reader of standard error that is slow gets every complaint, and they do not pile up', () => {
  const hook = file('slow-reader.mjs', SLOW_READER);
  const mostOf = (lineCount: number) => {
    const bad = file('bad', `${'x'.repeat(180)}\n`.repeat(lineCount));
    const args = ['--import', hook, 'dist/esm/cli.js', '--all-errors', '--format', 'bin', bad];
    const { stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env: ENVIRONMENT, maxBuffer: 1 << 26 });
    const found = JSON.parse(stderr) as { readonly most: number; readonly lineCount: number };
    assert.is(found.lineCount, lineCount);
    return found.most;
  };
  const [few, many] = [mostOf(10_000), mostOf(40_000)];
  assert.ok(few > 0 && many < 1.5 * few, `${few} bytes waited, of four times as many ${many}`);
});

tests('a pipe gets every complaint', () => {
  const bad = file('bad', 'bad\n'.repeat(5000));
  const script = '"$0" dist/esm/cli.js --all-errors --format bin "$1" 2>&1 >/dev/null | wc -l';
  const { stdout } = spawnSync('bash', ['-c', script, process.execPath, bad], { encoding: 'utf8', env: ENVIRONMENT });
  assert.is(stdout.trim(), '5000');
});

tests('each input has its first ten, the counts are of all', () => {
  const [one, two] = ['one', 'two'].map((name) => file(name, 'bad\n'.repeat(12)));
  const { stderr } = textOf([one!, two!]);
  assert.is(stderr.match(/one:\d+: /g)?.length, 10);
  assert.is(stderr.match(/two:\d+: /g)?.length, 10);
  assert.match(
    stderr,
    /\nurlsum: 24 bad lines, 20 shown \(--all-errors shows each\):\nurlsum: +24 missing-scheme-non-relative-URL\n$/,
  );
  assert.not.match(textOf([one!, '--on-error', 'fail']).stderr, /shows each/, 'nothing is read after the first');
  for (const [onError, invalid] of [
    ['null', 24],
    ['fail', 1],
  ] as const) {
    const stats = textOf([one!, two!, '--stats=json', '--on-error', onError]).stderr.split('\n').at(-2)!;
    assert.is(JSON.parse(stats).invalid, invalid, 'as the counts say');
  }
});

tests('at a terminal urlsum says that it waits', () => {
  const { error, stdout } = spawnSync(
    'script',
    ['-qec', `'${process.execPath}' dist/esm/cli.js --format hex`, '/dev/null'],
    { input: 'http://a/\n\x04', encoding: 'utf8', env: ENVIRONMENT },
  );
  if (error !== undefined) return console.log('no script on this system');
  assert.match(stdout, /urlsum: reading URLs from the terminal, one per line; Ctrl-D ends the input\r?\n/);
  assert.is(spawned([], 'http://a/\n').stderr, '');
  assert.is(spawned(['canon', '-'], 'http://a/\n').stderr, '');
});

tests('each complaint names what is wrong, and the place', () => {
  const folder = join(FOLDER, 'taken');
  mkdirSync(join(folder, 'k.idx.lock'), { recursive: true });
  const [table, cut] = [
    file('one.csv', 'a,b\n'),
    file('cut.gz', gzipSync('http://a.example/\n'.repeat(9)).subarray(0, -4)),
  ];
  const huge = '99999999999999999999';
  for (const [args, stdout, message] of [
    [['--help=x'], '', '--help takes no value'],
    [['canon', '--version=1'], '', '--version takes no value'],
    [['--out', folder], '', `${folder}: it is a folder, not a file`],
    [['--out', `${folder}/none/x`], '', `${folder}/none/x: its folder does not exist`],
    [['--unseen', `${folder}/none/x`], '', `${folder}/none/x: its folder does not exist`],
    [['--unseen', `${folder}/k.idx`], '', `${folder}/k.idx.lock: it is a folder, not a file`],
    [['--memory', '64M'], '', '--memory needs --unseen or Parquet'],
    [['--csv', '-f', huge, table], '', `${table}: it has no column ${huge}: its first record has 2 columns`],
    [['hash-uri', 'check', `${folder}/none`], '', `${folder}/none: no such file`],
    [['hash-uri', 'check', folder], '', `${folder}: it is a folder, not a file: name the files in it`],
    [
      ['list', 'build', '--out', `${folder}/x.list`, cut],
      '',
      `${cut}: unexpected end of file; lines before may be damaged, too, which --out never shows`,
    ],
  ] as const) {
    const run = textOf(args);
    assert.equal([run.stdout, run.status], [stdout, 2], args.join(' '));
    assert.is(run.stderr.split('\n')[0], `urlsum: ${message}`);
    assert.not.match(run.stderr, /entries/, 'no summary of a list that is not written');
  }
  mustGive(urlsum(['--cdx'], 'http://a/\n'), { says: /not a CDX record: it has 1 field, not 7, 9 or 11/ });
});

tests.run();
