import { decode, encode } from 'punycode';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { decodePunycode, encodePunycode } from '../../src/url/punycode.ts';
import { cases, random } from '../seed.ts';

const tests = suite('Punycode');

tests('samples of RFC 3492, section 7.1', () => {
  for (const [label, text] of [
    ['他们为什么不说中文', 'ihqwcrb4cv8a8dqg056pqjye'],
    ['Pročprostěnemluvíčesky', 'Proprostnemluvesky-uyb24dma41a'],
    ['なぜみんな日本語を話してくれないのか', 'n8jok5ay5dzabd5bym9f0cm5685rrjetr6pdxa'],
    [
      '세계의모든사람들이한국어를이해한다면얼마나좋을까',
      '989aomsvi5e83db1d2a355cv1e0vak1dwrv93d5xbh15a0dt30a5jpsd879ccm6fea98c',
    ],
    ['3年B組金八先生', '3B-ww4c5e180e575a65lsy2b'],
    ['-> $1.00 <-', '-> $1.00 <--'],
  ] as const) {
    assert.is(encodePunycode(label), text);
    assert.is(decodePunycode(text), label);
  }
});

/** Without a value where the package of npm throws. */
function tried(work: () => string): string | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

const DIGITS = 'abcdefghijklmnopqrstuvwxyz0123456789-ABCZ_.';

tests("decoded, random texts are what npm's package says, or neither takes them", () => {
  const next = random();
  let takenCount = 0;
  const count = cases(30_000);
  for (let round = 0; round < count; round++) {
    const digits = Array.from({ length: next(14) }, () => DIGITS[next(round % 3 === 0 ? DIGITS.length : 36)]).join('');
    const text = round % 2 === 0 ? digits : `${digits.slice(0, next(4))}-${digits}`;
    const decoded = decodePunycode(text);
    assert.is(
      decoded,
      tried(() => decode(text)),
      JSON.stringify(text),
    );
    if (decoded !== undefined) takenCount++;
  }
  assert.ok(takenCount > count / 5 && takenCount < count, `${takenCount} of ${count}`);
});

tests("encoded, random labels are what npm's package says, and decoded the label again", () => {
  const next = random();
  for (let round = 0; round < cases(10_000); round++) {
    const end = [0x80, 0x600, 0x3000, 0xd800, 0x110000][next(5)]!;
    const codes = Array.from({ length: next(20) }, () => (next(3) === 0 ? 0x61 + next(26) : next(end)));
    const label = String.fromCodePoint(...codes);
    const encoded = encodePunycode(label);
    assert.is(encoded, encode(label), JSON.stringify(label));
    assert.is(decodePunycode(encoded!), decode(encoded!), JSON.stringify(label));
  }
});

tests('numbers that overflow: in long labels alone', () => {
  for (const length of [1000, 1900, 1930, 5000]) {
    for (const last of ['é', '\u{10ffff}']) {
      const label = `${'a'.repeat(length)}${last}`;
      const expected = tried(() => encode(label));
      assert.is(encodePunycode(label), expected, `${length} ${last}`);
      assert.is(expected === undefined, length > 1927 && last > 'é', `${length} ${last}`);
    }
    for (let digitCount = 1; digitCount < 10; digitCount++) {
      const text = `${'a'.repeat(length)}-${'9'.repeat(digitCount)}a`;
      assert.is(
        decodePunycode(text),
        tried(() => decode(text)),
        text.slice(length),
      );
    }
  }
});

tests.run();
