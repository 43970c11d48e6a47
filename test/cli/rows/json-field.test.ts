import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { JsonField } from '../../../src/cli/rows/json-field.ts';
import { random } from '../../seed.ts';
import { PIECES } from './json-pieces.ts';

const test = suite('cli: the string in a JSON object');
const next = random();

/** What JSON.parse finds: undefined where the text is not a JSON object. */
function parsed(bytes: Uint8Array, names: readonly string[]): { readonly value: string | undefined } | undefined {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
  } catch {
    return undefined; // not JSON
  }
  const isObject = (each: unknown): each is Record<string, unknown> =>
    typeof each === 'object' && each !== null && !Array.isArray(each);
  if (!isObject(value)) return undefined;
  for (const name of names) value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return { value: typeof value === 'string' ? value : undefined };
}

function check(bytes: Uint8Array, names: readonly string[]): 'not an object' | 'missing' | 'found' {
  const padded = Buffer.concat([Buffer.from('"{'), bytes, Buffer.from('"}')]);
  const field = new JsonField(names);
  const isObject = field.scan(padded, 2, padded.length - 2);
  const expected = parsed(bytes, names);
  const text = JSON.stringify(Buffer.from(bytes).toString('latin1'));
  assert.is(isObject, expected !== undefined, text);
  if (expected === undefined) return 'not an object';
  assert.is(padded[field.closingBrace], 0x7d, text);
  assert.is(field.isEmpty, /^\s*\{\s*\}\s*$/.test(Buffer.from(bytes).toString('latin1')), text);
  assert.is(field.valueStart === -1 ? undefined : field.value, expected.value, text);
  return expected.value === undefined ? 'missing' : 'found';
}

/** Mostly valid: members with names that repeat, values of every kind, and strings with escapes. */
function generated(depth: number): string {
  const string = () =>
    JSON.stringify(['url', 'url', 'url', 'a', 'a', 'b', 'é', 'a"b\\\u{1f600}'][next(8)]).replace(
      /u/,
      next(3) ? 'u' : '\\u0075',
    );
  const value = (): string => {
    const kind = next(depth > 3 ? 4 : 6);
    if (kind === 4) return `[${Array.from({ length: next(3) }, value).join(' , ')}]`;
    return kind === 5 ? generated(depth + 1) : [string(), string(), '-1.5e3', 'null'][kind]!;
  };
  const members = Array.from({ length: next(5) }, () => `${string()}${[':', ' : '][next(2)]}${value()}`);
  return `{${['', ' '][next(2)]}${members.join(',')}}`;
}

test('agrees with JSON.parse on generated, mutated and random lines', () => {
  const counts = { 'not an object': 0, missing: 0, found: 0 };
  for (let line = 0; line < 60_000; line++) {
    const names = [['url'], ['a', 'url'], ['é'], ['a', 'b', 'url']][next(4)]!;
    let bytes = Buffer.from(
      line % 3 === 0 ? Array.from({ length: next(12) }, () => PIECES[next(PIECES.length)]).join('') : generated(0),
    );
    if (line % 3 === 1)
      bytes = Buffer.concat([
        bytes.subarray(0, next(bytes.length + 1)),
        Buffer.from([next(256)]),
        bytes.subarray(next(bytes.length + 1)),
      ]);
    counts[check(bytes, names)]++;
  }
  assert.ok(counts['not an object'] > 5000 && counts.missing > 5000 && counts.found > 1000, JSON.stringify(counts));
});

test('every cut of a line', () => {
  const line = Buffer.from(' {"a":{"url":"x\\u00e9\\"","b":[1,-0.5e-3,{"url":null}]},"url":"http://é/","t":true} ');
  for (let end = 0; end <= line.length; end++) check(line.subarray(0, end), ['url']);
  for (let end = 0; end <= line.length; end++) check(line.subarray(0, end), ['a', 'url']);
});

test('the last of several names counts, at every depth', () => {
  assert.is(check(Buffer.from('{"url":"x","url":1}'), ['url']), 'missing');
  assert.is(check(Buffer.from('{"a":{"url":"x"},"a":{}}'), ['a', 'url']), 'missing');
  assert.is(check(Buffer.from('{"a":1,"a":{"url":"x"}}'), ['a', 'url']), 'found');
});

test('a million brackets need no stack', () => {
  const deep = Buffer.from(`{"a":${'['.repeat(1e6)}${']'.repeat(1e6)},"url":"x"}`);
  const field = new JsonField(['url']);
  assert.ok(field.scan(deep, 0, deep.length));
  assert.is(field.value, 'x');
});

test.run();
