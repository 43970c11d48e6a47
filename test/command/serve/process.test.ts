import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { UrlHash } from '../../../src/index.ts';
import { OUTPUTS } from '../../../src/tables/outputs.ts';
import { ENVIRONMENT } from '../../environment.ts';
import { FOLDER, file } from '../../scratch.ts';
import { AnswerReader, request } from './frame.ts';

const tests = suite('urlsum-serve.mjs');

/** The bundle alone, in a folder where nothing else can be imported from. */
const BUNDLE = join(FOLDER, 'urlsum-serve.mjs');
copyFileSync('dist/urlsum-serve.mjs', BUNDLE);

function run(args: readonly string[], input: Uint8Array = new Uint8Array(), nodeArgs: readonly string[] = []) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...nodeArgs, BUNDLE, ...args], {
    input,
    maxBuffer: 1 << 30,
    env: ENVIRONMENT,
  });
  return { status, stdout, stderr: stderr.toString() };
}

function start(...args: string[]): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [BUNDLE, '--format', ...args], { env: ENVIRONMENT });
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

const REQUEST = request(['https://example.com', 'no url', 'http://b/#x']);
const HASHES = [UrlHash.of('https://example.com').hex, undefined, UrlHash.of('http://b/#x').hex];
const GREETING_BYTES = 27;
const ANSWER_BYTES = 8 + 3 * 32 + 1;

tests('requests until the input ends: status 0, nothing on standard error', () => {
  const { status, stdout, stderr } = run(['--format', 'frames'], Buffer.concat([REQUEST, REQUEST]));
  const reader = new AnswerReader(stdout);
  assert.equal([reader.next(), reader.next(), reader.isAtEnd], [HASHES, HASHES, true]);
  assert.is(stderr, '');
  assert.is(status, 0);
});

tests('an input that ends inside a request: a sentence and status 2, and the whole requests are answered', () => {
  for (const end of [1, 7, 8, 20, REQUEST.length - 1]) {
    const { status, stdout, stderr } = run(['--format', 'frames'], Buffer.concat([REQUEST, REQUEST.subarray(0, end)]));
    const reader = new AnswerReader(stdout);
    assert.equal([reader.next(), reader.isAtEnd], [HASHES, true], `${end}`);
    assert.match(stderr, /^urlsum serve: the input ended inside a request, after \d+ of the \d+ bytes of its \w+\n$/);
    assert.is(status, 2);
  }
});

tests('wrong options: a sentence and status 2, before anything else', () => {
  const { status, stdout, stderr } = run(['--format', 'frames', '--width', '7']);
  assert.is(stdout.length, 0);
  assert.is(stderr, "urlsum serve: --width must be one of 8, 16, 32, not '7'\n");
  assert.is(status, 2);
});

tests('every option of the form, one that changes the URLs of the self-test, too', () => {
  const url = 'http://www.h.example/?d=1&b=2&utm_id=3#f';
  const rules = file('rules.txt', 'h.example keep b');
  for (const [flags, form] of [
    [['--exclude-fragment'], 'http://www.h.example/?d=1&b=2&utm_id=3'],
    [['--drop-list', 'tracking-2026'], 'http://www.h.example/?d=1&b=2#f'],
    [['--drop-param', 'd'], 'http://www.h.example/?b=2&utm_id=3#f'],
    [['--keep-param', 'b'], 'http://www.h.example/?b=2#f'],
    [['--fold', 'https', '--fold=www'], 'https://h.example/?d=1&b=2&utm_id=3#f'],
    [['--site-rules', rules], 'http://www.h.example/?b=2#f'],
    [['--sort-params'], 'http://www.h.example/?b=2&d=1&utm_id=3#f'],
  ] as const) {
    const { status, stdout, stderr } = run(
      ['--format', 'frames', '--output', 'canonical', ...flags],
      request([url, 'no url']),
    );
    assert.is(stderr, '', flags.join(' '));
    assert.equal(new AnswerReader(stdout).next(), [Buffer.from(form).toString('hex'), undefined]);
    assert.is(status, 0);
  }
});

tests('every output starts, and answers', () => {
  for (const [output, { isFramed, profiles }] of Object.entries(OUTPUTS)) {
    for (const profile of profiles) {
      const args = ['--format', isFramed ? 'frames' : 'rowbinary', '--output', output, '--profile', profile];
      const { status, stdout, stderr } = run(args, isFramed ? request(['https://example.com']) : Buffer.from('0\n'));
      assert.equal([stderr, status], ['', 0], `${output} ${profile}`);
      if (isFramed) assert.is(new AnswerReader(stdout).next().length, 1);
    }
  }
});

tests('a Node that does not hash as it must: a sentence and status 2, no greeting', () => {
  const preload = file('no-escapes.cjs', 'globalThis.encodeURIComponent = (text) => text;');
  for (const output of ['hash', 'u64', 'canonical']) {
    const { status, stdout, stderr } = run(['--format', 'frames', '--output', output], REQUEST, ['--require', preload]);
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

tests('every split of a request into two writes to a pipe', async () => {
  const child = start('frames');
  const take = takerFrom(child);
  const greeting = await take(GREETING_BYTES);
  const [answer, ...others] = await answersToSplits(child, REQUEST, () => take(ANSWER_BYTES));
  assert.equal(new AnswerReader(Buffer.concat([greeting, Buffer.from(answer!, 'hex')])).next(), HASHES);
  assert.equal(others, Array(REQUEST.length - 2).fill(answer));
});

tests('every split of a chunk into two writes to a pipe', async () => {
  const chunk = Buffer.from('3\n\x13https://example.com\x00\x0bhttp://b/#x', 'latin1');
  const child = start('rowbinary');
  const take = takerFrom(child);
  const expected = HASHES.map((hash) => hash ?? '0'.repeat(64)).join('');
  assert.equal(await answersToSplits(child, chunk, () => take(3 * 32)), Array(chunk.length - 1).fill(expected));
});

tests('a request of 100 MB is written to its end before any of its answer is read', async () => {
  const child = start('frames', '--width', '8');
  const rows = Array<string>(1_000_000).fill(`http://a.example/${'x'.repeat(83)}`);
  rows[999_999] = 'no url';
  const bytes = request(rows);
  assert.ok(bytes.length > 100e6);
  child.stdin.write(bytes);
  await new Promise((written) => child.stdin.write(new Uint8Array(), written));
  child.stdin.end();
  const values = new AnswerReader(await bytesOf(child)).next();
  const hash = UrlHash.of(rows[0]!).veryShort().hex;
  assert.is(values.length, 1_000_000);
  assert.ok(values.every((value, row) => value === (row === 999_999 ? undefined : hash)));
});

tests('a chunk of 100 MB is written to its end before any of its answer is read', async () => {
  const child = start('rowbinary', '--width', '8');
  const url = `http://a.example/${'x'.repeat(83)}`;
  const rowCount = 1_000_000;
  const chunk = Buffer.concat([Buffer.from(`${rowCount}\n`), Buffer.alloc(rowCount * 101, `\x64${url}`)]);
  await new Promise((written) => child.stdin.end(chunk, () => written(undefined)));
  const hash = Buffer.from(UrlHash.of(url).veryShort().hex, 'hex');
  assert.equal(await bytesOf(child), Buffer.alloc(rowCount * 8, hash));
});

tests('a row is answered while the input stays open', async () => {
  const child = start('frames');
  child.stdin.write(REQUEST);
  assert.equal(new AnswerReader(await takerFrom(child)(GREETING_BYTES + ANSWER_BYTES)).next(), HASHES);
  child.stdin.end();
  assert.equal(await once(child, 'exit'), [0, null]);
});

tests('a parent that reads no more ends it quietly', async () => {
  const child = start('frames', '--output', 'canonical');
  let complaint = '';
  child.stderr.on('data', (text) => (complaint += text));
  child.stdin.on('error', () => undefined); // the pipe may be closed before all is written
  child.stdout.destroy();
  const bytes = request(Array<string>(10_000).fill('http://a.example/'));
  const repeat = setInterval(() => child.stdin.write(bytes), 5);
  const [status] = await once(child, 'exit');
  clearInterval(repeat);
  assert.is(complaint, '');
  assert.is(status, 0);
});

tests('a parent that is killed leaves no child', async () => {
  const code = `const { spawn } = require('node:child_process');
    const child = spawn(process.execPath, [${JSON.stringify(BUNDLE)}, '--format', 'frames']);
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

tests('rowbinary: the same program', () => {
  const { status, stdout, stderr } = run(
    ['--format', 'rowbinary'],
    Buffer.from('2\n\x0fhttp://example/\x00', 'latin1'),
  );
  assert.is(stdout.toString('hex'), UrlHash.of('http://example/').hex + '0'.repeat(64));
  assert.is(stderr, '');
  assert.is(status, 0);
});

tests.run();
