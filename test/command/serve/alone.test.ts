import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { UrlHash } from '../../../src/index.ts';
import { OUTPUTS } from '../../../src/tables/outputs.ts';
import { ENVIRONMENT } from '../../support/environment.ts';
import { FOLDER, file } from '../../support/scratch.ts';
import { mustGive, spawned } from '../command.ts';
import { chunkOf } from './rows.ts';

const tests = suite('urlsum-serve.mjs');

/** The bundle alone, in a folder where nothing else can be imported from. */
const BUNDLE = join(FOLDER, 'urlsum-serve.mjs');
copyFileSync('dist/urlsum-serve.mjs', BUNDLE);

const EMPTY = new Uint8Array();

function run(args: readonly string[], input: Uint8Array = EMPTY, nodeArgs: readonly string[] = []) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...nodeArgs, BUNDLE, ...args], {
    input,
    maxBuffer: 1 << 30,
    env: ENVIRONMENT,
  });
  return { status, stdout, stderr: stderr.toString() };
}

function start(...args: string[]): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [BUNDLE, ...args], { env: ENVIRONMENT });
}

/** Gives so many bytes of a process's answers at a time. */
function takerFrom({ stdout }: ChildProcessWithoutNullStreams): (byteLength: number) => Promise<Buffer> {
  let received = Buffer.alloc(0);
  stdout.on('data', (piece) => (received = Buffer.concat([received, piece])));
  return async (byteLength) => {
    while (received.length < byteLength) await once(stdout, 'data');
    const taken = received.subarray(0, byteLength);
    received = received.subarray(byteLength);
    return taken;
  };
}

async function bytesOf(child: ChildProcessWithoutNullStreams): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of child.stdout) pieces.push(piece);
  return Buffer.concat(pieces);
}

const CHUNK = chunkOf(['https://example.com', 'no url', 'http://b/#x']);
const HASHES = UrlHash.of('https://example.com').hex + '0'.repeat(64) + UrlHash.of('http://b/#x').hex;

/** The command, and the file that is it alone: each with the name in its messages, and what comes after a wrong call. */
const DOORS = [
  [
    'urlsum',
    "Try 'urlsum serve --help'.\n",
    (args: readonly string[], input = EMPTY) => spawned(['serve', ...args], input),
  ],
  ['urlsum serve', '', run],
] as const;

for (const [name, hint, served] of DOORS) {
  tests(`${name}: chunks until the input ends: status 0, nothing on standard error`, () => {
    const { status, stdout, stderr } = served([], Buffer.concat([CHUNK, CHUNK]));
    assert.equal([status, stdout.toString('hex'), stderr], [0, HASHES + HASHES, '']);
    mustGive(served(['--output', 'canonical'], Buffer.from('1\n\x08HTTP://B')), {
      status: 0,
      stdout: '\x09http://b/',
      stderr: '',
    });
  });

  tests(
    `${name}: an input that ends inside a chunk: a sentence and status 2, and the whole chunks are answered`,
    () => {
      for (const end of [1, 2, 3, 20, CHUNK.length - 1]) {
        const { status, stdout, stderr } = served([], Buffer.concat([CHUNK, CHUNK.subarray(0, end)]));
        assert.ok(stdout.toString('hex').startsWith(HASHES), `${end}`);
        assert.equal([status, stderr], [2, `${name}: the input ended inside a chunk\n`]);
      }
    },
  );

  tests(`${name}: wrong options: a sentence and status 2, before anything else`, () => {
    for (const [args, message] of [
      [['--width', '7'], "--width must be one of 8, 16, 32, not '7'"],
      [['--format', 'rowbinary'], "unknown option '--format'"],
      [['urls.txt'], "serve reads only standard input, not 'urls.txt'"],
    ] as const)
      mustGive(served(args), { status: 2, stdout: '', stderr: `${name}: ${message}\n${hint}` });
  });
}

tests('every option of the form, one that changes the URLs of the self-test, too', () => {
  const url = 'http://www.h.example/?d=1&b=2&utm_id=3#f';
  const rules = file('rules.txt', 'h.example keep b');
  for (const [flags, form] of [
    [['--exclude-fragment'], 'http://www.h.example/?d=1&b=2&utm_id=3'],
    [['--drop-list', 'tracking-2026'], 'http://www.h.example/?d=1&b=2#f'],
    [['--drop-param', 'd'], 'http://www.h.example/?b=2&utm_id=3#f'],
    [['--keep-param', 'b'], 'http://www.h.example/?b=2#f'],
    [['--fold', 'https', '--fold=www'], 'https://h.example/?d=1&b=2&utm_id=3#f'],
    [['--fold', 'https,www'], 'https://h.example/?d=1&b=2&utm_id=3#f'],
    [['--site-rules', rules], 'http://www.h.example/?b=2#f'],
    [['--sort-params'], 'http://www.h.example/?b=2&d=1&utm_id=3#f'],
  ] as const) {
    const { status, stdout, stderr } = run(['--output', 'canonical', ...flags], chunkOf([url, 'no url']));
    assert.is(stderr, '', flags.join(' '));
    assert.equal([status, stdout.toString()], [0, `${String.fromCharCode(form.length)}${form}\0`]);
  }
});

tests('every output starts, and answers', () => {
  for (const [output, { profiles }] of Object.entries(OUTPUTS)) {
    for (const profile of profiles) {
      const { status, stdout, stderr } = run(
        ['--output', output, '--profile', profile],
        chunkOf(['https://example.com']),
      );
      assert.equal([stderr, status], ['', 0], `${output} ${profile}`);
      assert.ok(stdout.length > 0);
    }
  }
});

tests('a Node that does not hash as it must: a sentence and status 2, no answer', () => {
  const latin1 = "TextDecoder.prototype.decode = (bytes) => Buffer.from(bytes ?? []).toString('latin1');";
  const preload = file('latin1.cjs', latin1);
  for (const output of ['hash', 'u64', 'canonical']) {
    const { status, stdout, stderr } = run(['--output', output], CHUNK, ['--require', preload]);
    assert.is(stdout.length, 0);
    assert.match(stderr, /^urlsum serve: the self-test failed: this Node \(v.*\) makes ".*" of "http.*", not ".*"\n$/i);
    assert.is(status, 2);
  }
});

/** Writes `request` cut in two at each of its bytes, with a moment between the parts. @returns the answers in hex */
async function answersToSplits(child: ChildProcessWithoutNullStreams, request: Buffer, answer: () => Promise<Buffer>) {
  const answers = [];
  for (let cut = 1; cut < request.length; cut++) {
    child.stdin.write(request.subarray(0, cut));
    await new Promise((later) => setTimeout(later, 2));
    child.stdin.write(request.subarray(cut));
    answers.push((await answer()).toString('hex'));
  }
  child.stdin.end();
  assert.equal(await once(child, 'exit'), [0, null]);
  return answers;
}

tests('every split of a chunk into two writes to a pipe', async () => {
  const child = start();
  const take = takerFrom(child);
  assert.equal(await answersToSplits(child, CHUNK, () => take(3 * 32)), Array(CHUNK.length - 1).fill(HASHES));
});

tests('a chunk of 100 MB is written to its end before any of its answer is read', async () => {
  const child = start('--width', '8');
  const url = `http://a.example/${'x'.repeat(83)}`;
  const rowCount = 1_000_000;
  const chunk = Buffer.concat([Buffer.from(`${rowCount}\n`), Buffer.alloc(rowCount * 101, `\x64${url}`)]);
  await new Promise((written) => child.stdin.end(chunk, () => written(undefined)));
  const hash = Buffer.from(UrlHash.of(url).veryShort().hex, 'hex');
  assert.equal(await bytesOf(child), Buffer.alloc(rowCount * 8, hash));
});

tests('a row is answered while the input stays open', async () => {
  const child = start();
  child.stdin.write(CHUNK);
  assert.is((await takerFrom(child)(3 * 32)).toString('hex'), HASHES);
  child.stdin.end();
  assert.equal(await once(child, 'exit'), [0, null]);
});

tests('a parent that reads no more ends it quietly', async () => {
  const child = start('--output', 'canonical');
  let complaint = '';
  child.stderr.on('data', (text) => (complaint += text));
  child.stdin.on('error', () => undefined); // the pipe may be closed before all is written
  child.stdout.destroy();
  const bytes = chunkOf(Array<string>(10_000).fill('http://a.example/'));
  const repeat = setInterval(() => child.stdin.write(bytes), 5);
  const [status] = await once(child, 'exit');
  clearInterval(repeat);
  assert.is(complaint, '');
  assert.is(status, 0);
});

tests('a parent that is killed leaves no child', async () => {
  const code = `const { spawn } = require('node:child_process');
    const child = spawn(process.execPath, [${JSON.stringify(BUNDLE)}]);
    child.stdin.write('1\\n\\0');
    child.stdout.once('data', () => process.stdout.write(String(child.pid)));`;
  const parent = spawn(process.execPath, ['-e', code], { env: ENVIRONMENT });
  const pid = Number(String((await once(parent.stdout, 'data'))[0]));
  const wasRunning = isRunning(pid);
  parent.kill('SIGKILL');
  assert.ok(wasRunning);
  await once(parent, 'exit');
  for (let tries = 0; isRunning(pid); tries++) {
    assert.ok(tries < 6000, `${pid} still runs after 60 s`);
    await new Promise((later) => setTimeout(later, 10));
  }
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

tests.run();
