import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { plainToAscii } from '../../../src/core/url/plain-domain.ts';
import { halvedCases, random, SCALE } from '../../support/seed.ts';
import { UNICODE_ORACLES, UTS46_OPTIONS } from './unicode-oracles.ts';

const tests = suite('plain internationalized domains');

/** The first and the newest version: a plain domain is the same in all. */
const TR46 = [UNICODE_ORACLES[0]!.tr46, UNICODE_ORACLES.at(-1)!.tr46];

/** Every code point that may stand in a plain label, each found by asking. */
const PLAIN = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => (code < 0xd800 || code > 0xdfff) && String.fromCodePoint(code) !== '.')
  .map((code) => String.fromCodePoint(code))
  .filter((character) => plainToAscii(character) !== '');

const BEFORE = ['a', 'o', '가', 'か', 'ά'];

tests('every plain code point, alone and after others, of which a long run tries each, is what the tables say', () => {
  assert.ok(PLAIN.length > 30_000, `only ${PLAIN.length}`);
  for (const [index, character] of PLAIN.entries()) {
    for (const before of SCALE >= 10 ? ['', ...BEFORE] : ['', BEFORE[index % BEFORE.length]!]) {
      const domain = `${before}${character}.é`;
      for (const tr46 of TR46)
        assert.is(plainToAscii(domain), tr46.toASCII(domain, UTS46_OPTIONS), JSON.stringify(domain));
    }
  }
});

tests('random domains of plain code points', () => {
  const next = random();
  for (let round = 0; round < halvedCases(3_000); round++) {
    const length = 1 + next(12);
    let domain = '';
    for (let at = 0; at < length; at++) domain += next(6) === 0 ? '.-aZ0'[next(5)]! : PLAIN[next(PLAIN.length)]!;
    const ascii = plainToAscii(domain);
    if (ascii === undefined) continue;
    for (const tr46 of TR46) assert.is(ascii, tr46.toASCII(domain, UTS46_OPTIONS), JSON.stringify(domain));
  }
});

tests('what is not plain is left to the tables', () => {
  for (const domain of [
    'Bücher.Ü',
    'xn--bcher-kva.ü',
    'ü.XN--a',
    'a\u0301.ü',
    'ü\u200d',
    'א.ü',
    'ｕ.ü',
    'ü。x',
    '\u1100\u1161',
    'ü_x',
    'ü x',
  ]) {
    assert.is(plainToAscii(domain), '', JSON.stringify(domain));
  }
  assert.is(plainToAscii('BüCHER..Example.'), 'xn--bcher-kva..example.');
});

tests('a domain of millions of labels, plain or not', () => {
  const labels = 'a.'.repeat(4_000_000);
  assert.is(plainToAscii(`é.${labels}a`), `xn--9ca.${labels}a`);
  assert.is(plainToAscii(`${labels}xn--a.é`), '');
  assert.is(plainToAscii(`${labels}א`), '');
});

tests.run();
