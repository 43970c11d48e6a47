import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  canonicalize,
  ExpressionHasher,
  expressions,
  hashes,
  listEntry,
  prefix,
} from '../../../src/entries/safe-browsing.ts';
import { errorOf } from '../../support/thrown.ts';

const test = suite('safe-browsing: arguments');
const URL = 'http://evil.example/';

function refused(type: typeof TypeError | typeof RangeError, message: RegExp, call: () => unknown): void {
  const error = errorOf(call);
  assert.is(error.constructor, type, `${error.name}: ${error.message}`);
  assert.match(error.message, message);
}

test('one URL is not a list: in a look-up its characters would read as safe', () => {
  for (const urls of [URL, new String(URL), Buffer.from(URL), null, undefined, 5, {}, { length: 1, 0: URL }])
    refused(TypeError, /^urls must be a list of URLs, got/, () => new ExpressionHasher().hashMany(urls as never));
  assert.is(new ExpressionHasher().hashMany(new Set([URL])).length, 1);
});

const TAKING_OPTIONS = {
  canonicalize: (options: never) => canonicalize(URL, options),
  expressions: (options: never) => expressions(URL, options),
  hashes: (options: never) => hashes(URL, options),
  ExpressionHasher: (options: never) => new ExpressionHasher(options).hashMany([URL]),
};

for (const [name, call] of Object.entries(TAKING_OPTIONS)) {
  test(`${name}: options are checked`, () => {
    for (const options of [5, 'v5', true, null, [], () => URL, Symbol('v5')])
      refused(TypeError, /^options must be an object, got/, () => call(options as never));
    refused(RangeError, /^options has no "profiel", only profile, mode/, () => call({ profiel: 'v5' } as never));
    refused(RangeError, /^profile must be one of web-risk, v5, got "v4"$/, () => call({ profile: 'v4' } as never));
    refused(RangeError, /^profile must be one of/, () => call({ profile: null } as never));
    refused(RangeError, /^mode must be one of spec, browser/, () => call({ mode: 'strict' } as never));
    call({} as never);
  });
}

test('options of some functions alone', () => {
  const { canonicalize: call } = TAKING_OPTIONS;
  refused(RangeError, /^mode must be one of spec, browser, got "union"$/, () => call({ mode: 'union' } as never));
  refused(RangeError, /^options has no "privateSuffixes"/, () => call({ privateSuffixes: true } as never));
  for (const made of [TAKING_OPTIONS.expressions, TAKING_OPTIONS.ExpressionHasher])
    refused(RangeError, /^privateSuffixes must be one of true, false, got 0$/, () =>
      made({ privateSuffixes: 0 } as never),
    );
  refused(RangeError, /^options has no "width"/, () => expressions(URL, { width: 4 } as never));
  for (const width of [3, 33, 4.5, '4', null, Number.NaN])
    refused(
      RangeError,
      /^width must be a whole number of bytes from 4 to 32/,
      () => new ExpressionHasher({ width: width as number }),
    );
  refused(RangeError, /^kernel must be one of simd, js,/, () => new ExpressionHasher({ kernel: 'avx' as 'js' }));
});

test('rows are bytes and their offsets', () => {
  const hasher = new ExpressionHasher();
  refused(TypeError, /^bytes must be a Uint8Array, got string$/, () =>
    hasher.hashRows(URL as never, Uint32Array.of(0)),
  );
  refused(TypeError, /^offsets must be a Uint32Array, got Array$/, () =>
    hasher.hashRows(Buffer.from(URL), [0] as never),
  );
  refused(RangeError, /^offsets must be ascending, got 1 after 2 at index 2$/, () =>
    hasher.hashRows(Buffer.from(URL), Uint32Array.of(0, 2, 1)),
  );
  refused(RangeError, /^offsets must not exceed the 20 bytes, got 21 at index 1$/, () =>
    hasher.hashRows(Buffer.from(URL), Uint32Array.of(0, 21)),
  );
});

test('prefix: of bytes, and no longer than they are', () => {
  for (const hash of [5, 'abcdefgh', [1, 2, 3, 4, 5], null, undefined, new Uint16Array(8)])
    refused(TypeError, /^hash must be a Uint8Array, got/, () => prefix(hash as never, 4));
  refused(RangeError, /^the hash has 3 bytes, fewer than 4$/, () => prefix(new Uint8Array(3), 4));
  for (const width of [0, 3, 33, Number.NaN, '4' as never, undefined as never])
    refused(RangeError, /^width must be a whole number/, () => prefix(new Uint8Array(32), width));
});

test('in bulk, too, what is neither a string, a URL nor bytes is of the wrong kind: it is not a URL on no list', () => {
  for (const item of [Symbol('x'), {}, null, undefined, 7, { href: URL }, [URL]])
    refused(TypeError, /^each of urls must be a string, a URL or a Uint8Array, got/, () =>
      new ExpressionHasher().hashMany([URL, item] as never),
    );
});

test('bytes that are out of memory are not an empty URL', () => {
  const detached = Uint8Array.from(Buffer.from(URL));
  structuredClone(detached, { transfer: [detached.buffer] });
  const memory = new ArrayBuffer(64, { maxByteLength: 64 } as never) as ArrayBuffer & { resize(length: number): void };
  const outside = new Uint8Array(memory, 32, 32);
  memory.resize(0);
  for (const bytes of [detached, outside])
    for (const call of [
      () => canonicalize(bytes),
      () => expressions(bytes),
      () => hashes(bytes),
      () => listEntry(bytes),
      () => new ExpressionHasher().hashMany([URL, bytes]),
      () => new ExpressionHasher().hashLines(bytes),
    ])
      refused(TypeError, / must be in memory, got what was transferred or detached$/, call);
});

test.run();
