import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DOMAIN_LIMIT, DOMAIN_SLOTS, LETTER_COUNT } from '../../../assembly/layout.ts';
import { addLetters } from '../../../src/core/kernel/letters.ts';
import { openKernel } from '../../../src/core/kernel/open.ts';
import { MAPPED_LABELS } from '../../support/kinds.ts';
import { cases, random, SCALE } from '../../support/seed.ts';
import { UNICODE_ORACLES, type UnicodeOracle, UTS46_OPTIONS } from '../url/unicode-oracles.ts';
import { messagesOf, putLines } from './kernels.ts';

const tests = suite('letters of domains in the kernel');
const kernel = openKernel('simd');

/** Returns the domains as the kernel alone rewrites them in its own memory, which has only their letters; else ''. */
function domainsByLetters(domains: readonly string[], version: number): string[] {
  const end = putLines(
    kernel,
    domains.map((domain) => `http://${domain}/`),
  );
  for (const domain of domains) addLetters(kernel.memory.letters, domain, version);
  kernel.memory.unicodeVersion = version;
  kernel.classifyRows(domains.length, end, false, 0, 0, 0);
  return messagesOf(kernel, domains.length).map((form) => form?.slice('http://'.length, -1) ?? '');
}

/** Every domain that the kernel rewrites must be tr46's; returns how many it does. */
function check(domains: readonly string[], { version, tr46 }: UnicodeOracle): number {
  let count = 0;
  for (let at = 0; at < domains.length; at += 1000) {
    const some = domains.slice(at, at + 1000);
    for (const [row, ascii] of domainsByLetters(some, version).entries()) {
      if (ascii === '') continue;
      count++;
      const message = `${JSON.stringify(some[row])}, Unicode ${version}`;
      assert.is(ascii, tr46.toASCII(some[row]!, UTS46_OPTIONS), message);
    }
  }
  return count;
}

/** All code points that memory has room for, but for ASCII that ends a host. */
const CHARACTERS = Array.from({ length: LETTER_COUNT }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
  .filter((character) => !/[\0-,/:-@[-^`{-\x7f]/.test(character));

/** Places that rules of UTS #46, NFC, RFC 5892 and RFC 5893 tell apart. */
const PLACES: readonly ((character: string) => string)[] = [
  (character) => `${character}.é`,
  (character) => `a${character}.é`,
  (character) => `é.א${character}`,
  (character) => `aः${character}\u0e48.é`,
  (character) => `ب${character}1.é`,
  (character) => `${character}1.א`,
  (character) => `e${character}\u0301.xn--`,
  (character) => `ᄀ${character}क्${character}é`,
  (character) => `é.1${character}`,
];

tests('every code point, where rules tell places apart, of which a long run tries all', () => {
  for (const [index, oracle] of UNICODE_ORACLES.entries()) {
    const count = check(
      CHARACTERS.flatMap((character, code) =>
        PLACES.filter((_, place) => SCALE >= 10 || (code + index) % PLACES.length === place).map((place) =>
          place(character),
        ),
      ),
      oracle,
    );
    assert.ok(count > CHARACTERS.length / 5, `the kernel rewrote ${count}`);
  }
});

tests('random domains of letters that the kernel has', () => {
  const next = random();
  const marks = [...'\u0e48\u0300\u0327\u093e\u094d\u0651\u05b0\ufe0f\u200d\u200c'];
  const scripts = ['aZ0-_xn--', 'éßŁ', 'אבג', 'بجد٣', '日本語。', 'नमस', 'ตวอ', 'пример', '１Ａ', '😀', 'ﬁⅧ'].map(
    (each) => [...each],
  );
  const pick = (items: readonly string[]) => items[next(items.length)]!;
  for (const oracle of UNICODE_ORACLES) {
    const domains = Array.from({ length: cases(8_000) }, () => {
      const own = [pick(['aZ0-', ...scripts.flat()]), ...pick(scripts.map((each) => each.join('')))];
      let domain = pick(['é', 'א.', 'ü', '中', '']);
      for (let left = 1 + next(12); left > 0; left--)
        domain += next(8) === 0 ? pick(marks) : next(9) === 0 ? '.' : next(5) === 0 ? pick(scripts.flat()) : pick(own);
      return `${domain}.é`;
    });
    const count = check(domains, oracle);
    assert.ok(count > domains.length / 20, `the kernel rewrote ${count} of ${domains.length}`);
  }
});

tests('the usual domains take no tables, and others are the kernel’s at their second sight', () => {
  const oracle = UNICODE_ORACLES.at(-1)!;
  const usual = [...MAPPED_LABELS, 'bücher', '❤\ufe0f', '😀'];
  const domains = Array.from({ length: 2 * DOMAIN_SLOTS }, (_, index) => `${usual[index % usual.length]}.é${index}`);
  assert.is(check(domains, oracle), domains.length);
});

tests('what the tables must judge, and what has no room, is not the kernel’s', () => {
  const domains = [
    ...['ﬁ.é', 'Ⅷ.é', 'e\u0301.é', 'ᄀ\u1161.é', 'क\u094d\u200d.é', 'xn--a.é', 'XN--é', 'é.\u0300a', '1a.א', 'אa.é'],
    ...[
      '\ufffd.é',
      'é!',
      'é／a',
      'é％',
      '\u00ad',
      '\u{20000}.é',
      'é.a\u0e48\u0e48',
      `${'é'.repeat(DOMAIN_LIMIT / 2)}é`,
    ],
    'é.'.repeat(41),
  ];
  for (const oracle of UNICODE_ORACLES) assert.is(check(domains, oracle), 0);
});

tests.run();
