import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DIGESTS, NO_MESSAGE, ROW_CAPACITY, TEXT } from '../../assembly/layout.ts';
import { digestOfBytes } from '../../src/core/digest/digest.ts';
import type { Width } from '../../src/core/kernel/kernel.ts';
import { KERNELS } from '../core/kernel/kernels.ts';
import { cases, random } from '../support/seed.ts';

const LONGEST = 4096;
const WIDTHS: readonly Width[] = [8, 16, 32];
const noise = Buffer.from(Uint32Array.from({ length: 1 << 16 }, (_, index) => random(index)(2 ** 32)).buffer);

function sha256(message: Uint8Array): Buffer {
  return createHash('sha256').update(message).digest();
}

for (const kernel of KERNELS) {
  const tests = suite(`sha256: ${kernel.name}`);
  const { memory } = kernel;

  /** Lays out messages of these lengths at odd addresses and checks every digest of every width. */
  function check(lengths: readonly number[], widths: readonly Width[], context: string): void {
    lengths.forEach((length, row) => memory.setSpan(row, length === NO_MESSAGE ? 0 : TEXT + 7 * row, length));
    for (const width of widths) {
      kernel.hash(0, lengths.length, width);
      const digests = Buffer.from(memory.bytes.slice(DIGESTS, DIGESTS + lengths.length * width));
      lengths.forEach((length, row) => {
        const expected =
          length === NO_MESSAGE
            ? Buffer.alloc(width)
            : sha256(noise.subarray(7 * row, 7 * row + length)).subarray(0, width);
        const actual = digests.subarray(row * width, (row + 1) * width);
        assert.ok(
          actual.equals(expected),
          `${context}: row ${row} of ${lengths.length}, ${length} bytes, width ${width}`,
        );
      });
    }
  }

  tests.before(() => memory.bytes.set(noise, TEXT));

  tests('the vectors of FIPS 180-4', () => {
    const vectors = [
      ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
      ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
      [
        'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
        '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
      ],
      ['a'.repeat(1_000_000), 'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0'],
    ] as const;
    for (const [message, digest] of vectors)
      assert.is(Buffer.from(digestOfBytes(kernel, Buffer.from(message), 32)).toString('hex'), digest);
    memory.bytes.set(noise, TEXT);
  });

  tests('every length from 0 to 4096, alone', () => {
    for (let length = 0; length <= LONGEST; length++) check([length], [32], 'alone');
  });

  tests('every length in every lane position of every batch size from 1 to 9', () => {
    for (let length = 0; length <= LONGEST; length++) {
      const size = 1 + (length % 9);
      check(
        Array.from({ length: size }, () => length),
        [WIDTHS[length % 3]!],
        'equal lengths',
      );
    }
    for (let size = 1; size <= 9; size++) {
      for (let position = 0; position < size; position++) {
        for (const length of [
          0, 1, 54, 55, 56, 57, 63, 64, 65, 118, 119, 120, 121, 127, 128, 183, 184, 4030, 4031, 4096,
        ]) {
          check(
            Array.from({ length: size }, (_, row) => (row === position ? length : 40 + row)),
            WIDTHS,
            `position ${position}`,
          );
        }
      }
    }
  });

  tests('mixed lengths, rows without a message among them', () => {
    const next = random();
    for (let round = 0; round < cases(100); round++) {
      const size = 1 + next(60);
      check(
        Array.from({ length: size }, () => (next(12) === 0 ? NO_MESSAGE : next(4) === 0 ? next(LONGEST) : next(200))),
        WIDTHS,
        `round ${round}`,
      );
    }
  });

  tests('a full batch, and a part of one', () => {
    check(
      Array.from({ length: ROW_CAPACITY }, (_, row) => (row * 37) % 260),
      [32],
      'full',
    );
    const before = memory.bytes.slice(DIGESTS, DIGESTS + 32 * 20);
    memory.bytes.fill(0xee, DIGESTS, DIGESTS + 32 * 20);
    kernel.hash(5, 12, 32);
    const after = memory.bytes.slice(DIGESTS, DIGESTS + 32 * 20);
    assert.equal(after.subarray(160, 384), before.subarray(160, 384), 'rows 5 to 11 are written');
    assert.ok(
      [...after.subarray(0, 160), ...after.subarray(384)].every((byte) => byte === 0xee),
      'no other row is',
    );
  });

  tests('a message longer than memory, in pieces', () => {
    for (const length of [417_000, 417_535, 417_536, 417_537, 1_000_003, 3 << 20]) {
      const message = Buffer.alloc(length, noise);
      assert.ok(sha256(message).equals(digestOfBytes(kernel, message, 32)), `${length} bytes`);
    }
  });

  tests.run();
}
