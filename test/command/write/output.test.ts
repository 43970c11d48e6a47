import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { COMMANDS } from '../../../src/command/commands/commands.ts';
import { RUN_FLAGS } from '../../../src/command/commands/line-flags.ts';
import { ENVIRONMENT } from '../../support/environment.ts';
import { FOLDER, file } from '../../support/scratch.ts';
import { mustGive, urlsum } from '../command.ts';
import { watchedRun } from '../io-points.ts';

const tests = suite('urlsum --out');
const SAMPLE = 'bench/sample/urls.txt';
const EXPECTED = urlsum([SAMPLE]).stdout;

let count = 0;
/** A new folder, so that what is left in it can be told. */
function place(): { readonly folder: string; readonly out: string } {
  const folder = join(FOLDER, `place-${count++}`);
  mkdirSync(folder);
  return { folder, out: join(folder, 'out') };
}

tests('the file holds what standard output would, which stays empty', () => {
  const { folder, out } = place();
  mustGive(urlsum(['--out', out, SAMPLE]), { status: 1, stdout: '' });
  assert.ok(readFileSync(out).equals(EXPECTED));
  assert.equal(readdirSync(folder), ['out']);
});

tests('what was there is replaced at the end, with its mode, and through a link', () => {
  const { folder, out } = place();
  writeFileSync(out, 'old');
  chmodSync(out, 0o640);
  symlinkSync('out', join(folder, 'link'));
  assert.is(urlsum(['--out', join(folder, 'link'), SAMPLE]).status, 1);
  assert.ok(readFileSync(out).equals(EXPECTED));
  assert.is(statSync(out).mode & 0o777, 0o640);
  assert.is(readlinkSync(join(folder, 'link')), 'out');
});

for (const [name, args, status] of [
  ['a bad line under --on-error fail', ['--on-error', 'fail', SAMPLE], 1],
  ['a file that cannot be read', [SAMPLE, 'none'], 2],
  ['a damaged file', [file('damaged.gz', '\x1f'), file('cut.gz', Buffer.from('1f8b0800', 'hex'))], 2],
] as const) {
  tests(`${name}: what was there stays, and nothing else`, () => {
    const { folder, out } = place();
    writeFileSync(out, 'old');
    assert.is(urlsum(['--out', out, ...args]).status, status);
    assert.is(readFileSync(out, 'utf8'), 'old');
    assert.equal(readdirSync(folder), ['out']);
  });
}

tests('canon --out', () => {
  const { folder, out } = place();
  assert.is(urlsum(['canon', '--out', out], 'HTTP://A\n').status, 0);
  assert.is(readFileSync(out, 'utf8'), 'http://a/\n');
  assert.is(urlsum(['canon', '--out', out, '--on-error', 'fail'], 'bad\n').status, 1);
  assert.is(readFileSync(out, 'utf8'), 'http://a/\n');
  assert.equal(readdirSync(folder), ['out']);
});

for (const signal of ['SIGINT', 'SIGTERM', 'SIGKILL'] as const) {
  tests(`${signal} in the middle: nothing under the name${signal === 'SIGKILL' ? '' : ', nor beside it'}`, async () => {
    const { folder, out } = place();
    const { child, closed, reached } = watchedRun(['--out', out]);
    child.stdin!.write('http://a/\n'.repeat(100_000));
    await reached('after write .tmp'); // standard input stays open
    child.kill(signal);
    assert.equal(await closed, [null, signal]);
    assert.is(existsSync(out), false);
    if (signal !== 'SIGKILL') assert.equal(readdirSync(folder), []);
  });
}

tests('a signal as soon as there is something beside the name: nothing is left', async () => {
  const { folder, out } = place();
  const { closed } = watchedRun(['--out', out, SAMPLE], { point: 'after openSync .tmp', signal: 'SIGTERM' });
  assert.equal(await closed, [null, 'SIGTERM']);
  assert.equal(readdirSync(folder), []);
});

tests('a renaming that fails: exit status 2, and nothing is left', async () => {
  const { folder, out } = place();
  const { child, closed, reached } = watchedRun(['--out', out]);
  const complaints = text(child.stderr!);
  await reached('after openSync .tmp');
  mkdirSync(out);
  child.stdin!.end('http://a/\n');
  assert.equal(await closed, [2, null]);
  assert.match(await complaints, /out: (?:it is a folder|ENOTEMPTY|EEXIST)/);
  assert.equal(readdirSync(folder), ['out']);
});

tests('SIGTERM when the file has its name: it stays', async () => {
  const { folder, out } = place();
  const { closed } = watchedRun(['--out', out, SAMPLE], { point: 'after renameSync .tmp', signal: 'SIGTERM' });
  const [status, signal] = await closed;
  assert.ok(status === 1 || signal === 'SIGTERM', `${status} ${signal}`); // 1: the sample has bad lines
  assert.ok(readFileSync(out).equals(EXPECTED));
  assert.equal(readdirSync(folder), ['out']);
});

tests('standard error is closed: the output is whole, and so is the status', () => {
  const { folder, out } = place();
  const many = file('complaints', `${'bad\n'.repeat(5000)}http://a/\n`);
  const statusFile = join(FOLDER, 'status');
  spawnSync('bash', [
    '-c',
    `("$0" dist/esm/cli.js --out "${out}" "${many}" 2>&1; echo $? > "${statusFile}") | head -n 1`,
    process.execPath,
  ]);
  assert.is(readFileSync(statusFile, 'utf8'), '1\n');
  assert.is(readFileSync(out, 'utf8').split('\n').length, 5002);
  assert.equal(readdirSync(folder), ['out']);
});

tests('a full disk: exit status 2, nothing under the name', () => {
  const { folder, out } = place();
  const many = file('many', 'http://example.com/\n'.repeat(50_000));
  // A limit on the size of files stands in for a full disk: EFBIG where that says ENOSPC
  const { status, stderr } = spawnSync(
    'bash',
    ['-c', `trap '' XFSZ; ulimit -f 1000; exec "$0" dist/esm/cli.js --out "${out}" "${many}"`, process.execPath],
    { encoding: 'utf8', env: ENVIRONMENT },
  );
  assert.is(status, 2);
  assert.match(stderr, /out: EFBIG/);
  assert.equal(readdirSync(folder), []);
});

tests('a device is written to as it stands', () => {
  if (!existsSync('/dev/full')) return console.log('no /dev/full on this system');
  mustGive(urlsum(['--out', '/dev/full'], 'http://a/\n'), { status: 2, says: /^urlsum: \/dev\/full: ENOSPC/ });
  assert.ok(statSync('/dev/full').isCharacterDevice());
});

/** Runs the command in bash, where "$0" is Node, and "$1" and "$2" what is given. */
function inShell(script: string, ...values: readonly string[]) {
  return spawnSync('bash', ['-c', script, process.execPath, ...values], { encoding: 'utf8', env: ENVIRONMENT });
}

tests('/dev/stdout and an open descriptor are written to where the shell has opened them', () => {
  for (const [path, redirection] of [
    ['/dev/stdout', '>'],
    ['/dev/fd/1', '>'],
    ['/dev/fd/3', '3>'],
    [join(FOLDER, 'link-to-stdout'), '>'],
  ] as const) {
    const { folder, out } = place();
    if (!existsSync(path)) symlinkSync('/dev/stdout', path);
    const descriptor = redirection === '3>' ? 3 : 1;
    const script = `{ echo before >&${descriptor}; "$0" dist/esm/cli.js --out "$1" ${SAMPLE}; echo after >&${descriptor}; } ${redirection} "$2"`;
    inShell(script, path, out);
    assert.is(readFileSync(out, 'latin1'), `before\n${EXPECTED.toString('latin1')}after\n`, path);
    assert.equal(readdirSync(folder), ['out']);
  }
  const piped = inShell(`"$0" dist/esm/cli.js --out /dev/stdout ${SAMPLE} | head -n 3`).stdout;
  assert.is(piped, EXPECTED.toString('latin1').split('\n', 3).join('\n') + '\n');
});

tests('a pipe that does not block: it waits until there is room', () => {
  const lines = file('nonblocking.txt', 'https://a.example/\n'.repeat(20_000));
  const script = `
import os, subprocess, sys
read, write = os.pipe()
os.set_blocking(write, False)
child = subprocess.Popen([*sys.argv[1:3], '--out', f'/dev/fd/{write}', sys.argv[3]], pass_fds=[write])
os.close(write)
with os.fdopen(read, 'rb') as output:
    print(output.read().count(b'\\n'), child.wait())`;
  const args = ['-c', script, process.execPath, 'dist/esm/cli.js', lines];
  const { error, stdout } = spawnSync('python3', args, { encoding: 'utf8' });
  if (error !== undefined) return console.log('no Python on this system');
  assert.is(stdout, '20000 0\n');
});

tests('standard output is closed: said, where the system tells', () => {
  const closed = inShell(`"$0" dist/esm/cli.js ${SAMPLE} >&-`);
  if (existsSync('/proc/self/fdinfo')) assert.match(closed.stderr, /^urlsum: WARNING: standard output is closed, or /m);
  for (const dropped of ['> /dev/null', '| cat', '> /dev/null --out /dev/null']) {
    assert.not.match(inShell(`"$0" dist/esm/cli.js ${SAMPLE} ${dropped}`).stderr, /WARNING/, dropped);
  }
});

tests('a link to a file that is not there yet: the file comes, the link stays', () => {
  const { folder, out } = place();
  mkdirSync(join(folder, 'inner'));
  symlinkSync('inner/second', out);
  symlinkSync('../final', join(folder, 'inner/second'));
  assert.is(urlsum(['--out', out, SAMPLE]).status, 1);
  assert.ok(readFileSync(join(folder, 'final')).equals(EXPECTED));
  assert.is(readlinkSync(out), 'inner/second');
  assert.equal(readdirSync(folder, { recursive: true }).sort(), ['final', 'inner', 'inner/second', 'out']);
  symlinkSync('circle', join(folder, 'circle'));
  mustGive(urlsum(['--out', join(folder, 'circle')], ''), { status: 2, says: /circle: ELOOP/ });
});

tests('a name as long as names get', () => {
  for (const byteLength of [240, 255]) {
    const { folder } = place();
    const name = 'n'.repeat(byteLength);
    assert.is(urlsum(['--out', join(folder, name), SAMPLE]).status, 1);
    assert.equal(readdirSync(folder), [name]);
  }
});

tests('the mode: that of the file before, or of any new file', () => {
  for (const mode of [0o666, 0o600, 0o777]) {
    const { out } = place();
    writeFileSync(out, 'old');
    chmodSync(out, mode);
    inShell(`umask 027; "$0" dist/esm/cli.js --out "$1" ${SAMPLE}`, out);
    assert.ok(readFileSync(out).equals(EXPECTED));
    assert.is(statSync(out).mode & 0o7777, mode);
  }
  const { out } = place();
  inShell(`umask 027; "$0" dist/esm/cli.js --out "$1" ${SAMPLE}`, out);
  assert.is(statSync(out).mode & 0o7777, 0o640);
});

tests('the mode has permissions alone: a file that runs as its owner is replaced by one that does not', () => {
  const { out } = place();
  writeFileSync(out, 'old');
  chmodSync(out, 0o6755);
  urlsum(['--out', out], 'http://a/\n');
  assert.is(statSync(out).mode & 0o7777, 0o755);
});

tests('an empty name is refused before anything is read', async () => {
  const child = spawn(process.execPath, ['dist/esm/cli.js', '--out', ''], { stdio: ['pipe', 'ignore', 'pipe'] });
  const complaints = text(child.stderr);
  const closed = once(child, 'close'); // standard input stays open
  const ended = await Promise.race([closed, setTimeout(60_000, 'it waits for its input', { ref: false })]);
  child.kill();
  assert.equal(ended, [2, null]);
  assert.is(await complaints, 'urlsum: --out: the name of a file cannot be empty\n');
});

tests('a folder is refused, whether it exists or not', () => {
  const { folder } = place();
  for (const path of [folder, `${folder}/`, join(folder, 'none/')]) {
    mustGive(urlsum(['--out', path], 'http://a/\n'), { status: 2, says: /: (?:it is a folder|it names a folder)/ });
  }
  assert.equal(readdirSync(folder), []);
});

tests('a folder that does not exist: exit status 2, before anything is read', () => {
  const { status, stderr } = urlsum(['--out', join(FOLDER, 'none/out')], 'http://a/\n');
  assert.is(status, 2);
  assert.match(stderr, /none\/out: its folder does not exist/);
});

tests('lines do not get the name of a table, in any command whose output is lines', async () => {
  const outOfLines = RUN_FLAGS.out.read;
  const commands = await Promise.all(COMMANDS.map(async ({ name, load }) => ({ name, flags: (await load()).flags })));
  const found = commands.filter(({ flags }) => flags['out']?.read === outOfLines);
  assert.ok(found.length >= 10, `${found.length} commands`);
  const { folder } = place();
  for (const { name } of found) {
    const path = join(folder, "it's.parquet");
    const { status, stderr } = urlsum([...name.split(' ').filter(Boolean), '--out', path]);
    assert.is(status, 2, name);
    assert.match(stderr, /it's\.parquet: this command writes lines, not Parquet; urlsum sql "COPY \(/, name);
    assert.ok(stderr.includes(`TO '${path.replace("'", "''")}'" does\n`), stderr);
  }
  assert.equal(readdirSync(folder), []);
});

tests.run();

const terminalTests = suite('standard output is a terminal');

/** Runs a command line of the shell with a terminal as its standard output: script(1). */
function atTerminal(line: string): string | undefined {
  const { error, stdout } = spawnSync('script', ['-qec', line, '/dev/null'], { encoding: 'utf8', timeout: 60_000 });
  return error === undefined ? stdout.replaceAll('\r\n', '\n') : undefined;
}

const SHOWN_COMMANDS = [
  ...['', '--format tsv', 'canon --on-error keep', '--check', 'hash-uri check', 'expressions --on-error keep'],
];

terminalTests('what it would obey is escaped in the output of every command, and nowhere else', () => {
  const hostile = 'https://a/\u001b[2K\u001b[Gsafe\u202e\u009b31m\n';
  const path = file('hostile.txt', hostile);
  const sums = file('hostile.sums', `${'0'.repeat(64)}  ${hostile}`);
  for (const command of SHOWN_COMMANDS) {
    const line = `'${process.execPath}' dist/esm/cli.js ${command} ${command === '--check' ? sums : path}`;
    const shown = atTerminal(line);
    if (shown === undefined) return console.log('no script(1) on this system');
    assert.not.match(shown, /[\0-\x08\x0b-\x1f\x7f-\x9f\u202e]/, command);
  }
  const line = `'${process.execPath}' dist/esm/cli.js ${path}`;
  assert.ok(atTerminal(line)!.endsWith('  https://a/\\u001b[2K\\u001b[Gsafe\\u202e\\u009b31m\n'));
  assert.ok(spawnSync('bash', ['-c', line], { encoding: 'utf8' }).stdout.endsWith(`  ${hostile}`));
});

terminalTests.run();
