import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LineBlocks } from '../../src/bulk/line-blocks.ts';
import { SEED } from '../seed.ts';

const tests = suite('LineBlocks');

tests('any bytes in any chunks: whole lines, in order, nothing lost', () => {
  const bytes = fc
    .array(fc.oneof(fc.constant(0x0a), fc.nat(255)), { maxLength: 60 })
    .map((values) => Uint8Array.from(values));
  fc.assert(
    fc.property(fc.array(bytes, { maxLength: 12 }), (chunks) => {
      const lines = new LineBlocks();
      const blocks = chunks.map((chunk) => lines.push(chunk).slice());
      for (const block of blocks) assert.ok(block.length === 0 || block.at(-1) === 0x0a, 'a block ends in a line feed');
      const rest = lines.end().slice();
      assert.not.ok(rest.includes(0x0a));
      assert.equal(Buffer.concat([...blocks, rest]), Buffer.concat(chunks));
      assert.is(lines.end().length, 0);
    }),
    { numRuns: 2000, seed: SEED },
  );
});

tests('a line of 32 MB in small chunks costs its length', () => {
  const lines = new LineBlocks();
  const chunk = new Uint8Array(1 << 16).fill(0x78);
  for (let count = 0; count < 512; count++) assert.is(lines.push(chunk).length, 0);
  assert.is(lines.push(Uint8Array.of(0x0a)).length, (512 << 16) + 1);
  assert.is(lines.end().length, 0);
});

tests.run();
