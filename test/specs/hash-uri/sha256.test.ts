import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { digestOfBytes } from '../../../src/core/digest/digest.ts';
import { openKernel } from '../../../src/core/kernel/open.ts';
import { KernelSha256 } from '../../../src/specs/hash-uri/file-module.ts';
import { cases } from '../../seed.ts';

const nodeHex = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const content = Uint8Array.from({ length: 200 }, (_, at) => (at * 37) & 255);

for (const name of ['simd', 'js'] as const) {
  const test = suite(`hash-uri: SHA-256 in pieces, ${name}`);
  const kernel = openKernel(name);

  test('every length, cut in two at every place', () => {
    for (let length = 0; length <= 130; length++) {
      const bytes = content.subarray(0, length);
      for (let cut = 0; cut <= length; cut++) {
        const sha256 = new KernelSha256(kernel);
        sha256.update(bytes.subarray(0, cut));
        sha256.update(bytes.subarray(cut));
        assert.is(hex(sha256.digest()), nodeHex(bytes), `${length} bytes cut at ${cut}`);
      }
    }
  });

  test('streams in turns, with other messages between', () => {
    const chunk = fc.tuple(fc.nat(2), fc.uint8Array({ maxLength: 150, size: 'max' }));
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 20, size: 'max' }), (chunks) => {
        const streams = [0, 1, 2].map(() => new KernelSha256(kernel));
        for (const [stream, bytes] of chunks) {
          streams[stream]!.update(bytes);
          digestOfBytes(kernel, bytes, 32);
        }
        for (const [index, stream] of streams.entries()) {
          const own = chunks.filter(([of]) => of === index).map(([, bytes]) => bytes);
          assert.is(hex(stream.digest()), nodeHex(Buffer.concat(own)));
        }
      }),
      { numRuns: cases(200) },
    );
  });

  test('pieces larger than the memory of the kernel', () => {
    const large = new Uint8Array(1_300_001).map((_, at) => at % 251);
    const sha256 = new KernelSha256(kernel);
    sha256.update(large.subarray(0, 13));
    sha256.update(large.subarray(13));
    assert.is(hex(sha256.digest()), nodeHex(large));
  });

  test.run();
}
