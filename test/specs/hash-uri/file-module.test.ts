import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { digestOfBytes } from '../../../src/core/digest/digest.ts';
import { openKernel } from '../../../src/core/kernel/open.ts';
import {
  HashUriError,
  make,
  makeFromStream,
  parse,
  verdictOf,
  verdictOfStream,
  verify,
  verifyStream,
} from '../../../src/entries/hash-uri.ts';
import { KernelSha256 } from '../../../src/specs/hash-uri/file-module.ts';
import { partsOf } from '../../../src/specs/hash-uri/hash-uri.ts';
import { trustyFiles } from '../../support/data.ts';
import { cases } from '../../support/seed.ts';
import { errorOf, mustRefuse, rejectionOf } from '../../support/thrown.ts';

const test = suite('hash-uri: make and verify');
const EMPTY = 'FA47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU';
const HELLO = 'FAf4OxZX_x_FO5LcGBSKHWXfwtSx-j1ncoSt3SABJtkGk';
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The code by node:crypto's own Base64. */
const codeOf = (content: Uint8Array): string => `FA${createHash('sha256').update(content).digest('base64url')}`;

test('agrees with node:crypto, and verifies what it made and nothing else', () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.uint8Array({ maxLength: 300, size: 'max' }),
      fc.uint8Array({ maxLength: 300, size: 'max' }),
      (base, content, other) => {
        const uri = make(base, content);
        assert.ok(uri.endsWith(codeOf(content)));
        assert.is(parse(uri).hash, codeOf(content).slice(2));
        assert.is(verify(uri, content), true);
        assert.is(verify(`${uri}.txt`, content), true);
        assert.is(verify(uri, other), codeOf(other) === codeOf(content));
      },
    ),
    { numRuns: cases(1_000) },
  );
});

test('each result of verdictOf: verify says true or false, or throws where there is nothing to compare', async () => {
  const rows: readonly (readonly [uri: string, result: string])[] = [
    [`http://e/x.${HELLO}`, 'verified'],
    [`http://e/x.${HELLO}.nq.gz`, 'verified'],
    [HELLO, 'verified'],
    [`http://e/x.${EMPTY}`, 'mismatch'],
    // the other three spellings of the same 32 bytes, which a lenient decoder would take
    ...['l', 'm', 'n'].map((last) => [HELLO.slice(0, -1) + last, 'mismatch'] as const),
    [HELLO.slice(0, -1), 'mismatch'],
    [`${HELLO}A`, 'mismatch'],
    [`FA${'a'.repeat(23)}`, 'mismatch'],
    [`RA${HELLO.slice(2)}`, 'unsupported'],
    [`RB${HELLO.slice(2)}`, 'unsupported'],
    [`FB${HELLO.slice(2)}`, 'unsupported'],
    [`http://e/${'a'.repeat(25)}`, 'unsupported'],
    ['', 'not-a-hash-uri'],
    ['http://e/x', 'not-a-hash-uri'],
    [`http://e/x.${HELLO}#p`, 'not-a-hash-uri'],
  ];
  for (const [uri, result] of rows) {
    const content = utf8('Hello World!');
    assert.is(verdictOf(uri, content).result, result, uri);
    assert.is((await verdictOfStream(uri, [content])).result, result, uri);
    if (result === 'verified' || result === 'mismatch') {
      assert.is(verify(uri, content), result === 'verified', uri);
      assert.is(await verifyStream(uri, [content]), result === 'verified', uri);
      assert.is(verdictOf(uri, content).code, HELLO, uri);
    } else {
      const reason = result === 'unsupported' ? 'module-unsupported' : result;
      for (const error of [errorOf(() => verify(uri, content)), await rejectionOf(verifyStream(uri, [content]))]) {
        assert.ok(error instanceof HashUriError, uri);
        assert.equal([error.reason, error.input, error.code], [reason, uri, 'ERR_INVALID_HASH_URI']);
      }
    }
  }
});

test('a stream gives what its bytes give, however they are cut and wherever they come from', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 200, size: 'max' }), { maxLength: 8 }), async (chunks) => {
      const uri = make('x', Buffer.concat(chunks));
      for (const source of [
        chunks,
        asyncIterable(chunks),
        new Blob(chunks as BlobPart[]).stream(),
        withoutIterator(chunks),
      ]) {
        assert.is(await makeFromStream('x', source), uri);
      }
      assert.is(await makeFromStream('x', chunks, { sha256: createHash('sha256') }), uri);
      assert.is(await verifyStream(uri, chunks), true);
      assert.is(await verifyStream(uri, [...chunks, utf8('x')]), false);
    }),
    { numRuns: cases(100) },
  );
});

async function* asyncIterable(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

/** A ReadableStream as older browsers have it. */
function withoutIterator(chunks: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  const reader = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  }).getReader();
  return { getReader: () => reader } as unknown as ReadableStream<Uint8Array>;
}

test('what is not compared is not read', async () => {
  const unread: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () => assert.unreachable('it was read') as never,
  };
  assert.is((await verdictOfStream('http://e/', unread)).result, 'not-a-hash-uri');
  assert.is((await verdictOfStream(`RA${HELLO.slice(2)}`, unread)).result, 'unsupported');
  assert.instance(await rejectionOf(verifyStream('http://e/', unread)), HashUriError);
});

// data/trusty: the test-suite of trusty URIs and two more collections; SOURCE.md says what is to be expected.
const FOLDERS: Readonly<Record<string, { readonly FA: number; readonly result: string }>> = {
  'trustyuri-testsuite/FA/valid': { FA: 2, result: 'verified' },
  'trustyuri-testsuite/FA/invalid': { FA: 2, result: 'mismatch' },
  'hashuri-java-v0-examples': { FA: 2, result: 'verified' },
  'trustyuri-spec': { FA: 2, result: 'verified' },
};

for (const [folder, { FA, result }] of Object.entries(FOLDERS)) {
  test(`published files: ${folder}`, async () => {
    const names = trustyFiles(folder)?.filter((name) => partsOf(name)?.identifier === 'FA');
    if (names === undefined) return;
    assert.is(names.length, FA);
    for (const name of names) {
      const content = readFileSync(name);
      assert.is(verify(name, content), result === 'verified', name);
      const pieces = [content.subarray(0, 7), content.subarray(7)];
      assert.is((await verdictOfStream(name, pieces)).result, result, name);
    }
  });
}

test('published files of RDF are unsupported, and never verified', () => {
  const [valid, invalid] = ['valid', 'invalid'].map((folder) => trustyFiles(`trustyuri-testsuite/RA/${folder}`));
  if (valid === undefined || invalid === undefined) return;
  const names = [...valid, ...invalid];
  assert.is(names.length, 33);
  for (const name of names) assert.is(verdictOf(name, new Uint8Array(0)).result, 'unsupported', name);
});

test('an argument of the wrong kind, or with a wrong value', async () => {
  const any = (value: unknown) => value as never;
  const none = new Uint8Array(0);
  await mustRefuse([
    [() => make(any(1), none), 'TypeError: base must be a string or a URL, got number'],
    [() => make('', any('text')), 'TypeError: content must be a Uint8Array, got string'],
    [() => make('', any(new ArrayBuffer(1))), 'TypeError: content must be a Uint8Array, got ArrayBuffer'],
    [() => make('', any(null)), 'TypeError: content must be a Uint8Array, got null'],
    [() => make('', none, any({ module: 'RA' })), 'RangeError: module must be one of FA, got "RA"'],
    [() => make('', none, any({ separator: '-' })), 'RangeError: separator must be one of ., /, #, got "-"'],
    [() => make('', none, any({ modules: 'FA' })), 'RangeError: options has no "modules", only module, separator'],
    [() => make('', none, any(null)), 'TypeError: options must be an object, got null'],
    [() => make('', none, any({ sha256: createHash('sha256') })), 'RangeError: options has no "sha256", only module…'],
    [() => makeFromStream('', [], any(null)), 'TypeError: options must be an object, got null'],
    [() => makeFromStream('', any(undefined)), 'TypeError: chunks must be a ReadableStream or iterable, got undefined'],
    [() => verifyStream(HELLO, [], any(null)), 'TypeError: options must be an object, got null'],
    [() => verify(any(undefined), none), 'TypeError: uri must be a string or a URL, got undefined'],
    [() => verify('http://e/', any([1])), 'TypeError: content must be a Uint8Array, got Array'],
    [() => parse(any({})), 'TypeError: uri must be a string or a URL, got Object'],
    [() => makeFromStream('', any(7)), 'TypeError: chunks must be a ReadableStream or iterable, got number'],
    [() => makeFromStream('', any('text')), 'TypeError: a chunk must be a Uint8Array, got string'],
    [() => makeFromStream('', any(utf8('x'))), 'TypeError: a chunk must be a Uint8Array, got number'],
    [() => verifyStream(HELLO, any([null])), 'TypeError: a chunk must be a Uint8Array, got null'],
    [
      () => makeFromStream('', [], any({ format: 'trig' })),
      'RangeError: options has no "format", only module, separator, sha256',
    ],
    [() => verifyStream(HELLO, [], any({ format: 'trig' })), 'RangeError: options has no "format", only sha256'],
  ]);
});

test.run();

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
