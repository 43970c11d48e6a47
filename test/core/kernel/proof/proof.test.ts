// The proof of the kernel that ships (docs/conformance.md says what it shows): every claim of claims.ts, by running the
// module's own bytes on memory whose contents are unknown. A long run has every length to two blocks and padding.
import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { random, SCALE } from '../../../support/seed.ts';
import { type Claim, claimsOfKernel } from './claims.ts';
import { claimsOfLines } from './digits.ts';
import { tryAllLineEnds } from './line-ends.ts';
import { Machine } from './machine.ts';
import { decode, type WasmModule } from './module.ts';
import { mutationsOf } from './mutations.ts';
import { add, and, evaluate, or, rotr, shl, shr, subtract, variable, type Word, xor } from './terms.ts';

const tests = suite('the proof of the kernel');

const KERNEL = decode(readFileSync('build/simd.wasm'));
const IS_WHOLE = SCALE >= 10;
const CLAIMS = claimsOfKernel(IS_WHOLE);

/** Returns the first claim that does not hold, and why; undefined if all claims hold. */
function refuted(machine: Machine): string | undefined {
  for (const { name, prove } of CLAIMS) {
    try {
      prove(machine);
    } catch (error) {
      return `${name}: ${(error as Error).message}`;
    }
  }
  return undefined;
}

tests('terms have the values of what they stand for, and one form each', () => {
  const next = random();
  const one = (): number => next(2 ** 32);
  const valueOf = new Map(['a', 'b', 'c'].map((name) => [name, one()]));
  for (let round = 0; round < 300; round++) {
    const words: [Word, number][] = [...valueOf].map(([name, value]) => [variable(name), value]);
    for (let step = 0; step < 12; step++) {
      const [[x, a], [y, b]] = [words[next(words.length)]!, words[next(words.length)]!];
      const by = next(32);
      // a product of xors has as many products as both have together: few of them, or the form is exponential
      const isShort = productCount(x) * productCount(y) < 20;
      const bitwise = (): [Word, number][] => [
        [and(x, y), a & b],
        [or(x, y), a | b],
      ];
      const results: [Word, number][] = [
        ...(isShort ? bitwise() : []),
        [xor(x, y), a ^ b],
        [add(x, y), a + b],
        [subtract(x, y), a - b],
        [rotr(x, by), (a >>> by) | (by === 0 ? 0 : a << (32 - by))],
        [shl(x, by), a << by],
        [shr(x, by), a >>> by],
        [add(x, step), a + step],
        [and(y, 0xff00ff), b & 0xff00ff],
      ];
      const [word, value] = results[next(results.length)]!;
      assert.is(
        evaluate(word, (name) => valueOf.get(name)!),
        value >>> 0,
      );
      words.push([word, value >>> 0]);
    }
  }
  const [x, y, z] = [variable('a'), variable('b'), variable('c')];
  assert.is(or(shr(x, 7), shl(x, 25)), rotr(x, 7));
  assert.is(xor(z, and(x, xor(y, z))), xor(and(x, y), and(xor(x, 0xffffffff), z)));
  assert.is(add(subtract(add(x, y), x), 7), add(7, y));
  assert.is.not(add(x, y), xor(x, y));
});

tests(`${CLAIMS.length} claims hold for all contents of memory`, () => {
  assert.is(refuted(new Machine(KERNEL)), undefined);
});

/** The number of changes, each of one instruction. */
const CHANGE_COUNT = IS_WHOLE ? 20 : 6;

tests(`${CHANGE_COUNT} changes of one instruction are each found, or change nothing that is claimed`, () => {
  const mutations = mutationsOf(KERNEL, functionsOf(CLAIMS.slice(0, 12)), random(28));
  const unchanged: string[] = [];
  for (let count = 0; count < CHANGE_COUNT; count++) {
    const { name, module } = mutations.next().value!;
    const found = refutedModule(module);
    console.log(`${name}\n  ${found ?? 'changes nothing: all claims hold'}`);
    if (found === undefined) unchanged.push(name);
  }
  assert.ok(unchanged.length <= 2, unchanged.join());
});

tests('the digits of every digest and of every word are what they must be', () => {
  const machine = new Machine(decode(readFileSync('build/lines.wasm')));
  for (const { name, prove } of claimsOfLines()) assert.not.throws(() => prove(machine), name);
});

tests('findLines finds each set of line ends', () => {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync('build/simd.wasm')));
  assert.ok(tryAllLineEnds(exports as never, IS_WHOLE) >= 4 * 2 ** 16);
});

tests('the proved bytes are those of the package', () => {
  const kernel = readFileSync('build/simd.wasm');
  assert.equal(readFileSync('dist/hosts/kernel/simd.wasm'), kernel);
});

const productCount = (word: Word): number => (typeof word === 'number' ? 1 : word.products.length);

/** The functions that run when these claims are proved. */
function functionsOf(claims: readonly Claim[]): ReadonlySet<number> {
  const machine = new Machine(KERNEL);
  for (const { prove } of claims) prove(machine);
  return machine.called;
}

function refutedModule(module: WasmModule): string | undefined {
  try {
    return refuted(new Machine(module));
  } catch (error) {
    return `start: ${(error as Error).message}`;
  }
}

tests.run();
