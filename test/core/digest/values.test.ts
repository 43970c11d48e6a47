import { deepStrictEqual, notDeepStrictEqual } from 'node:assert/strict';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as source from '../../../src/index.ts';
import { inAnotherRealm } from '../../support/another-realm.ts';
import { errorOf } from '../../support/thrown.ts';
import { KERNELS } from '../kernel/kernels.ts';

type Library = typeof source;
const { UrlHash, UrlHasher, UrlShortHash, UrlVeryShortHash } = source;
const CLASSES = [UrlHash, UrlShortHash, UrlVeryShortHash] as const;
const HEX = '0f115db062b7c0dd030b16878c99dea5c354b49dc37b38eb8846179c7783e9d7';

const tests = suite('hashes are values');

tests('test tools tell different hashes apart, and equal ones not', () => {
  for (const type of CLASSES) {
    const [one, same, other] = ['https://a/', 'HTTPS://A', 'https://b/'].map((url) => type.of(url));
    deepStrictEqual(one, same);
    deepStrictEqual({ list: [one] }, { list: [same] });
    notDeepStrictEqual(one, other);
    notDeepStrictEqual({ list: [one] }, { list: [other] });
    assert.equal(one, same);
    assert.not.equal(one, other);
  }
  notDeepStrictEqual(UrlHash.of('https://a/').short(), UrlHash.of('https://a/').veryShort());
});

tests('columns compare by their rows, their errors included, not by how they came about', () => {
  const [many, lines, parsed] = [
    new UrlHasher().hashMany(['http://a/', 'x']),
    new UrlHasher().hashLines(Buffer.from('http://a/\nx')),
    new UrlHasher({ kernel: 'js' }).hashMany(['http://a/', 'x']),
  ];
  deepStrictEqual(many, lines);
  deepStrictEqual(many, parsed);
  notDeepStrictEqual(many, new UrlHasher().hashMany(['http://b/', 'x']));
  notDeepStrictEqual(many, new UrlHasher().hashMany(['http://a/', 'y']));
});

tests('console.log and messages show the value', () => {
  assert.is(inspect(UrlHash.of('https://example.com/')), 'UrlHash(0f115db0…)');
  assert.is(inspect([UrlShortHash.parse(HEX.slice(0, 32))]), '[ UrlShortHash(0f115db0…) ]');
  assert.is(inspect(UrlVeryShortHash.parse(HEX.slice(0, 16))), 'UrlVeryShortHash(0f115db0…)');
  assert.is(Object.prototype.toString.call(UrlHash.parse(HEX)), '[object UrlHash]');
  const message = errorOf(() => deepStrictEqual(UrlHash.of('https://a/'), UrlHash.parse(HEX))).message;
  assert.ok(message.includes(HEX), message);
});

tests('structuredClone and postMessage keep the value, which reads back', async () => {
  for (const type of CLASSES) {
    const hash = type.of('https://example.com/');
    const clone = structuredClone(hash);
    deepStrictEqual(clone, { hex: hash.hex });
    assert.ok(hash.equals(type.parse(clone.hex) as never));
    const { port1, port2 } = new MessageChannel();
    const received = new Promise<MessageEvent>((resolve) => (port2.onmessage = resolve));
    port1.postMessage(hash);
    assert.is((await received).data.hex, hash.hex);
    port1.close();
  }
});

tests('no hash can be changed', () => {
  const hash = UrlHash.of('https://example.com/');
  assert.instance(
    errorOf(() => Object.assign(hash, { hex: '00' })),
    TypeError,
  );
  hash.bytes.fill(0);
  assert.is(hash.hex, HEX);
  assert.is(hash.hex, HEX);
});

for (const { name } of KERNELS) {
  tests(`a column iterates over its rows, kernel ${name}`, () => {
    for (const [width, type] of [
      [8, UrlVeryShortHash],
      [16, UrlShortHash],
      [32, UrlHash],
    ] as const) {
      const column = new UrlHasher({ width, kernel: name }).hashMany(['http://a/', 'x', 'http://b/']);
      deepStrictEqual([...column], [type.of('http://a/'), undefined, type.of('http://b/')]);
      deepStrictEqual([...new UrlHasher({ width, kernel: name }).hashMany([])], []);
    }
  });
}

tests.run();

const copies = suite('across copies of the package');
const built = (name: string) => join(process.cwd(), 'dist', name);

const COPIES: Readonly<Record<string, Library>> = {
  source,
  esm: (await import(built('esm/index.js'))) as Library,
  hosts: (await import(built('hosts/index.js'))) as Library,
  'another realm': inAnotherRealm('index', { TextEncoder, TextDecoder, WebAssembly }),
};

for (const [name, copy] of Object.entries(COPIES)) {
  for (const [otherName, other] of Object.entries(COPIES)) {
    copies(`${name} and ${otherName}`, () => {
      const [mine, theirs] = [copy.UrlHash.of('https://a/'), other.UrlHash.of('https://a/')];
      assert.is(name === otherName, copy.UrlHash === other.UrlHash, 'a copy is another');
      assert.ok(mine.equals(theirs));
      assert.ok(mine.startsWith(theirs.short()) && mine.startsWithJust(theirs.veryShort()));
      assert.ok(mine.short().startsWith(theirs.veryShort()) && mine.short().equals(theirs.short()));
      assert.ok(copy.UrlHash.fromBytes(theirs.bytes).equals(copy.UrlHash.fromWords(theirs.words)));
      const different = other.UrlHash.of('https://b/');
      assert.not.ok(mine.equals(different) || mine.startsWith(different.short()));
      assert.not.ok(mine.equals(theirs.short() as never) || theirs.short().equals(mine as never));
      const error = errorOf(() => other.UrlHash.of('x'));
      assert.is((error as Error & { code?: unknown }).code, 'ERR_INVALID_URL');
    });
  }
}

copies('equals is false for what is not a hash, startsWith a TypeError', () => {
  const hash = UrlHash.of('https://a/');
  for (const value of [undefined, null, hash.hex, { hex: hash.hex }, structuredClone(hash), hash.bytes, 5]) {
    assert.is(hash.equals(value as never), false);
    for (const call of [
      () => hash.startsWith(value as never),
      () => hash.startsWithJust(value as never),
      () => hash.short().startsWith(value as never),
    ]) {
      const error = errorOf(call);
      assert.instance(error, TypeError);
      assert.match(error.message, /must be a hash, got/);
    }
  }
});

copies.run();
