import { spawnSync } from 'node:child_process';
import { existsSync, openSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createGunzip, gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileKindOf } from '../../../src/command/read/file-kind.ts';
import { INPUT_KINDS } from '../../../src/command/read/input-kind.ts';
import { type HashColumn, UrlHasher, type UrlHasherOptions } from '../../../src/index.ts';
import { RangeReader, Workers } from '../../../src/store/pool/workers.ts';
import { corpusLines, sampleLines } from '../../support/data.ts';
import { ENVIRONMENT } from '../../support/environment.ts';
import { SAMPLE_URLS } from '../../support/samples.ts';
import { FOLDER as folder } from '../../support/scratch.ts';
import { cases, random } from '../../support/seed.ts';
import { mustRefuse, rejectionOf } from '../../support/thrown.ts';

// The pool as it is built, whose threads load a file that stands beside it: what it gives is compared by its bytes with
// what src gives, never with its classes.
const { UrlHashPool } = (await import(
  join(process.cwd(), 'dist/esm/pool.js')
)) as typeof import('../../../src/entries/pool.ts');

const tests = suite('UrlHashPool');

const lines = [
  ...SAMPLE_URLS.map((url) => url.replaceAll('\n', '')),
  ...sampleLines(),
  ...corpusLines('main').slice(0, cases(10_000)),
  ...corpusLines('changed').slice(0, cases(2500)),
];
while (lines.length < cases(30_000)) lines.push(`https://example.com/${lines.length}?${'x'.repeat(lines.length % 90)}`);
const text = Buffer.from(`\ufeff${lines.join('\n')}`);
const path = join(folder, 'lines');
writeFileSync(path, text);

/** A thread that gives each job back, but for one. */
const mortal = join(folder, 'mortal.mjs');
writeFileSync(
  mortal,
  "import { parentPort } from 'node:worker_threads'; parentPort.on('message', (job) => job === 'die' ? process.exit(3) : parentPort.postMessage({ result: job }));",
);

async function collected(
  columns: AsyncIterable<HashColumn>,
): Promise<{ bytes: Buffer; invalid: number[]; inputs: (string | undefined)[] }> {
  const parts: HashColumn[] = [];
  for await (const column of columns) parts.push(column);
  let first = 0;
  const invalid: number[] = [];
  const inputs: (string | undefined)[] = [];
  for (const column of parts) {
    for (const row of column.invalid) {
      invalid.push(first + row);
      inputs.push(column.errorAt(row)?.message);
    }
    first += column.length;
  }
  return { bytes: Buffer.concat(parts.map(({ bytes }) => bytes)), invalid, inputs };
}

function expected(options: UrlHasherOptions = {}) {
  const column = new UrlHasher(options).hashLines(text);
  return {
    bytes: Buffer.from(column.bytes),
    invalid: [...column.invalid],
    inputs: [...column.invalid].map((row) => column.errorAt(row)?.message),
  };
}

tests('hashFile and hashReadable equal one thread: rows, order, errors, every option', async () => {
  for (const [threads, width, excludeFragment] of [
    [1, 32, false],
    [2, 16, true],
    [3, 8, false],
  ] as const) {
    const pool = new UrlHashPool({ threads, width, excludeFragment });
    const whole = expected({ width, excludeFragment });
    assert.equal(await collected(pool.hashFile(path)), whole);
    assert.equal(
      await collected(pool.hashReadable(new Blob([text]).stream() as unknown as AsyncIterable<Uint8Array>)),
      whole,
    );
    await pool.close();
  }
});

tests('parameters are dropped and sorted, and counted, as on one thread', async () => {
  const options = { dropList: 'tracking-2026', dropParams: ['id*', 'ä'], sortParams: true } as const;
  const whole = new UrlHasher(options).hashLines(text);
  const pool = new UrlHashPool({ threads: 2, ...options });
  const columns: HashColumn[] = [];
  for await (const column of pool.hashFile(path)) columns.push(column);
  await pool.close();
  assert.ok(Buffer.concat(columns.map(({ bytes }) => bytes)).equals(whole.bytes));
  for (const { profile } of columns) assert.is(profile, whole.profile);
  const strippedCount = columns.reduce((sum, column) => sum + column.strippedCount, 0);
  assert.is(strippedCount, whole.strippedCount);
  assert.ok(strippedCount > 0);
});

tests('relative URLs are resolved against the base; what is not one is refused', async () => {
  const pool = new UrlHashPool({ threads: 2, base: new URL('http://a/b/') });
  const { bytes } = await collected(
    pool.hashReadable([Buffer.from('../c\nd\n')] as unknown as AsyncIterable<Uint8Array>),
  );
  assert.ok(bytes.equals(new UrlHasher().hashLines(Buffer.from('http://a/c\nhttp://a/b/d\n')).bytes));
  await pool.close();
  assert.throws(() => new UrlHashPool({ base: 'b' }), /the base is not a URL/);
});

tests('ranges share out the lines of a file wherever they are cut', () => {
  const small = Buffer.from('a\n\nbcd\r\nefghij\n\n\nk');
  const smallPath = join(folder, 'small');
  writeFileSync(smallPath, small);
  const reader = new RangeReader();
  const descriptor = openSync(smallPath, 'r');
  for (let first = 0; first <= small.length; first++) {
    for (let second = first; second <= small.length; second++) {
      const parts = [
        [0, first],
        [first, second],
        [second, small.length],
      ].filter(([start, end]) => start! < end!);
      const joined = Buffer.concat(
        parts.map(([start, end]) => Uint8Array.from(reader.lines({ descriptor, start: start!, end: end! }))),
      );
      assert.is(joined.toString(), small.toString(), `cut at ${first} and ${second}`);
    }
  }
});

tests('two readers at once, and a reader that leaves early', async () => {
  const pool = new UrlHashPool({ threads: 2 });
  const [one, two] = await Promise.all([collected(pool.hashFile(path)), collected(pool.hashFile(path))]);
  assert.ok(one.bytes.equals(two.bytes));
  for await (const column of pool.hashFile(path)) {
    assert.ok(column.length > 0);
    break;
  }
  assert.ok((await collected(pool.hashFile(path))).bytes.equals(one.bytes));
  await pool.close();
});

/** A source that never speaks again after its first chunk. */
async function* silent() {
  yield text.subarray(0, 1000);
  await new Promise(() => undefined);
}

tests('an abort ends it with the reason, also while the source is silent', async () => {
  const pool = new UrlHashPool({ threads: 2 });
  const reason = new Error('enough');
  const aborted = AbortSignal.abort(reason);
  assert.is(await rejectionOf(collected(pool.hashFile(path, { signal: aborted }))), reason);
  const controller = new AbortController();
  setTimeout(() => controller.abort(reason), 5);
  assert.is(await rejectionOf(collected(pool.hashReadable(silent(), { signal: controller.signal }))), reason);
  await pool.close();
});

tests('a pool that is closed gives what is done, and rejects what waits for a silent source', async () => {
  const warnings: Error[] = [];
  const warn = (warning: Error) => void warnings.push(warning);
  process.on('warning', warn);
  const pool = new UrlHashPool({ threads: 1 });
  const readers = Array.from({ length: 20 }, () => rejectionOf(collected(pool.hashReadable(silent()))));
  await new Promise((resolve) => setTimeout(resolve, 5));
  await pool.close();
  for (const { message } of await Promise.all(readers)) assert.is(message, 'the pool is closed');
  process.off('warning', warn);
  assert.equal(warnings, [], 'however many readers there are');
});

async function* failingAfter(lineCount: number) {
  for (let line = 0; line < lineCount; line += 1000) yield Buffer.from('http://example.com/\n'.repeat(1000));
  throw new Error('the source broke');
}

tests('errors of the source, and of files', async () => {
  const pool = new UrlHashPool({ threads: 2 });
  assert.is((await rejectionOf(collected(pool.hashReadable(failingAfter(1000))))).message, 'the source broke');
  const rows: number[] = [];
  const read = async () => {
    for await (const { length } of pool.hashReadable(failingAfter(400_000))) rows.push(length);
  };
  assert.is((await rejectionOf(read())).message, 'the source broke');
  assert.is(
    rows.reduce((sum, count) => sum + count, 0),
    400_000,
    'all rows before the error',
  );
  assert.match((await rejectionOf(collected(pool.hashFile(join(folder, 'none'))))).message, /ENOENT/);
  await pool[Symbol.asyncDispose]();
  assert.is((await rejectionOf(collected(pool.hashFile(path)))).message, 'the pool is closed');
});

tests('a chunk that is not bytes is a TypeError', async () => {
  const pool = new UrlHashPool({ threads: 1 });
  for (const chunk of ['http://a/\n', new ArrayBuffer(8), [0x0a], 5]) {
    const error = await rejectionOf(collected(pool.hashReadable(Readable.from([text, chunk]))));
    assert.instance(error, TypeError);
    assert.match(String(error), /a chunk must be a Uint8Array, got/);
  }
  await pool.close();
});

tests('a file that says that it is empty is read as a stream', async () => {
  if (!existsSync('/proc/self/maps')) return console.log('no /proc on this system');
  const pool = new UrlHashPool({ threads: 1, width: 8 });
  const column = new UrlHasher({ width: 8 }).hashLines(readFileSync('/proc/version'));
  assert.ok(column.length > 0);
  assert.equal((await collected(pool.hashFile('/proc/version'))).bytes, Buffer.from(column.bytes));
  assert.ok((await collected(pool.hashFile('/proc/self/maps'))).bytes.length > 0);
  await pool.close();
});

tests('a file that becomes shorter while it is read is an error', async () => {
  const shrinking = join(folder, 'shrinking');
  writeFileSync(shrinking, 'http://example.com/\n'.repeat(1_000_000));
  const pool = new UrlHashPool({ threads: 1 });
  const read = async () => {
    for await (const _ of pool.hashFile(shrinking)) truncateSync(shrinking, 3 << 20);
  };
  assert.match((await rejectionOf(read())).message, /became shorter while it was read/);
  await pool.close();
});

tests('a file that is replaced or removed while it is read is read to its end', async () => {
  const replaced = join(folder, 'replaced');
  const pool = new UrlHashPool({ threads: 2 });
  const all = new UrlHasher().hashLines(Buffer.from('http://old.example/\n'.repeat(300_000)));
  for (const change of [
    () => rmSync(replaced, { force: true }),
    () => {
      writeFileSync(`${replaced}.new`, 'http://new.example/\n'.repeat(300_000));
      renameSync(`${replaced}.new`, replaced);
    },
  ]) {
    writeFileSync(replaced, 'http://old.example/\n'.repeat(300_000));
    const columns: HashColumn[] = [];
    for await (const column of pool.hashFile(replaced)) {
      change();
      columns.push(column);
    }
    assert.ok(columns.length > 2);
    assert.ok(Buffer.concat(columns.map(({ bytes }) => bytes)).equals(all.bytes));
  }
  await pool.close();
});

tests('the process ends by itself, closed or not, and after an error', () => {
  const pool = "import { UrlHashPool } from './dist/esm/pool.js'; const pool = new UrlHashPool({ threads: 2 });";
  const chunks = (source: string) => `for await (const _ of pool.hashReadable((async function* () { ${source} })()));`;
  for (const [code, expectedStatus] of [
    ['', 0],
    [
      `let rows = 0; for await (const { length } of pool.hashFile(${JSON.stringify(path)})) rows += length;
      if (rows !== ${lines.length}) throw new Error(String(rows));`,
      0,
    ],
    ["for await (const _ of pool.hashFile('none'));", 1],
    [chunks("throw new Error('broken');"), 1],
    [chunks("yield Buffer.from('http://a/\\n'); throw new Error('broken');"), 1],
    [chunks("yield 'a text';"), 1],
    ['for await (const _ of pool.hashReadable(null));', 1],
  ] as const) {
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', pool + code], {
      env: ENVIRONMENT,
      encoding: 'utf8',
    });
    assert.is(status, expectedStatus, `${code}: ${stderr}`);
  }
});

tests('a worker that dies rejects what waits for it', async () => {
  const workers = new Workers<string, string>(new URL(`file://${mortal}`), 2, undefined);
  assert.is(await workers.run('live'), 'live');
  const results = await Promise.allSettled([workers.run('die'), workers.run('x'), workers.run('y'), workers.run('z')]);
  assert.ok(results.some(({ status }) => status === 'rejected'));
  assert.match((await rejectionOf(workers.run('later'))).message, /ended with code 3/);
  await workers.close();
});

/** A thread that gives its number for each job. */
const NUMBERED =
  "const { parentPort, threadId } = require('node:worker_threads'); parentPort.on('message', () => parentPort.postMessage({ result: threadId }));";

async function threadOfEach(jobCount: number, workers: Workers<number, number>): Promise<number[]> {
  return (await Promise.all(Array.from({ length: jobCount }, () => workers.run(0)))).sort((one, other) => one - other);
}

tests('a thread starts for a job that no other is free for, and gets more when all have started', async () => {
  const workers = new Workers<number, number>(NUMBERED, 3, undefined, 2);
  const first = await workers.run(0);
  for (let job = 0; job < 5; job++) assert.is(await workers.run(0), first);
  const later = new Workers<number, number>(NUMBERED, 1, undefined);
  const next = await later.run(0);
  assert.is(next, first + 1, 'threads are numbered as they start: one had');
  assert.equal(await threadOfEach(2, workers), [first, next + 1]);
  const all = [first, first, next + 1, next + 1, next + 2, next + 2];
  assert.equal(await threadOfEach(6, workers), all);
  await Promise.all([workers.close(), later.close()]);
});

tests('where a thread cannot start, all jobs are rejected with the reason', async () => {
  const data: { fault?: () => void } = {};
  const workers = new Workers<number, number>(NUMBERED, 2, data, 2);
  const jobs = [workers.run(0)];
  data.fault = () => undefined; // which no thread can be given
  jobs.push(workers.run(0), workers.run(0));
  for (const { name } of await Promise.all(jobs.map((job) => rejectionOf(job)))) assert.is(name, 'DataCloneError');
  assert.is((await rejectionOf(workers.run(0))).name, 'DataCloneError');
  await workers.close();
});

tests('where a job cannot be given to a thread, no later one gets the answer of another', async () => {
  const workers = new Workers<unknown, unknown>(new URL(`file://${mortal}`), 1, undefined);
  assert.is((await rejectionOf(workers.run(() => undefined))).name, 'DataCloneError');
  assert.is((await rejectionOf(workers.run('live'))).name, 'DataCloneError');
  await workers.close();
});

tests('a thread that answers while it is being ended does not end the process before', async () => {
  for (let round = 0; round < cases(8); round++) {
    const workers = new Workers<string, string>(new URL(`file://${mortal}`), 3, undefined);
    const results = await Promise.allSettled([workers.run('die'), workers.run('x'), workers.run('y')]);
    assert.is(results[0].status, 'rejected');
    await workers.close();
  }
});

tests('a wrong argument is named before a thread is asked', async () => {
  const pool = new UrlHashPool({ threads: 1 });
  const any = (value: unknown) => value as never;
  const rows: readonly (readonly [call: () => unknown, message: string])[] = [
    [() => pool.hashReadable(any(undefined)), 'readable must be a stream of bytes, got undefined'],
    [() => pool.hashReadable(any(1)), 'readable must be a stream of bytes, got number'],
    [() => pool.hashReadable(any({})), 'readable must be a stream of bytes, got Object'],
    [() => pool.hashReadable(any([]), any(null)), 'options must be an object, got null'],
    [() => pool.hashReadable(any([]), { signal: any({}) }), 'signal must be an AbortSignal, got Object'],
    [() => pool.hashFile(any({ href: `file://${path}` })), 'path must be a path or a file: URL, got Object'],
    [() => pool.hashFile(any(undefined)), 'path must be a path or a file: URL, got undefined'],
    [() => pool.hashFile(path, any(null)), 'options must be an object, got null'],
    [() => pool.hashFile(path, { signal: any(1) }), 'signal must be an AbortSignal, got number'],
    [() => new UrlHashPool({ threads: any('2') }), 'threads must be a number, got string'],
    [() => new UrlHashPool({ threads: any(null) }), 'threads must be a number, got null'],
    [() => new UrlHashPool({ base: any(Symbol('b')) }), 'base must be a string or a URL, got symbol'],
  ];
  await mustRefuse(rows.map(([call, message]) => [async () => collected(call() as never), `TypeError: ${message}`]));
  await mustRefuse([
    ...[0, 1.5, 1000].map(
      (threads) =>
        [
          () => new UrlHashPool({ threads }),
          `RangeError: threads must be a whole number from 1 to 999, got ${threads}`,
        ] as const,
    ),
    [() => new UrlHashPool({ width: any(4) }), 'RangeError: width must be one of 8, 16, 32, got 4'],
    [() => new UrlHashPool(any({ thread: 2 })), 'RangeError: options has no "thread"…'],
  ]);
  await pool.close();
});

tests('every seed cuts the stream elsewhere, and the rows stay', async () => {
  const next = random();
  const pool = new UrlHashPool({ threads: 2 });
  const whole = expected();
  async function* chunks() {
    for (let at = 0; at < text.length; ) {
      const end = Math.min(text.length, at + 1 + next(400_000));
      yield text.subarray(at, end);
      at = end;
    }
  }
  assert.ok((await collected(pool.hashReadable(chunks()))).bytes.equals(whole.bytes));
  await pool.close();
});

tests('packed bytes are refused by their first ones, as a file, as a pipe and as a stream', async () => {
  const text = 'http://a/\n'.repeat(100);
  for (const [name, bytes] of [
    ['gzip', gzipSync(text)],
    ['zstd', Buffer.from('28b52ffd046451000068747470', 'hex')],
    // a skippable frame before the first one
    ['zstd', Buffer.from('502a4d180400000068747470', 'hex')],
    ['zstd', Buffer.from('5f2a4d180400000068747470', 'hex')],
  ] as const) {
    assert.is(fileKindOf(bytes), INPUT_KINDS[name], 'the command takes it for packed, too');
    const packed = join(folder, `lines.${name}`);
    writeFileSync(packed, bytes);
    const pool = new UrlHashPool({ threads: 1 });
    const sentence = `is packed by ${name}: give hashReadable the stream that unpacks it`;
    const chunks = Array.from(bytes, (byte) => Uint8Array.of(byte));
    const refused = [
      [pool.hashFile(packed), `${packed} ${sentence}`],
      [pool.hashReadable(Readable.from(chunks)), `the stream ${sentence}`],
    ] as const;
    for (const [columns, message] of refused) {
      const error = await rejectionOf(collected(columns));
      assert.equal([error.constructor.name, error.message], ['TypeError', message]);
    }
    await pool.close();
  }
  const pool = new UrlHashPool({ threads: 1 });
  const unpacked = Readable.from([gzipSync(text)]).pipe(createGunzip());
  assert.equal((await collected(pool.hashReadable(unpacked))).invalid, []);
  await pool.close();
});

tests.run();
