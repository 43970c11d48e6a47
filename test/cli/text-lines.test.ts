import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LINES_BYTES, ROW_CAPACITY } from '../../assembly/text-lines/layout.ts';
import { BlockSum } from '../../src/cli/block-sum.ts';
import { formatOf } from '../../src/cli/format/formats.ts';
import { FormatSink, type Sink } from '../../src/cli/format/sink.ts';
import { LineSink } from '../../src/cli/format/text-lines.ts';
import { LINES, ZERO_LINES } from '../../src/cli/rows/lines.ts';
import { ON_ERROR } from '../../src/cli/terminal/options.ts';
import type { Width } from '../../src/kernel/kernel.ts';
import { openKernel } from '../../src/kernel/open.ts';
import { SAMPLE_URLS } from '../samples.ts';
import { random } from '../seed.ts';

const tests = suite('whole blocks of lines');
const kernel = openKernel();

/** How often a block was written as a whole. */
let wholeBlocks = 0;

class CountedSink extends LineSink {
  override block(...args: Parameters<LineSink['block']>): Uint8Array | undefined {
    const block = super.block(...args);
    if (block !== undefined) wholeBlocks++;
    return block;
  }
}

/** Every format, width and onError, written as a whole and row by row. */
function mustAgree(block: Uint8Array, lineEnd: number, widths: readonly Width[] = [8, 16, 32]): void {
  for (const format of ['text', 'hex'] as const) {
    for (const width of widths) {
      for (const onError of ON_ERROR) {
        const [whole, byRow] = [new CountedSink(format, lineEnd), new FormatSink(formatOf(format), lineEnd)].map(
          (sink: Sink) => {
            const sum = new BlockSum(kernel, lineEnd === 0 ? ZERO_LINES : LINES, { width, onError }, undefined, sink);
            return [1, 2].map(() => Buffer.from(sum.write(sum.hash(block))).toString('latin1')).join('then\n'); // a second block begins anew
          },
        );
        assert.is(whole, byRow, `${format} ${width} ${onError}`);
      }
    }
  }
}

tests('text and hex, of blocks of every shape', () => {
  for (const text of [
    '',
    '\n',
    '\n\n\n',
    '\r\n',
    '\r\r\n\n',
    'http://a/',
    'http://a/\n',
    'no',
    'no\nno\n',
    'http://a/\r\nhttp://b/\r\n',
    '\0',
    'http://é/\n\xff',
  ]) {
    mustAgree(Buffer.from(text), 0x0a);
    mustAgree(Buffer.from(text.replaceAll('\n', '\0')), 0);
    mustAgree(Buffer.from(text), 0); // line feeds that end no line
  }
});

tests('every length of a line about the 16 bytes of a vector, and both ends', () => {
  const lines = Array.from({ length: 150 }, (_, length) => 'http://a/'.padEnd(length, 'x').slice(0, length));
  for (const end of ['\n', '\r\n'])
    for (const last of ['', 'http://last/', 'last']) mustAgree(Buffer.from(lines.join(end) + end + last), 0x0a);
});

tests('more rows and more bytes than memory holds at once', () => {
  for (const count of [ROW_CAPACITY - 1, ROW_CAPACITY, ROW_CAPACITY + 1, 3 * ROW_CAPACITY + 7]) {
    for (const line of ['', 'http://a/', `http://a/${'x'.repeat(120)}`])
      mustAgree(Buffer.from(`${line}\n`.repeat(count)), 0x0a, [32]);
  }
  const fits = 'http://a/'.padEnd(LINES_BYTES - 1, 'x');
  mustAgree(Buffer.from(`${fits}\n${fits}\nhttp://b/\n${fits}`), 0x0a, [32]);
});

tests('what does not go as a whole goes row by row', () => {
  const before = wholeBlocks;
  mustAgree(Buffer.from(`http://b/\n${'http://a/'.padEnd(LINES_BYTES, 'x')}\n`), 0x0a, [32]);
  mustAgree(Buffer.from('http://a/\nhttp://b/\r'), 0x0a, [32]);
  assert.is(wholeBlocks, before);
});

tests('mutated blocks', () => {
  const next = random();
  for (let round = 0; round < 200; round++) {
    const lines = Array.from({ length: next(40) }, () =>
      next(4) === 0 ? 'x'.repeat(next(400)) : SAMPLE_URLS[next(SAMPLE_URLS.length)]!,
    );
    const lineEnd = next(2) * 0x0a;
    mustAgree(Buffer.from(lines.join(next(2) === 0 ? '\r\n' : String.fromCharCode(lineEnd))), lineEnd, [
      ([8, 16, 32] as const)[next(3)]!,
    ]);
  }
  assert.ok(wholeBlocks > 1000, `${wholeBlocks} blocks were written as a whole`);
});

tests.run();
