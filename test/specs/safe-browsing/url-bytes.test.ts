import { parse as parseUrl } from 'node:url';
import { runInNewContext } from 'node:vm';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  canonicalize,
  ExpressionHasher,
  expressions,
  hashes,
  listEntries,
  listEntry,
} from '../../../src/entries/safe-browsing.ts';
import { errorOf } from '../../support/thrown.ts';

const test = suite('safe-browsing: what is taken for a URL');
const URL_TEXT = 'http://evil.example/';

const DOORS: Readonly<Record<string, (url: never) => unknown>> = {
  canonicalize,
  expressions,
  hashes,
  listEntry,
  listEntries,
  hashMany: (url) => new ExpressionHasher().hashMany([URL_TEXT, url]),
};

function mustRefuse(message: RegExp, input: unknown): void {
  for (const [name, call] of Object.entries(DOORS)) {
    const error = errorOf(() => call(input as never));
    assert.is(error.constructor, TypeError, `${name}: ${error}`);
    assert.match(error.message, message, name);
  }
}

test('a URL object is taken, and what is neither one nor string nor bytes is of the wrong kind', () => {
  assert.is(canonicalize(new URL('http://a/%61')), canonicalize('http://a/%61'));
  assert.equal(expressions(new URL('http://a/b')), ['a/b', 'a/']);
  const others = [parseUrl('http://a/'), { href: URL_TEXT }, undefined, null, 7, Symbol('x'), [URL_TEXT]];
  for (const input of [...others, new DataView(new ArrayBuffer(8)), new Uint16Array(4)])
    mustRefuse(/^(url|line|each of urls) must be a string, a URL or a Uint8Array, got /, input);
});

test('bytes that are out of memory are not an empty URL', () => {
  const detached = Uint8Array.from(Buffer.from(URL_TEXT));
  structuredClone(detached, { transfer: [detached.buffer] });
  const memory = new ArrayBuffer(64, { maxByteLength: 64 } as never) as ArrayBuffer & { resize(length: number): void };
  const outside = new Uint8Array(memory, 32, 32);
  memory.resize(0);
  for (const bytes of [detached, outside]) {
    mustRefuse(/ must be in memory, got what was transferred or detached$/, bytes);
    assert.throws(() => new ExpressionHasher().hashLines(bytes), / must be in memory/);
  }
});

test('bytes of another realm, as in Jest and across frames, are bytes', () => {
  const foreign = runInNewContext('Uint8Array.from(text, (character) => character.charCodeAt(0))', {
    text: 'http://h/%',
  }) as Uint8Array;
  assert.not.ok(foreign instanceof Uint8Array);
  assert.equal(expressions(foreign), ['h/%25', 'h/']);
  assert.is(new ExpressionHasher().hashMany([foreign]).offsets[1], 2);
});

test('a TypeError from another realm also says that a host is not UTF-8', () => {
  const { TextDecoder } = globalThis;
  globalThis.TextDecoder = class extends TextDecoder {
    override decode(bytes: Uint8Array): string {
      try {
        return super.decode(bytes);
      } catch {
        throw runInNewContext('new TypeError("no UTF-8")');
      }
    }
  };
  assert.equal(expressions(Uint8Array.of(...Buffer.from('http://h'), 0xff)), ['h%FF/']);
  globalThis.TextDecoder = TextDecoder;
});

test.run();
