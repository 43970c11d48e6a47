import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sha256 } from '../../src/kernel/small-sha256.ts';

const tests = suite('the SHA-256 of urlsum/slim');

function expected(message: Uint8Array): string {
  return createHash('sha256').update(message).digest('hex');
}

tests('every length from 0 to 1024, in one piece and cut at every 7th byte', () => {
  const bytes = Uint8Array.from({ length: 1024 }, (_, at) => (at * 167 + 13) & 0xff);
  for (let length = 0; length <= 1024; length++) {
    const message = bytes.subarray(0, length);
    assert.is(
      Buffer.from(sha256.create().update(message).digest()).toString('hex'),
      expected(message),
      `length ${length}`,
    );
  }
  for (let cut = 0; cut <= 1024; cut += 7) {
    const pieces = sha256.create().update(bytes.subarray(0, cut)).update(bytes.subarray(cut));
    assert.is(Buffer.from(pieces.digest()).toString('hex'), expected(bytes), `cut at ${cut}`);
  }
});

tests.run();
