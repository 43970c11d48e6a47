import { createRequire } from 'node:module';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toNfc } from '../../src/url/nfc.ts';
import { combiningClassOf, type Kind, kindOf, mappingOf } from '../../src/url/unicode.ts';

const tests = suite('the tables of Unicode 17');

// An independent reading of the same data: `node tools/unicode-table.mjs --check` compares far more domains with it.
const require = createRequire(import.meta.url);
const MAPPING_TABLE = require('tr46/lib/mappingTable.json') as [number | [number, number], number, string?][];
const PATTERNS = require('tr46/lib/regexes.js') as Readonly<Record<string, RegExp>>;
const STATUSES = { 1: 'mapped', 2: 'valid', 3: 'disallowed', 6: 'valid', 7: 'ignored' } as Record<number, string>;

const valid: number[] = [];

tests('the status and the mapping of every code point', () => {
  let next = 0;
  for (const [range, status, mapping] of MAPPING_TABLE) {
    const [first, last] = typeof range === 'number' ? [range, range] : range;
    assert.is(first, next);
    next = last + 1;
    for (let code = first; code <= last; code++) {
      const expected = status === 1 && Array.from(mapping!).length > 1 ? 'mapped-to-several' : STATUSES[status];
      if (kindOf(code).status !== expected) assert.is(kindOf(code).status, expected, code.toString(16));
      const mapped = status === 1 ? mapping : status === 7 ? '' : String.fromCodePoint(code);
      if (mappingOf(code) !== mapped) assert.is(mappingOf(code), mapped, code.toString(16));
      if (STATUSES[status] === 'valid') valid.push(code);
    }
  }
  assert.is(next, 0x110000);
  assert.ok(valid.length > 150_000, `only ${valid.length}`);
});

/** What each rule of RFC 5893, RFC 5892 and UTS #46 has for a pattern in tr46, and what it takes of a kind. */
const RULES: readonly (readonly [pattern: string, about: string, holds: (kind: Kind) => boolean])[] = [
  ['combiningMarks', '☃', ({ isMark }) => isMark],
  ['bidiDomain', '☃', ({ bidi }) => bidi === 'R' || bidi === 'AN'],
  ['bidiS1LTR', '☃', ({ bidi }) => bidi === 'L'],
  ['bidiS1RTL', '☃', ({ bidi }) => bidi === 'R'],
  ['bidiS2', '☃', ({ bidi }) => bidi !== 'L' && bidi !== 'forbidden'],
  ['bidiS3', 'א☃', ({ bidi }) => ['R', 'AN', 'EN', 'NSM'].includes(bidi)],
  ['bidiS4EN', '☃', ({ bidi }) => bidi === 'EN'],
  ['bidiS4AN', '☃', ({ bidi }) => bidi === 'AN'],
  ['bidiS5', '☃', ({ bidi }) => !['R', 'AN', 'forbidden'].includes(bidi)],
  ['bidiS6', 'a☃', ({ bidi }) => ['L', 'EN', 'NSM'].includes(bidi)],
  ['validZWNJ', '☃\u200cب', ({ isLeftJoining }) => isLeftJoining],
  ['validZWNJ', 'ب\u200c☃', ({ isRightJoining }) => isRightJoining],
  ['validZWNJ', 'ب☃\u200cب', ({ isLeftJoining, isTransparent }) => isLeftJoining || isTransparent],
  ['validZWNJ', 'ب\u200c☃ب', ({ isRightJoining, isTransparent }) => isRightJoining || isTransparent],
];

for (const [name, about, holds] of RULES) {
  tests(`${name} of every valid code point in ${JSON.stringify(about)}`, () => {
    const [before, after] = about.split('☃') as [string, string];
    let count = 0;
    for (const code of valid) {
      const expected = PATTERNS[name]!.test(before + String.fromCodePoint(code) + after);
      if (holds(kindOf(code)) !== expected) assert.is(holds(kindOf(code)), expected, code.toString(16));
      count += Number(expected);
    }
    assert.ok(count > 0 && count < valid.length);
  });
}

tests('the combining class of every mark is in order with one mark of each class', () => {
  const marks = valid.filter((code) => kindOf(code).isMark && /\p{Assigned}/u.test(String.fromCodePoint(code)));
  assert.ok(marks.length > 2000, `only ${marks.length}`);
  const representatives = [...new Map(marks.map((code) => [combiningClassOf(code), code])).values()];
  assert.ok(representatives.length > 50, `only ${representatives.length} classes`);
  for (const mark of marks) {
    for (const other of representatives) {
      const [text, reversed] = [String.fromCodePoint(mark, other), String.fromCodePoint(other, mark)];
      if (toNfc(text) !== text.normalize('NFC') || toNfc(reversed) !== reversed.normalize('NFC'))
        assert.unreachable(`${mark.toString(16)} with ${other.toString(16)}`);
    }
  }
});

tests('Virama is the combining class of the viramas, and of no other', () => {
  for (const code of valid) {
    const isVirama = PATTERNS['combiningClassVirama']!.test(String.fromCodePoint(code));
    if ((combiningClassOf(code) === combiningClassOf(0x94d)) !== isVirama)
      assert.is(isVirama, !isVirama, code.toString(16));
  }
});

tests.run();
