import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { reportAbsent } from '../absent.ts';
import { NODE_26, spawned } from './node-26.ts';

const tests = suite('the module wide');

/** The compiler's own Binaryen, which writes operands within their operations, as the compiler's .wat does not. */
const binaryen = createRequire(resolve('node_modules/assemblyscript/package.json')).resolve('binaryen');
const { readBinary } = ((await import(binaryen)) as { default: Binaryen }).default;

interface Binaryen {
  readBinary(bytes: Uint8Array): { emitText(): string };
}

/** Operations on a v128 in memory. */
const VECTOR = /\(v128\.(?:load|store)/g;
const AT_CONSTANT = /\(v128\.(?:load|store)\S*(?: (?:offset|align)=\d+)*(?: \d+)?\s+\(i32\.const/g;

const countOf = (pattern: RegExp, text: string) => text.match(pattern)?.length ?? 0;
const textOf = (name: string) => readBinary(readFileSync(`build/${name}.wasm`)).emitText();
const text = textOf('wide');

tests('one function, no call, and 12 KB at most', () => {
  assert.is(countOf(/^ \(func /gm, text), 1);
  assert.is(countOf(/\((?:call|return_call|start|data|global|table)/g, text), 0);
  assert.ok(countOf(/\(call/g, textOf('simd')) > 0, 'the kernel of four lanes calls');
  const bytes = readFileSync('build/wide.wasm');
  assert.ok(bytes.length <= 12 * 1024, `${bytes.length} bytes`);
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(bytes));
  assert.equal(imports, [{ module: 'env', name: 'memory', kind: 'memory' }]);
});

tests('no vector lies at a constant address', () => {
  assert.ok(countOf(VECTOR, text) > 200);
  assert.is(countOf(AT_CONSTANT, text), 0);
  assert.ok(countOf(AT_CONSTANT, textOf('simd')) > 0, 'the kernel of four lanes has such');
});

tests('V8 packs it whole', () => {
  if (NODE_26 === undefined) return;
  if (process.platform === 'linux' && !/\bavx2\b/.test(readFileSync('/proc/cpuinfo', 'latin1')))
    return reportAbsent('a processor with AVX2');
  const compile = "new WebAssembly.Module(fs.readFileSync('build/wide.wasm'))";
  const flags = ['--experimental-wasm-revectorize', '--trace-wasm-revectorize', '--single-threaded', '--no-liftoff'];
  const { stdout } = spawned(NODE_26, [...flags, '--no-wasm-lazy-compilation', '-e', compile]);
  assert.match(stdout, /Save: 835, cost: 17/);
  assert.match(stdout, /Decided to vectorize, 0 revectorizable intersect nodes/);
  assert.not.match(stdout, /Force|Intersect/);
});

tests.run();
