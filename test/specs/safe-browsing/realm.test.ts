import { runInNewContext } from 'node:vm';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ExpressionHasher, expressions } from '../../../src/entries/safe-browsing.ts';

const tests = suite('safe-browsing: values of another realm, as in Jest and across frames');

/** A Uint8Array that is no `instanceof Uint8Array` here. */
const foreign = runInNewContext('Uint8Array.from(text, (character) => character.charCodeAt(0))', {
  text: 'http://h/%',
}) as Uint8Array;

tests('bytes are bytes', () => {
  assert.not.ok(foreign instanceof Uint8Array);
  assert.equal(expressions(foreign), ['h/%25', 'h/']);
  assert.is(new ExpressionHasher().hashMany([foreign]).offsets[1], 2);
});

tests('what only looks like bytes is refused', () => {
  for (const input of [new DataView(new ArrayBuffer(8)), new Uint16Array(4), [104], null, undefined]) {
    assert.throws(
      () => expressions(input as never),
      (error: unknown) => error instanceof TypeError,
    );
  }
});

tests('a TypeError from another realm also says that a host is not UTF-8', () => {
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

tests.run();
