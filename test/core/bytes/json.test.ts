import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseJson } from '../../../src/core/bytes/json.ts';
import { randomFrom } from '../../support/random.ts';
import { halvedCases, SEED } from '../../support/seed.ts';
import { errorOf } from '../../support/thrown.ts';

const tests = suite('JSON with distinct names');

tests('what JSON.stringify writes is read as JSON.parse reads it', () => {
  const indents = fc.constantFrom(undefined, 1, '\t', '\n');
  const property = fc.property(fc.jsonValue({ noUnicodeString: false }), indents, (value, indent) => {
    const text = JSON.stringify(value, null, indent);
    assert.is(JSON.stringify(parseJson(text)), JSON.stringify(JSON.parse(text)));
  });
  fc.assert(property);
});

type Next = (below: number) => number;
const NAMES = ['a', 'b', '', '__proto__', 'constructor', 'ü', '"', '\\', '{"a":1,"a":2}', ':', ' a'];

/** A JSON text in which names are mostly not unique, and whether one object has a name twice. */
function written(next: Next, depth: number): { readonly text: string; readonly isRepeated: boolean } {
  const kind = depth === 0 ? next(2) : [0, 1, 2, 2, 3, 3, 3][next(7)];
  if (kind === 0) return { text: `${next(100)}`, isRepeated: false };
  if (kind === 1) return { text: spelled(NAMES[next(NAMES.length)]!, next), isRepeated: false };
  const values = Array.from({ length: next(5) }, () => written(next, depth - 1));
  const isRepeated = values.some((value) => value.isRepeated);
  if (kind === 2) return { text: `[${values.map(({ text }) => text).join(`,${blank(next)}`)}]`, isRepeated };
  const names = values.map(() => NAMES[next(NAMES.length)]!);
  const members = values.map(
    ({ text }, index) => `${spelled(names[index]!, next)}${blank(next)}:${blank(next)}${text}`,
  );
  return { text: `{${members.join(',')}}`, isRepeated: isRepeated || new Set(names).size < names.length };
}

/** The string as JSON, some characters as escapes. */
function spelled(text: string, next: Next): string {
  const escaped = Array.from(text, (unit) =>
    next(3) === 0 ? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}` : JSON.stringify(unit).slice(1, -1),
  );
  return `"${escaped.join('')}"`;
}

function blank(next: Next): string {
  return ['', ' ', '\n\t', '\r\n'][next(4)]!;
}

tests('a text is refused where, and only where, one object has a name twice', () => {
  const next = randomFrom(SEED);
  let refusedCount = 0;
  const count = halvedCases(5000);
  for (let round = 0; round < count; round++) {
    const { text, isRepeated } = written(next, 4);
    if (!isRepeated) {
      assert.is(JSON.stringify(parseJson(text)), JSON.stringify(JSON.parse(text)), text);
      continue;
    }
    refusedCount++;
    assert.match(
      String(errorOf(() => parseJson(text))),
      /^SyntaxError: the name ".*" occurs twice in one object/,
      text,
    );
  }
  assert.ok(refusedCount > count / 10 && refusedCount < (count * 9) / 10, `${refusedCount} of ${count}`);
});

tests('what is not JSON is refused as by JSON.parse', () => {
  for (const text of ['', '{', '{"a"}', '["a":1]', '{"a":1,}', '"a', 'x'])
    assert.instance(
      errorOf(() => parseJson(text)),
      SyntaxError,
    );
});

tests('depth and length cost memory alone', () => {
  const depth = 100_000;
  assert.instance(parseJson('['.repeat(depth) + ']'.repeat(depth)), Array);
  assert.is(parseJson(`"${'\\"'.repeat(5_000_000)}"`), '"'.repeat(5_000_000));
});

tests.run();
