import { encode } from 'punycode';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toAscii as asciiIn, toUnicode as unicodeIn } from '../../../src/core/url/idna.ts';
import { halvedCases, random } from '../../support/seed.ts';
import { COMBINING, LETTERS, VALID, VERSION } from './unicode-characters.ts';
import { UTS46_OPTIONS as OPTIONS, oracleOf } from './unicode-oracles.ts';

const tests = suite('UTS #46 of a pinned Unicode version');
const DOMAIN_COUNT = halvedCases(5_000);
const { tr46 } = oracleOf(VERSION);
const toAscii = (domain: string) => asciiIn(domain, VERSION) || undefined;
const toUnicode = (domain: string) => unicodeIn(domain, VERSION);

const INSERTED = [
  '\u200c',
  '\u200d',
  '\u094d',
  'ب',
  'א',
  '1',
  '١',
  'xn--',
  '-',
  '.',
  '。',
  '\u00ad',
  'ß',
  'ς',
  'A',
  'ﬁ',
  '\u0378',
];

tests('random domains agree with an independent implementation', () => {
  const next = random();
  const pick = <T>(list: readonly T[]): T => list[next(list.length)]!;
  let valid = 0;
  for (let round = 0; round < DOMAIN_COUNT; round++) {
    const characters = Array.from({ length: 1 + next(6) }, () =>
      pick([VALID, VALID, COMBINING, INSERTED, LETTERS][next(5)]!),
    );
    // of labels with several non-joiners tr46 accepts some for the sake of one
    const domain = characters.filter((each, at) => each !== '\u200c' || characters.indexOf(each) === at).join('');
    for (const each of [domain, `xn--${punycodeOf(domain)}.ü`]) {
      const expected = tr46.toASCII(each, OPTIONS);
      assert.is(toAscii(each), expected || undefined, JSON.stringify(each)); // the empty domain is refused, too
      assert.is(toUnicode(each), tr46.toUnicode(each, OPTIONS).domain, JSON.stringify(each));
      if (expected !== null) valid++;
    }
  }
  assert.ok(valid > DOMAIN_COUNT / 4, `${valid} valid`);
});

/** Returns the Punycode of any text, valid or not. */
function punycodeOf(label: string): string {
  return encode(label.replaceAll(/[.。]/g, ''));
}

tests('each non-joiner is judged by itself', () => {
  const joined = 'ب\u200cب';
  assert.is(toAscii(`${joined}${joined}`), tr46.toASCII(`${joined}${joined}`, OPTIONS));
  assert.is(toAscii(`ب\u094d\u200cب\u0628\u200c1ب`), undefined);
  for (const label of ['\u200c', 'a\u200c', '\u200cب', 'ب\u200c', 'ب\u200c\u200cب', 'ب\u200cبa\u200cb'])
    assert.is(toAscii(label), undefined, JSON.stringify(label));
});

tests('a label with several non-joiners is valid where it is with each of them alone', () => {
  const next = random();
  // joining on both sides, on the right, on none, and transparent; a virama
  const alphabet = ['ب', 'ب', 'ب', 'ب', 'ا', 'ء', '\u064b', '\u094d', '\u200c', '\u200c'];
  let [valid, severalValid] = [0, 0];
  for (let round = 0; round < DOMAIN_COUNT; round++) {
    const label = Array.from({ length: 1 + next(12) }, () => alphabet[next(alphabet.length)])
      .join('')
      .normalize('NFC');
    const characters = Array.from(label);
    const places = [...characters.keys()].filter((at) => characters[at] === '\u200c');
    const alone = (place: number) =>
      characters.map((each, at) => (each === '\u200c' && at !== place ? 'ء' : each)).join('');
    if (places.length === 0) continue;
    const isValid = places.every((place) => tr46.toASCII(alone(place), OPTIONS) !== null);
    assert.is(toAscii(label), isValid ? `xn--${encode(label)}` : undefined, JSON.stringify(label));
    valid += Number(isValid);
    severalValid += Number(isValid && places.length > 1);
  }
  assert.ok(
    valid > DOMAIN_COUNT / 40 && severalValid > DOMAIN_COUNT / 400,
    `${valid} valid, ${severalValid} of them with several`,
  );
});

tests.run();
