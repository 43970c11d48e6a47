import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import fc from 'fast-check';
import { encode } from 'punycode';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toNfc as normalizedIn } from '../../../src/core/url/nfc.ts';
import { unicodeData } from '../../../src/core/url/unicode.ts';
import { mustBeLinear } from '../../support/linear.ts';
import { halvedCases } from '../../support/seed.ts';
import { COMBINING, LETTERS, VALID, VERSION } from './unicode-characters.ts';
import { UTS46_OPTIONS as OPTIONS, oracleOf } from './unicode-oracles.ts';

const tests = suite('normalization of a pinned Unicode version');
const { tr46 } = oracleOf(VERSION);
const toNfc = (text: string) => normalizedIn(text, unicodeData(VERSION));

const textOf = (codePoints: string) =>
  String.fromCodePoint(
    ...codePoints
      .trim()
      .split(' ')
      .map((hex) => Number.parseInt(hex, 16)),
  );

tests('the cases of the Unicode Character Database', () => {
  const cases = readFileSync('test/core/url/nfc-cases.txt', 'utf8')
    .split('\n')
    .filter((line) => /^[^#]/.test(line));
  assert.ok(cases.length > 2500);
  for (const [source, nfc] of cases.map((line) => line.split(';').map(textOf))) {
    assert.is(toNfc(source!), nfc, JSON.stringify(source));
    assert.is(toNfc(nfc!), nfc, `${JSON.stringify(source)}, again`);
  }
});

tests('every valid character, alone and after others, is normalized as by this host', () => {
  assert.ok(VALID.length > 140_000, `only ${VALID.length}`);
  for (const character of VALID) {
    for (const before of ['', 'a', '\u0f71', '\u1100', '\uac00', 'o\u0323'])
      if (toNfc(before + character) !== (before + character).normalize('NFC'))
        assert.is(toNfc(before + character), (before + character).normalize('NFC'), JSON.stringify(before + character));
  }
});

const JAMO = Array.from({ length: 256 }, (_, index) => String.fromCharCode(0x1100 + index));

const characters = fc.oneof(
  fc.constantFrom(...COMBINING),
  fc.constantFrom(...COMBINING.flatMap((character) => Array.from(character.normalize('NFD')))),
  fc.constantFrom(...LETTERS),
  fc.constantFrom(...JAMO),
);

tests('random sequences of what combines', () => {
  assert.ok(COMBINING.length > 2000, `only ${COMBINING.length}`);
  fc.assert(
    fc.property(fc.array(characters, { maxLength: 12 }), (list) => {
      const text = list.join('');
      assert.is(toNfc(text), text.normalize('NFC'));
    }),
    { numRuns: halvedCases(5_000) },
  );
});

tests('a run of marks, and one of jamo, takes linear time', () => {
  const marks = (length: number) => `a${'\u0323\u0301'.repeat(length / 2)}`;
  const jamo = (length: number) => '\u1100\u1161\u11a8'.repeat(length / 4);
  assert.is(toNfc(marks(1 << 15)), marks(1 << 15).normalize('NFC'));
  assert.is(toNfc(jamo(1 << 15)), '각'.repeat(1 << 13));
  mustBeLinear('marks', marks, toNfc);
  mustBeLinear('jamo', jamo, toNfc);
});

/** Prints the canonical forms of URLs on a host that is what `preamble` makes of it. */
function formsOn(preamble: string, urls: readonly string[]): (string | null)[] {
  const script = `${preamble}; const { canonicalize } = await import(${JSON.stringify(resolve('dist/esm/index.js'))});
    const formOf = (url) => { try { return canonicalize(url); } catch { return null; } };
    console.log(JSON.stringify(${JSON.stringify(urls)}.map(formOf)));`;
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })) as (
    | string
    | null
  )[];
}

tests('a host without ICU, with an older and with a newer Unicode gives the same forms', () => {
  const urls = [
    'http://pre\u0301fecture.example/',
    `http://xn--${encode('pre\u0301fecture')}.ü/`, // not normalized
    'http://u\u0308.\u1100\u1161/',
    'http://\u{113c2}\u{113c2}/',
    'http://\u{16d67}\u{16d67}/', // composes since Unicode 16
    'http://a\u{1ae0}\u0301/', // a mark of Unicode 17
    'http://a\u0301\u{1aee}/', // marks that change places since Unicode 18
    'http://\u{323b0}/',
  ];
  const expected = formsOn('', urls);
  assert.is(expected[0], `http://${tr46.toASCII('pr\u00e9fecture', OPTIONS)}.example/`);
  assert.is(expected[1], null);
  assert.is(expected[4], `http://${tr46.toASCII('\u{16d68}', OPTIONS)}/`);
  for (const [host, normalize] of [
    ['without ICU', 'return String(this)'],
    ['older', "return this.replace(/[^\\u{16d67}\\u{1ae0}]+/gu, (known) => original.call(known, 'NFC'))"],
    ['newer', "return original.call(this, 'NFC').replace(/\\u{323b0}/gu, '一')"],
    ['with none', "throw new RangeError('none')"],
  ] as const)
    assert.equal(
      formsOn(
        `const original = String.prototype.normalize; String.prototype.normalize = function () { ${normalize} }`,
        urls,
      ),
      expected,
      host,
    );
});

tests.run();
