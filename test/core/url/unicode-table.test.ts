import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { TextWriter } from '../../../src/core/bytes/text-writer.ts';
import { toNfc } from '../../../src/core/url/nfc.ts';
import { type Kind, unicodeData } from '../../../src/core/url/unicode.ts';
import { UNICODE_ORACLES } from './unicode-oracles.ts';

const tests = suite('the tables of Unicode');

// An independent reading of the same data.
const STATUSES = { 1: 'mapped', 2: 'valid', 3: 'disallowed', 6: 'valid', 7: 'ignored' } as Record<number, string>;

/** The pattern in tr46 for each rule of RFC 5893, RFC 5892 and UTS #46, and the kinds that it takes. */
const RULES: readonly (readonly [pattern: string, about: string, holds: (kind: Kind) => boolean])[] = [
  ['combiningMarks', '☃', ({ isMark }) => isMark],
  ['bidiDomain', '☃', ({ bidi }) => bidi === 'R' || bidi === 'A'],
  ['bidiS1LTR', '☃', ({ bidi }) => bidi === 'L'],
  ['bidiS1RTL', '☃', ({ bidi }) => bidi === 'R'],
  ['bidiS2', '☃', ({ bidi }) => bidi !== 'L' && bidi !== 'F'],
  ['bidiS3', 'א☃', ({ bidi }) => ['R', 'A', 'E', 'N'].includes(bidi)],
  ['bidiS4EN', '☃', ({ bidi }) => bidi === 'E'],
  ['bidiS4AN', '☃', ({ bidi }) => bidi === 'A'],
  ['bidiS5', '☃', ({ bidi }) => !['R', 'A', 'F'].includes(bidi)],
  ['bidiS6', 'a☃', ({ bidi }) => ['L', 'E', 'N'].includes(bidi)],
  ['validZWNJ', '☃\u200cب', ({ joining }) => ['L', 'D'].includes(joining)],
  ['validZWNJ', 'ب\u200c☃', ({ joining }) => ['R', 'D'].includes(joining)],
  ['validZWNJ', 'ب☃\u200cب', ({ joining }) => ['L', 'D', 'T'].includes(joining)],
  ['validZWNJ', 'ب\u200c☃ب', ({ joining }) => ['R', 'D', 'T'].includes(joining)],
];

for (const { version, mappingTable, patterns } of UNICODE_ORACLES) {
  const unicode = unicodeData(version);
  const valid: number[] = [];

  tests(`Unicode ${version}: the status and the mapping of every code point`, () => {
    let next = 0;
    for (const [range, status, mapping] of mappingTable) {
      const [first, last] = typeof range === 'number' ? [range, range] : range;
      assert.is(first, next);
      next = last + 1;
      for (let code = first; code <= last; code++) {
        const expected = status === 1 && Array.from(mapping!).length > 1 ? 'mapped-to-several' : STATUSES[status];
        if (unicode.kindOf(code).status !== expected)
          assert.is(unicode.kindOf(code).status, expected, code.toString(16));
        const mapped = status === 1 ? mapping : status === 7 ? '' : String.fromCodePoint(code);
        const written = new TextWriter();
        unicode.addMapping(code, written);
        if (written.toString() !== mapped) assert.is(written.toString(), mapped, code.toString(16));
        if (STATUSES[status] === 'valid') valid.push(code);
      }
    }
    assert.is(next, 0x110000);
    assert.ok(valid.length > 150_000, `only ${valid.length}`);
  });

  for (const [name, about, holds] of RULES) {
    tests(`Unicode ${version}: ${name} of every valid code point in ${JSON.stringify(about)}`, () => {
      const [before, after] = about.split('☃') as [string, string];
      let count = 0;
      for (const code of valid) {
        const expected = patterns[name]!.test(before + String.fromCodePoint(code) + after);
        if (holds(unicode.kindOf(code)) !== expected)
          assert.is(holds(unicode.kindOf(code)), expected, code.toString(16));
        count += Number(expected);
      }
      assert.ok(count > 0 && count < valid.length);
    });
  }

  tests(`Unicode ${version}: the combining class of every mark is in order with one mark of each class`, () => {
    const marks = valid.filter((code) => unicode.kindOf(code).isMark);
    assert.ok(marks.length > 2000, `only ${marks.length}`);
    const representatives = [...new Map(marks.map((code) => [unicode.combiningClassOf(code), code])).values()];
    assert.ok(representatives.length > 50, `only ${representatives.length} classes`);
    for (const mark of marks) {
      for (const other of representatives) {
        const [text, reversed] = [String.fromCodePoint(mark, other), String.fromCodePoint(other, mark)];
        if (toNfc(text, unicode) !== text.normalize('NFC') || toNfc(reversed, unicode) !== reversed.normalize('NFC'))
          assert.unreachable(`${mark.toString(16)} with ${other.toString(16)}`);
      }
    }
  });

  tests(`Unicode ${version}: Virama is the combining class of the viramas, and of no other`, () => {
    for (const code of valid) {
      const isVirama = patterns['combiningClassVirama']!.test(String.fromCodePoint(code));
      if ((unicode.combiningClassOf(code) === unicode.combiningClassOf(0x94d)) !== isVirama)
        assert.is(isVirama, !isVirama, code.toString(16));
    }
  });
}

tests.run();
