import { execFileSync } from 'node:child_process';
import * as nodeCrypto from 'node:crypto';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DIGESTS, NO_MESSAGE, TEXT } from '../../../assembly/layout.ts';
import { hexOfUrl } from '../../../src/core/digest/digest.ts';
import { type BunSha256, withHostSha256 } from '../../../src/core/kernel/host-sha256.ts';
import type { Kernel } from '../../../src/core/kernel/kernel.ts';
import { openKernel } from '../../../src/core/kernel/open.ts';
import { FULL_FORM, formOf } from '../../../src/core/url/options.ts';
import { kernelName, UrlHasher } from '../../../src/index.ts';
import { random, randomBytes } from '../../support/seed.ts';

const tests = suite('kernels');

/** Runs `code` as a module with the built package's exports in `urlsum`. */
function run(code: string, args: readonly string[] = [], env: Record<string, string> = {}): string {
  const script = `import * as urlsum from './dist/esm/index.js'; ${code}`;
  return execFileSync(process.execPath, [...args, '--input-type=module', '-e', script], {
    env: { ...process.env, ...env },
    encoding: 'utf8',
  }).trim();
}

tests('this host runs the SIMD kernel', () => {
  assert.is(kernelName(), 'simd');
});

/** The SIMD kernel, and the same on a host like Bun, whose calls are counted. */
function withCountedHost(): { kernel: Kernel; hashing: Kernel; calls: () => number } {
  const kernel = openKernel('simd');
  let calls = 0;
  const SHA256 = {
    hash(message: Uint8Array | string, digest: Uint8Array | 'hex') {
      calls++;
      const hash = createHash('sha256').update(message);
      return digest === 'hex' ? hash.digest('hex') : digest.set(hash.digest());
    },
  } as BunSha256;
  return { kernel, hashing: withHostSha256(kernel, { Bun: { SHA256 } }), calls: () => calls };
}

/** The SIMD kernel on a host like Node, whose `node:crypto` is `crypto`, after it has hashed as many as make it ask. */
function withNode(crypto: unknown): Kernel {
  const process = { getBuiltinModule: (name: string) => (name === 'node:crypto' ? (crypto as object) : undefined) };
  const kernel = withHostSha256(openKernel('simd'), { process });
  for (let call = 1; call < 1024; call++) assert.is(kernel.hostHex(56), undefined);
  return kernel;
}

tests('a host that does not hash, imitates it or throws leaves single URLs to the kernel', () => {
  const imitations = [
    undefined,
    {},
    { hash: () => 'deadbeef' },
    {
      hash: () => {
        throw new Error('no');
      },
    },
  ];
  for (const crypto of imitations) assert.is(withNode(crypto).hostHex(56), undefined);
  const kernel = openKernel('simd');
  assert.is(withHostSha256(kernel, { Deno: {}, process: { getBuiltinModule: () => nodeCrypto } }), kernel);
  assert.is(withNode(nodeCrypto).hostHex(55), undefined, 'the kernel is as fast for one block');
  assert.is(withNode(nodeCrypto).hostHex(56)?.('abc'), createHash('sha256').update('abc').digest('hex'));
});

tests('one message goes to a host that hashes: every width, at every length', () => {
  const { kernel, hashing, calls } = withCountedHost();
  const { bytes } = kernel.memory;
  bytes.set(randomBytes(random(), 300), TEXT);
  for (const width of [8, 16, 32] as const) {
    for (let length = 0; length <= 300; length++) {
      const [own, others] = [kernel, hashing].map(({ sha256 }) => {
        bytes.fill(0xaa, DIGESTS, DIGESTS + 64);
        sha256(TEXT, length, DIGESTS, width);
        return bytes.slice(DIGESTS, DIGESTS + 64);
      });
      assert.equal(own, others, `${length} bytes, ${width}`);
    }
  }
  assert.is(calls(), 3 * 301);
});

tests('so do many: every width and length, from any row on, and a row without a message is zeros', () => {
  const { kernel, hashing, calls } = withCountedHost();
  const { bytes } = kernel.memory;
  const rowCount = 400;
  bytes.set(randomBytes(random(), 2 * rowCount), TEXT);
  for (let row = 0; row < rowCount; row++)
    kernel.memory.setSpan(row, TEXT + row, row % 7 === 3 ? NO_MESSAGE : rowCount - row);
  for (const width of [8, 16, 32] as const) {
    const [own, others] = [kernel, hashing].map((each) => {
      bytes.fill(0xaa, DIGESTS, DIGESTS + (rowCount + 1) * width);
      each.hash(5, rowCount, width);
      return bytes.slice(DIGESTS, DIGESTS + (rowCount + 1) * width);
    });
    assert.equal(own, others, `${width}`);
  }
  assert.is(calls(), 3 * 339);
});

const SINGLE_URLS = [
  ...[
    'https://example.com/a#b',
    'HTTP://例え.example:80/é/../?q',
    'http://a/b c',
    'mailto:a b',
    'file:///c|/x',
    'foo:bar',
  ],
  ...[`http://a/${'b'.repeat(600_000)}`, `http://a/${'b'.repeat(5000)} `, `http://a/${'b'.repeat(5000)}#c`],
];

tests('a URL alone goes to the host: every width, with a fragment and without, and what is not a URL', () => {
  const { kernel, hashing, calls } = withCountedHost();
  const node = withNode(nodeCrypto);
  for (const url of SINGLE_URLS)
    for (const width of [8, 16, 32] as const)
      for (const excludeFragment of [false, true]) {
        const options = { form: formOf({ excludeFragment }) };
        const [own, ...others] = [kernel, hashing, node].map((each) => hexOfUrl(each, url, width, options));
        const form = new URL(url);
        if (excludeFragment) form.hash = '';
        assert.is(
          own,
          createHash('sha256')
            .update(form.href)
            .digest('hex')
            .slice(0, 2 * width),
          url.slice(0, 40),
        );
        assert.equal(others, [own, own], url.slice(0, 40));
      }
  assert.is(calls(), SINGLE_URLS.length * 3 * 2);
  for (const each of [hashing, node])
    assert.equal(
      hexOfUrl(each, 'not a URL', 32, { form: FULL_FORM }),
      hexOfUrl(kernel, 'not a URL', 32, { form: FULL_FORM }),
    );
  assert.is(calls(), SINGLE_URLS.length * 3 * 2);
});

tests('URLSUM_KERNEL forces one, and an option too', () => {
  for (const name of ['simd', 'js'] as const) {
    const names = 'urlsum.kernelName(), new urlsum.UrlHasher().kernel';
    const script = `console.log(${names}); urlsum.UrlHash.of('https://example.com/'); console.log(${names})`;
    assert.is(run(script, [], { URLSUM_KERNEL: name }), `${name} ${name}\n${name} ${name}`);
    assert.is(
      new UrlHasher({ kernel: name }).hashMany(['https://example.com/']).hex(0),
      '0f115db062b7c0dd030b16878c99dea5c354b49dc37b38eb8846179c7783e9d7',
    );
  }
});

tests('a kernel there is not is a RangeError that names it', () => {
  assert.throws(
    () => openKernel('avx' as 'simd'),
    (error: unknown) => error instanceof RangeError && /"avx"/.test(error.message),
  );
  assert.is(
    run('try { urlsum.kernelName() } catch (error) { console.log(String(error)) }', [], { URLSUM_KERNEL: 'avx' }),
    'RangeError: URLSUM_KERNEL must be one of simd, js, got "avx"',
  );
});

tests('without WebAssembly, and without code generation from strings, it still runs', () => {
  assert.is(run('console.log(urlsum.kernelName())', ['--jitless', '--no-warnings']), 'js');
  assert.is(run('console.log(urlsum.kernelName())', ['--disallow-code-generation-from-strings']), 'simd');
});

tests('a kernel that the host cannot run is a KernelError, as soon as it is asked for', () => {
  const told = `catch (error) { console.log(error instanceof urlsum.KernelError && error instanceof urlsum.UrlsumError,
    error.code, error.reason, error.input, error.cause instanceof Error) }`;
  const expected = 'true ERR_UNAVAILABLE_KERNEL no-webassembly simd true';
  for (const script of [`new urlsum.UrlHasher({ kernel: 'simd' })`, `urlsum.hashStream({ kernel: 'simd' })`])
    assert.is(run(`try { ${script} } ${told}`, ['--jitless', '--no-warnings']), expected, script);
  const forced = { URLSUM_KERNEL: 'simd' };
  assert.is(run(`try { urlsum.kernelName() } ${told}`, ['--jitless', '--no-warnings'], forced), expected);
  const refusing = `WebAssembly.Instance = class { constructor() { throw new WebAssembly.CompileError('no'); } };`;
  const notStarted = 'true ERR_UNAVAILABLE_KERNEL not-started simd true';
  assert.is(run(`${refusing} try { new urlsum.UrlHasher({ kernel: 'simd' }) } ${told}`), notStarted);
  assert.is(run(`${refusing} console.log(urlsum.kernelName())`), 'js');
});

tests('importing does nothing: no kernel is compiled, and WebAssembly may be missing', () => {
  assert.is(run('console.log(typeof urlsum.UrlHash)', ['--no-expose-wasm']), 'function');
});

tests('the SIMD kernel imports nothing', () => {
  assert.equal(WebAssembly.Module.imports(new WebAssembly.Module(readFileSync('build/simd.wasm'))), []);
});

tests.run();
