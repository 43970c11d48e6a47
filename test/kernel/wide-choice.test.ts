// Who may choose the kernel `wide`, where it runs and where another does in its place, as the built package says it.

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Ended, NODE_24, NODE_26, spawned } from './node-26.ts';

const tests = suite('the choice of wide');
const OWNER = { URLSUM_KERNEL: 'wide' };
const URLS = Array.from({ length: 100 }, (_, row) => `http://example.com/${'a'.repeat(row)}`);

/** What `code` prints as JSON, a module with the exports of `urlsum` in scope; and nothing on standard error. */
function said(node: string, code: string, args: readonly string[] = [], env: Record<string, string> = OWNER): unknown {
  const script = `
    import { kernelName, UrlHasher } from './dist/esm/index.js';
    import { Worker, getEnvironmentData } from 'node:worker_threads';
    const urls = ${JSON.stringify(URLS)};
    const hex = (hasher) => Buffer.from(hasher.hashMany(urls).bytes).toString('hex');
    const say = (value) => console.log(JSON.stringify(value));
    ${code}`;
  const ended = spawned(node, [...args, '--input-type=module', '-e', script], env);
  assert.is(ended.stderr, '');
  assert.is(ended.status, 0);
  return JSON.parse(ended.stdout);
}

const IN_USE = 'say([new UrlHasher({ kernel: "wide" }).kernel.name, new UrlHasher().kernel.reason, kernelName()])';

function reasonIn(node: string, args: readonly string[] = [], env: Record<string, string> = {}): string {
  const [name, reason, preferred] = said(node, IN_USE, args, { ...OWNER, ...env }) as string[];
  assert.is(name, preferred);
  assert.is.not(name, 'wide');
  return reason!;
}

tests('a program that its owner has not started so is refused, in the constructor', () => {
  const code = 'try { new UrlHasher({ kernel: "wide" }); say("none") } catch (error) { say(String(error)) }';
  for (const env of [{}, { URLSUM_KERNEL: 'simd' }])
    assert.is(
      said(process.execPath, code, [], env),
      "RangeError: kernel 'wide' needs a process started with URLSUM_KERNEL=wide",
    );
});

if (process.versions.node.startsWith('20.'))
  tests('a V8 that does not know the flags is not told any', () => {
    assert.is(reasonIn(process.execPath), 'this host is not Node 26, or wide.cjs is absent');
  });

tests('where it does not run, the command says why and goes on with four lanes', () => {
  if (process.versions.node.startsWith('26.')) return;
  const other = spawned(process.execPath, ['dist/esm/cli.js'], {}, URLS.join('\n'));
  for (const [args, env] of [
    [['--kernel', 'wide'], {}],
    [[], OWNER],
  ] as const) {
    const ended = spawned(process.execPath, ['dist/esm/cli.js', ...args], env, URLS.join('\n'));
    assert.is(ended.stdout, other.stdout);
    assert.match(ended.stderr, /^urlsum: kernel simd in place of wide: .+\n$/);
    assert.is(ended.status, 0);
  }
  const serving = spawned(process.execPath, ['dist/urlsum-serve.mjs', '--format', 'frames', '--kernel', 'wide']);
  assert.match(serving.stderr, /^urlsum serve: kernel simd in place of wide: V8 .+ is not one of those tested/);
  assert.is(serving.status, 0);
});

if (NODE_24 !== undefined)
  tests('V8 13.6, which compiles neighbours wrong, is refused', () => {
    assert.match(reasonIn(NODE_24!), /^V8 13\.6\.\S+ is not one of those tested \(14\.6\)$/);
  });

if (NODE_26 !== undefined) inNode26(NODE_26);

function inNode26(node: string): void {
  tests('Node 26, by its owner: it runs, and hashes as the others do', () => {
    assert.equal(said(node, IN_USE), ['wide', null, 'wide']);
    assert.is(said(node, 'say(hex(new UrlHasher()) === hex(new UrlHasher({ kernel: "simd" })))'), true);
    assert.equal(said(node, 'say(new UrlHasher({ kernel: "simd" }).kernel)'), { name: 'simd' });
    const script = 'console.log(require("./dist/cjs/index.js").kernelName())';
    assert.is(spawned(node, ['-e', script], OWNER).stdout, 'wide\n');
  });

  tests('who chose how V8 compiles, or that its flags are frozen, has chosen', () => {
    for (const flag of ['--no-liftoff', '--no_wasm_tier_up', '--freeze-flags-after-init', '--single-threaded'])
      assert.is(reasonIn(node, [flag]), `the process was started with ${flag}`);
    for (const flag of ['--disable-wasm-trap-handler', '--jitless'])
      assert.is(reasonIn(node, [], { NODE_OPTIONS: flag }), `the process was started with ${flag}`);
  });

  tests('a debugger, before it is opened and after, changes no hash', () => {
    const attach = `
      const { Session } = await import('node:inspector');
      const session = new Session();
      session.connect();
      session.post('Debugger.enable');`;
    const open = 'const wide = new UrlHasher(); const first = [wide.kernel.name, hex(wide)];';
    const compare = 'say([...first, hex(wide), hex(new UrlHasher({ kernel: "simd" }))])';
    for (const code of [attach + open + compare, open + attach + compare]) {
      const [name, first, second, four] = said(node, code) as string[];
      assert.is(name, 'wide');
      assert.is(first, four);
      assert.is(second, four);
    }
  });

  tests('a thread gets the code from the main thread, if that has opened it before', () => {
    // it inherits --input-type=module
    const worker = `
      import { parentPort } from 'node:worker_threads';
      import { UrlHasher } from '${process.cwd()}/dist/esm/index.js';
      const hasher = new UrlHasher({ kernel: 'wide' });
      const hashes = Buffer.from(hasher.hashMany(${JSON.stringify(URLS)}).bytes).toString('hex');
      parentPort.postMessage([hasher.kernel.name, hasher.kernel.reason, hashes]);`;
    const answer = `await new Promise((resolve) => new Worker(${JSON.stringify(worker)}, { eval: true })
      .once('message', resolve))`;
    const [before, name, after, hashes] = said(
      node,
      `say([${answer}, kernelName(), ${answer}, hex(new UrlHasher({ kernel: 'simd' }))])`,
    ) as [string[], string, string[], string];
    assert.equal(before, ['simd', 'the main thread has not opened it before this thread started', hashes]);
    assert.is(name, 'wide');
    assert.equal(after.filter(Boolean), ['wide', hashes]);
  });

  tests('so do the threads of a pool', () => {
    const code = `
      const { UrlHashPool } = await import('./dist/esm/pool.js');
      const pool = new UrlHashPool({ threads: 2 });
      const module = getEnvironmentData('urlsum: the module wide');
      const columns = [];
      for await (const column of pool.hashReadable([Buffer.from(urls.join('\\n'))])) columns.push(column);
      await pool.close();
      say([String(module), Buffer.concat(columns.map(({ bytes }) => bytes)).toString('hex') === hex(new UrlHasher())])`;
    assert.equal(said(node, code), ['[object WebAssembly.Module]', true]);
  });

  tests('the command: by the option and by the variable, on one thread and on two', () => {
    const lines = URLS.join('\n');
    const run = (args: readonly string[], env = {}): Ended => spawned(node, ['dist/esm/cli.js', ...args], env, lines);
    const { stdout } = run([]);
    for (const args of [[], ['-j', '2']])
      for (const ended of [run(['--kernel', 'wide', ...args]), run(args, OWNER)])
        assert.equal(ended, { status: 0, stdout, stderr: '' });
    assert.match(run(['--version'], OWNER).stdout, /kernel wide\n$/);
  });

  tests('urlsum serve, of the package and as one file', () => {
    const rows = [...URLS, 'not a URL'];
    const data = Buffer.from(rows.join(''));
    const ends = rows.map((_, row) => rows.slice(0, row + 1).join('').length);
    const request = Buffer.concat([Buffer.from(Uint32Array.of(rows.length, data.length, 0, ...ends).buffer), data]);
    const answers = [['dist/esm/cli.js', 'serve'], ['dist/urlsum-serve.mjs']].flatMap((program) =>
      ['simd', 'wide'].map((kernel) =>
        spawned(node, [...program, '--format', 'frames', '--kernel', kernel], {}, request),
      ),
    );
    assert.ok(answers[0]!.stdout.length > (32 * URLS.length) / 2);
    for (const answer of answers) assert.equal(answer, { ...answers[0], status: 0, stderr: '' });
  });
}

tests.run();
