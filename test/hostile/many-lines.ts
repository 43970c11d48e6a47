import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import * as assert from 'uvu/assert';
import { UrlHash } from '../../src/index.ts';
import { COMMAND } from './command.ts';

const WORD_BYTES = 8;
const MEMORY_LIMIT_BYTES = 300e6;

/** Lines by the hundred million through pipes: every row is there, in its place, and memory stays flat. */
export async function manyLines(count: number): Promise<string> {
  const script = `seq -f 'http://example.com/%.0f?page' ${count} | "$0" "$1" --format bin --width ${WORD_BYTES} --stats=json`;
  const child = spawn('bash', ['-o', 'pipefail', '-c', script, process.execPath, COMMAND], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close');
  const complaints = text(child.stderr);
  const sampled = await sampledWords(child.stdout, Math.max(1, Math.floor(count / 1000)));
  assert.equal(await closed, [0, null], await complaints);
  assert.is(sampled.byteLength, count * WORD_BYTES);
  for (const [row, word] of sampled.words)
    assert.is(word, UrlHash.of(`http://example.com/${row + 1}?page`).veryShort().hex, `row ${row}`);
  const { lines, peakMemoryBytes, linesPerSecond } = JSON.parse(await complaints) as Record<string, number>;
  assert.is(lines, count);
  assert.ok(peakMemoryBytes! < MEMORY_LIMIT_BYTES, `${peakMemoryBytes} bytes of memory`);
  const memory = `${(peakMemoryBytes! / 2 ** 20).toFixed(0)} MiB`;
  return `${count} lines, ${Math.round(linesPerSecond!)} a second, ${memory}, ${sampled.words.size} rows compared`;
}

interface Sampled {
  readonly byteLength: number;
  /** Hex by row: each `stride`-th. */
  readonly words: ReadonlyMap<number, string>;
}

async function sampledWords(output: AsyncIterable<Buffer>, stride: number): Promise<Sampled> {
  const words = new Map<number, string>();
  let byteLength = 0;
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of output) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const first = byteLength / WORD_BYTES;
    const rowCount = Math.floor(bytes.length / WORD_BYTES);
    for (let row = stride * Math.ceil(first / stride); row < first + rowCount; row += stride)
      words.set(row, bytes.toString('hex', (row - first) * WORD_BYTES, (row - first + 1) * WORD_BYTES));
    byteLength += rowCount * WORD_BYTES;
    rest = bytes.subarray(rowCount * WORD_BYTES);
  }
  assert.is(rest.length, 0);
  return { byteLength, words };
}
