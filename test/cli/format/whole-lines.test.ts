import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LINES_BYTES, ROW_CAPACITY } from '../../../assembly/text-lines/layout.ts';
import { BlockWriter } from '../../../src/cli/format/block-writer.ts';
import { RowByRow } from '../../../src/cli/format/format.ts';
import { hex, text } from '../../../src/cli/format/row-formats.ts';
import { WholeLines } from '../../../src/cli/format/whole-lines.ts';
import { linesEndingIn } from '../../../src/cli/rows/lines.ts';
import { HashStage } from '../../../src/cli/stage/hashes.ts';
import type { Width } from '../../../src/kernel/kernel.ts';
import { openKernel } from '../../../src/kernel/open.ts';
import { SAMPLE_URLS } from '../../samples.ts';
import { random } from '../../seed.ts';

const tests = suite('whole blocks of lines');
const kernel = openKernel();

/** How often a block was written as a whole. */
let wholeBlocks = 0;

class CountedLines extends WholeLines {
  override block(...args: Parameters<WholeLines['block']>): Uint8Array | undefined {
    const block = super.block(...args);
    if (block !== undefined) wholeBlocks++;
    return block;
  }
}

/** Every format, width and onError, written as a whole and row by row. */
function mustAgree(block: Uint8Array, lineEnd: number, widths: readonly Width[] = [8, 16, 32]): void {
  const rows = linesEndingIn(lineEnd).rows(block);
  for (const [name, rowFormat] of [
    ['text', text],
    ['hex', hex],
  ] as const) {
    for (const width of widths) {
      for (const onError of ['null', 'keep', 'skip', 'fail'] as const) {
        const stage = new HashStage({ kernel, width, excludeFragment: false }, onError);
        const formats = [new CountedLines(name, lineEnd), new RowByRow(rowFormat, lineEnd)];
        const [whole, byRow] = formats.map((format) => {
          const writer = new BlockWriter(format, onError);
          // a second block begins anew
          return [1, 2].map(() => Buffer.from(writer.written(stage.run(rows))).toString('latin1')).join('then\n');
        });
        assert.is(whole, byRow, `${name} ${width} ${onError}`);
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
