import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type HashColumn, hashStream, UrlHasher } from '../../../src/index.ts';
import { SAMPLE_URLS } from '../../support/samples.ts';
import { cases } from '../../support/seed.ts';

const tests = suite('hashStream');
const TEXT = Buffer.from(
  `\ufeff${SAMPLE_URLS.map((url) => url.replaceAll('\n', '')).join('\r\n')}\nhttps://例え.example/\nlast`,
);

function streamOf(chunks: Iterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.iterator]();
  return new ReadableStream({
    pull(controller) {
      const next = iterator.next();
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
  });
}

async function columns(chunks: Iterable<Uint8Array>, options = {}): Promise<HashColumn[]> {
  const out: HashColumn[] = [];
  for await (const column of streamOf(chunks).pipeThrough(hashStream(options))) out.push(column);
  return out;
}

tests('chunks cut anywhere: inside a UTF-8 sequence, a byte order mark, between CR and LF', async () => {
  const whole = Buffer.from(new UrlHasher().hashLines(TEXT).bytes);
  for (let at = 0; at <= TEXT.length; at++) {
    const joined = Buffer.concat((await columns([TEXT.subarray(0, at), TEXT.subarray(at)])).map(({ bytes }) => bytes));
    assert.ok(joined.equals(whole), `cut at ${at}`);
  }
  const bytewise = await columns(Array.from(TEXT, (byte) => Uint8Array.of(byte)));
  assert.ok(Buffer.concat(bytewise.map(({ bytes }) => bytes)).equals(whole));
});

tests('any cuts, any width', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(TEXT.length), { maxLength: 20 }),
      fc.constantFrom(8, 16, 32),
      async (cuts, width) => {
        const edges = [0, ...cuts.sort((a, b) => a - b), TEXT.length];
        const chunks = edges.slice(1).map((end, index) => TEXT.subarray(edges[index], end));
        const got = await columns(chunks, { width });
        assert.equal(
          Buffer.concat(got.map(({ bytes }) => bytes)),
          Buffer.from(new UrlHasher({ width: width as 8 }).hashLines(TEXT).bytes),
        );
      },
    ),
    { numRuns: cases(100) },
  );
});

tests('chunks may be used again by their owner', async () => {
  const chunk = Buffer.alloc(64);
  function* reused() {
    for (let at = 0; at < TEXT.length; at += 64) {
      const length = TEXT.copy(chunk, 0, at, at + 64);
      yield chunk.subarray(0, length);
    }
  }
  const stream = hashStream();
  const writer = stream.writable.getWriter();
  const read = (async () => {
    const out: Uint8Array[] = [];
    for await (const { bytes } of stream.readable) out.push(bytes);
    return Buffer.concat(out);
  })();
  for (const each of reused()) await writer.write(each);
  await writer.close();
  assert.ok((await read).equals(Buffer.from(new UrlHasher().hashLines(TEXT).bytes)));
});

tests('backpressure: one chunk is pulled before anyone asks, and no more', async () => {
  let pulled = 0;
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    pulled++;
    controller.enqueue(Buffer.from('https://example.com/\n'));
  };
  const source = new ReadableStream({ pull }, { highWaterMark: 0 });
  const reader = source.pipeThrough(hashStream()).getReader();
  for (let read = 0; read < 3; read++) {
    // Whatever would pull on its own does so within some turns of the event loop.
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    assert.is(pulled, read + 1, `${read} columns were read`);
    await reader.read();
  }
  await reader.cancel();
});

tests('a chunk that is not bytes errors the stream; bad options throw', async () => {
  const error = await columns(['text' as unknown as Uint8Array]).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.instance(error, TypeError);
  assert.throws(
    () => hashStream({ width: 7 as 8 }),
    (reason: unknown) => reason instanceof RangeError,
  );
});

tests.run();
