// The digests of the kernel `wide`: of its module as any V8 compiles it, here, and then the same tests once more in
// Node 26, whose V8 packs its vectors.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { kernelModule } from '#kernel';
import { DIGESTS, LONG_BLOCK_COUNT, NO_MESSAGE, ROW_CAPACITY, TEXT, TEXT_END } from '../../assembly/layout.ts';
import type { Kernel, Width } from '../../src/kernel/kernel.ts';
import { wideHash, wideKernel } from '../../src/kernel/wide/kernel.ts';
import { openWide } from '../../src/kernel/wide/open.ts';
import { cases, random, randomBytes } from '../seed.ts';
import { NODE_26, spawned } from './node-26.ts';

const isPacked = process.env['URLSUM_TEST_PACKED'] !== undefined;
const program = Uint8Array.from(readFileSync('build/wide.wasm'));
const tests = suite(`wide, ${isPacked ? 'packed' : 'as it is'}, in Node ${process.versions.node}`);

const WIDTHS: readonly Width[] = [8, 16, 32];
const GUARD = 0x5a;
const GUARD_BYTES = 64;
const next = random();
const noise = randomBytes(next, 1 << 17);

function opened(): Kernel {
  if (!isPacked)
    return wideKernel(kernelModule('simd'), (memory) => wideHash(new WebAssembly.Module(program), memory))!;
  const kernel = openWide(kernelModule);
  if (typeof kernel === 'string') throw new Error(kernel);
  return kernel;
}

const kernel = opened();
const { memory } = kernel;

function someNoise(byteLength: number): Uint8Array {
  const start = next(noise.length - byteLength);
  return noise.subarray(start, start + byteLength);
}

/** Compares the digests of a batch with those of `node:crypto`, and what lies after them with what lay there. */
function check(messages: readonly (Uint8Array | undefined)[], width: Width): void {
  let at: number = TEXT;
  for (const [row, message] of messages.entries()) {
    memory.setSpan(row, at, message?.length ?? NO_MESSAGE);
    if (message === undefined) continue;
    memory.bytes.set(message, at);
    at += message.length;
  }
  const end = DIGESTS + messages.length * width;
  memory.bytes.fill(GUARD, DIGESTS, end + GUARD_BYTES);
  kernel.hash(0, messages.length, width);
  for (const [row, message] of messages.entries()) {
    const digest = message === undefined ? Buffer.alloc(width) : createHash('sha256').update(message).digest();
    const actual = memory.bytes.subarray(DIGESTS + row * width, DIGESTS + (row + 1) * width);
    if (digest.compare(actual, 0, width, 0, width) !== 0)
      assert.unreachable(`row ${row} of ${messages.length}, ${message?.length} bytes, width ${width}`);
  }
  assert.ok(
    memory.bytes.subarray(end, end + GUARD_BYTES).every((byte) => byte === GUARD),
    'it wrote too far',
  );
}

tests('it is the kernel that it says it is', () => {
  assert.is(kernel.name, 'wide');
  assert.is(kernel.reason, undefined);
});

tests('every length from 0 to 300 in each lane, the others of the same block count, at every width', () => {
  for (let length = 0; length <= 300; length++) {
    const blockCount = ((length + 8) >> 6) + 1;
    const shortest = Math.max(0, 64 * (blockCount - 1) - 8);
    for (let lane = 0; lane < 8; lane++) {
      const lengths = Array.from({ length: 8 }, (_, each) =>
        each === lane ? length : shortest + next(64 * blockCount - 8 - shortest),
      );
      const width = WIDTHS[(length + lane) % 3]!;
      check(lengths.map(someNoise), width);
    }
  }
});

tests('groups of 1 to 17, of every length and at every width', () => {
  for (const width of WIDTHS)
    for (let length = 0; length <= 300; length += length < 130 ? 1 : 17)
      for (let count = 1; count <= 17; count++)
        check(
          Array.from({ length: count }, () => someNoise(length)),
          width,
        );
});

tests('rows without a message among others, and nothing else', () => {
  for (const width of WIDTHS) {
    for (let period = 1; period <= 9; period++)
      check(
        Array.from({ length: 40 }, (_, row) => (row % period === 0 ? undefined : someNoise(next(200)))),
        width,
      );
    check([], width);
  }
});

tests('messages of 4 KiB and more, one at a time, between others', () => {
  const longest = 64 * LONG_BLOCK_COUNT;
  for (let length = longest - 70; length <= longest + 70; length++)
    check([someNoise(60), someNoise(length), someNoise(61), someNoise(longest - 72), someNoise(length + 1)], 32);
});

tests('from any row on, and no row before it', () => {
  for (let row = 0; row < 30; row++) memory.setSpan(row, TEXT + row, 20 + row);
  memory.bytes.set(noise.subarray(0, 100), TEXT);
  for (let first = 0; first <= 30; first++) {
    memory.bytes.fill(GUARD, DIGESTS, DIGESTS + 31 * 16);
    kernel.hash(first, 30, 16);
    for (let row = 0; row <= 30; row++) {
      const isHashed = row >= first && row < 30;
      const digest = createHash('sha256')
        .update(noise.subarray(row, 20 + 2 * row))
        .digest();
      const expected = isHashed ? digest.subarray(0, 16) : Buffer.alloc(16, GUARD);
      assert.ok(expected.equals(memory.bytes.subarray(DIGESTS + 16 * row, DIGESTS + 16 * (row + 1))), `row ${row}`);
    }
  }
});

tests('random messages', () => {
  for (let left = cases(100_000); left > 0; ) {
    const longest = next(10) === 0 ? 3000 : 1 + next(400);
    const messages: (Uint8Array | undefined)[] = [];
    for (let room = TEXT_END - TEXT, rows = 1 + next(ROW_CAPACITY); messages.length < rows && room > longest; ) {
      messages.push(next(100) === 0 ? undefined : someNoise(next(longest)));
      room -= messages.at(-1)?.length ?? 0;
    }
    check(messages, WIDTHS[next(3)]!);
    left -= messages.length;
  }
});

if (isPacked)
  tests('another module than ours is not used, and ours is after it', () => {
    const wrongShift = program.slice();
    // i32.const 7, i32x4.shr_u
    const at = Buffer.from(program).indexOf(Buffer.of(0x41, 7, 0xfd, 0xad, 1));
    assert.ok(at > 0);
    wrongShift[at + 1] = 8;
    const empty = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
    assert.is(openWide(kernelModule, wrongShift), 'its digests of known rows are wrong');
    assert.match(openWide(kernelModule, empty) as string, /not a function/);
    assert.match(openWide(kernelModule, program.slice(0, -1)) as string, /WebAssembly\.Module/);
    assert.is((openWide(kernelModule) as Kernel).name, 'wide');
  });
else if (NODE_26 !== undefined)
  tests('the same on the code that V8 packs', () => {
    const file = fileURLToPath(import.meta.url);
    const { status, stdout, stderr } = spawned(NODE_26!, ['test/run-file.mjs', file], { URLSUM_TEST_PACKED: '1' });
    assert.is(status, 0, stdout + stderr);
    assert.match(stdout, /wide, packed, in Node 26/);
    assert.match(stdout, /Passed: +8/);
  });

tests.run();
