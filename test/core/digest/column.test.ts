// A column that came from another thread, or from structuredClone, is a column again.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { HashColumn, UrlHasher, type Width } from '../../../src/index.ts';
import { SAMPLE_URLS } from '../../support/samples.ts';
import { errorOf } from '../../support/thrown.ts';

const tests = suite('HashColumn.from');
const LINES = new TextEncoder().encode(['not a url', ...SAMPLE_URLS, 'http://[', ''].join('\n'));

function mustBeEqual(revived: HashColumn, column: HashColumn): void {
  assert.instance(revived, HashColumn);
  assert.equal({ ...revived }, { ...column });
  assert.equal(revived.words, column.words);
  assert.ok(column.invalid.length >= 2);
  for (let row = -1; row <= column.length; row++) {
    assert.is(revived.at(row)?.constructor, column.at(row)?.constructor);
    assert.is(revived.hex(row), column.hex(row));
    assert.is(revived.errorAt(row)?.message, column.errorAt(row)?.message);
  }
}

for (const width of [8, 16, 32] as const) {
  tests(`a clone, ${width} bytes wide`, () => {
    for (const rowBounds of [false, true]) {
      const options = { width, rowBounds, dropParams: ['a', 'utm_*'] };
      const column = new UrlHasher<Width>(options).hashLines(LINES);
      const clone = structuredClone(column);
      assert.not.instance(clone, HashColumn);
      mustBeEqual(HashColumn.from(clone), column);
    }
  });
}

tests('one whose bytes were transferred has no hashes left', () => {
  const column = new UrlHasher().hashMany(['http://a/', 'not a url']);
  structuredClone(column, { transfer: [column.bytes.buffer] });
  for (const read of [() => column.hex(0), () => column.at(0), () => [...column]])
    assert.instance(errorOf(read), TypeError);
  assert.is(column.hex(1), undefined);
});

tests('one that a thread posted, with its bytes transferred', async () => {
  const column = new UrlHasher({ rowBounds: true }).hashLines(LINES);
  const source =
    'const { parentPort: port } = require("node:worker_threads"); port.on("message", (column) => port.postMessage(column, [column.bytes.buffer]))';
  const worker = new Worker(source, { eval: true });
  worker.postMessage(column);
  const [posted] = (await once(worker, 'message')) as [HashColumn<32>];
  await worker.terminate();
  mustBeEqual(HashColumn.from(posted), column);
});

tests('of its parts alone, it has all but the reasons', () => {
  const { bytes, width, profile, invalid } = new UrlHasher().hashLines(LINES);
  const column = HashColumn.from({ bytes, width, profile, invalid });
  assert.is(column.at(0), undefined);
  assert.is(column.errorAt(0), undefined);
  assert.is(column.rowStarts, undefined);
  assert.ok(column.bytes === bytes && column.hex(1));
});

tests('what is not a column, or does not fit, is refused by its name', () => {
  const parts = { ...new UrlHasher().hashMany(['not a url', 'http://a/']) };
  const refused: readonly (readonly [change: object | null, type: typeof TypeError, message: RegExp])[] = [
    [null, TypeError, /^bytes must be a Uint8Array, got undefined$/],
    [{ bytes: [...parts.bytes] }, TypeError, /^bytes must be a Uint8Array, got Array$/],
    [{ bytes: parts.bytes.slice(1) }, RangeError, /^bytes must be all of their memory, in rows of 32, got 63$/],
    [{ bytes: parts.bytes.subarray(32) }, RangeError, /^bytes must be all of their memory/],
    [{ width: 7 }, RangeError, /^width must be one of 8, 16, 32, got 7$/],
    [{ profile: undefined }, TypeError, /^profile must be a string/],
    [{ invalid: [0] }, TypeError, /^invalid must be a Uint32Array, got Array$/],
    [{ invalid: Uint32Array.of(2) }, RangeError, /^invalid must be ascending rows of 2, got 2 at index 0$/],
    [{ invalid: Uint32Array.of(1, 0) }, RangeError, /got 0 at index 1$/],
    [{ rowStarts: Uint32Array.of(1) }, RangeError, /^rowStarts must have 2 numbers, got 1$/],
    [{ strippedCount: '1' }, TypeError, /^strippedCount must be a number, got string$/],
    [{ hasUnicodeHosts: 0 }, TypeError, /^hasUnicodeHosts must be a boolean, got number$/],
  ];
  for (const [change, type, message] of refused) {
    const error = errorOf(() => HashColumn.from(change === null ? (null as never) : { ...parts, ...change }));
    assert.instance(error, type);
    assert.match(error.message, message);
  }
});

tests.run();
