import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ByteWriter } from '../../../src/cli/stage/byte-writer.ts';
import { MALFORMED, Sums } from '../../../src/cli/stage/sums.ts';
import { random } from '../../seed.ts';

const tests = suite('lines of the text format');

/** The format as one regular expression, on bytes as characters. */
const SUM_LINE = /^((?:[0-9a-f]{16}|[0-9a-f]{32}|[0-9a-f]{64})?) {2}(.*)$/is;

const DIGEST = Uint8Array.from({ length: 32 }, (_, index) => 0x0f + 37 * index);
const HEX = Buffer.from(DIGEST).toString('hex');

function mustAgree(line: string): void {
  const sums = new Sums(Buffer.from(line, 'latin1'), new ByteWriter());
  sums.add(0, line.length);
  const match = SUM_LINE.exec(line);
  assert.equal(sums.digitCounts, [match === null ? MALFORMED : match[1]!.length], JSON.stringify(line));
  const { urls, offsets } = sums.take();
  assert.is(Buffer.from(urls).toString('latin1'), match?.[2] ?? '');
  assert.equal(offsets, Uint32Array.of(0, urls.length));
  if (match === null) return;
  const digits = match[1]!.toLowerCase();
  assert.is(sums.isSpelled(0, DIGEST, 0), HEX.startsWith(digits), JSON.stringify(line));
}

tests('every number of digits and spaces, in both cases', () => {
  for (let digitCount = 0; digitCount <= 66; digitCount++) {
    for (const spaces of ['', ' ', '  ', '   ', '\t ', ' *']) {
      const digits = HEX.padEnd(66, '0').slice(0, digitCount);
      for (const url of ['', 'http://a/', ' ', '\n']) {
        mustAgree(digits + spaces + url || ' ');
        mustAgree(digits.toUpperCase() + spaces + url || ' ');
      }
    }
  }
});

tests('every byte at every place', () => {
  const line = `${HEX.slice(0, 16)}  x`;
  for (let at = 0; at < line.length; at++) {
    for (let byte = 1; byte < 256; byte++)
      mustAgree(line.slice(0, at) + String.fromCharCode(byte) + line.slice(at + 1));
  }
});

tests('mutated lines', () => {
  const next = random();
  for (let round = 0; round < 20_000; round++) {
    const line = `${HEX.slice(0, [0, 16, 32, 64][next(4)])}  https://example.com/`;
    const at = next(line.length);
    const inserted = ['', ' ', 'a', 'F', 'g', '  ', '\xe9'][next(7)]!;
    mustAgree(line.slice(0, at) + inserted + line.slice(at + next(3)));
  }
});

tests.run();
