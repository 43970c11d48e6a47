import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { blocksOfRows, cutterAfter, LineBlocks } from '../../../src/core/bytes/lines.ts';
import { cases } from '../../support/seed.ts';

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
    { numRuns: cases(1_000) },
  );
});

tests('a byte order mark is left out at the start alone, wherever the chunks are cut', async () => {
  const text = Buffer.from('\ufeffone\0\ufefftwo\0last');
  for (let size = 1; size <= text.length; size++) {
    const chunks = (async function* () {
      for (let at = 0; at < text.length; at += size) yield text.subarray(at, at + size);
    })();
    const blocks: Uint8Array[] = [];
    for await (const block of blocksOfRows(chunks, cutterAfter(0))) blocks.push(block.slice());
    assert.is(Buffer.concat(blocks).toString(), 'one\0\ufefftwo\0last', `chunks of ${size}`);
    assert.ok(blocks.every((block) => block.length > 0));
  }
  for (const text of ['\ufeff', '', '\xef', '\xef\xbb', '\xef\xbb\xef\xbb\xbf']) {
    const bytes = Buffer.from(text, text === '\ufeff' ? 'utf8' : 'latin1');
    const lines = new LineBlocks();
    const got = [...Array.from(bytes, (byte) => lines.push(Uint8Array.of(byte)).slice()), lines.end()];
    assert.equal(Buffer.concat(got), text === '\ufeff' ? Buffer.alloc(0) : bytes);
  }
});

tests('a line of 32 MB in small chunks costs its length', () => {
  const lines = new LineBlocks();
  const chunk = new Uint8Array(1 << 16).fill(0x78);
  for (let count = 0; count < 512; count++) assert.is(lines.push(chunk).length, 0);
  assert.is(lines.push(Uint8Array.of(0x0a)).length, (512 << 16) + 1);
  assert.is(lines.end().length, 0);
});

tests.run();
