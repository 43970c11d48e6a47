import { readFileSync } from 'node:fs';
import { encode } from 'punycode';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EQUAL_FORMS } from '../../../src/core/url/key-origin.ts';
import { UNICODE_VERSIONS, type UnicodeVersion } from '../../../src/core/url/parsed-url.ts';
import { compatible, tryCanonicalize } from '../../../src/index.ts';
import { dataOfPackage } from '../../../tools/tables/unicode.mjs';
import { VERSIONS } from '../../../tools/tables/unicode-versions.mjs';
import { corpusLines, sampled } from '../../support/data.ts';
import { cases, random, SCALE } from '../../support/seed.ts';
import { oracle } from './oracle.ts';
import { UNICODE_ORACLES, UTS46_OPTIONS } from './unicode-oracles.ts';
import { relationOf, relationRow } from './unicode-relation.ts';

const tests = suite('each version of Unicode, as whatwg-url of that version');

const [OLDER, NEWER] = UNICODE_ORACLES as [(typeof UNICODE_ORACLES)[number], (typeof UNICODE_ORACLES)[number]];

/** Compares both versions with their oracles; returns whether the URL is valid in each. */
function compare(url: string): readonly boolean[] {
  const forms = UNICODE_ORACLES.map(({ version }) => {
    const form = tryCanonicalize(url, { unicode: version });
    const expected = oracle(url, undefined, false, version) ?? null;
    if (form !== expected) assert.is(form, expected, `${JSON.stringify(url)} in ${version}`);
    return form;
  });
  for (const [one, other] of EQUAL_FORMS) {
    const [form, otherForm] = [one, other].map((version) => forms[UNICODE_VERSIONS.indexOf(version as UnicodeVersion)]);
    if (form !== null && otherForm !== null && form !== otherForm)
      assert.is(form, otherForm, `${JSON.stringify(url)} in ${one} and ${other}`);
  }
  return forms.map((form) => form !== null);
}

/** A code point that 17 refuses and 18 allows, or whose class differs. */
function isMoved(code: number): boolean {
  const text = String.fromCodePoint(code);
  const statusIn = ({ tr46 }: typeof OLDER) => tr46.toASCII(text, UTS46_OPTIONS);
  return statusIn(OLDER) !== statusIn(NEWER) || [0x1b3a, 0x1b3c, 0x1b42].includes(code);
}

/** Alone and at the start, inside and at the end of a label, and beside a letter that is read from right to left. */
const PLACES: readonly ((character: string) => string)[] = [
  (character) => `${character}b`,
  (character) => `a${character}b`,
  (character) => `a${character}`,
  (character) => `א${character}`,
];
/** Places in which a long run tries code points: beside a mark, a digit, joiners and a virama, and in Punycode. */
const MORE_PLACES: typeof PLACES = [
  (character) => `${character}\u0301`,
  (character) => `א${character}א1`,
  (character) => `א.${character}b`,
  (character) => `${character}\u200cب`,
  (character) => `ب\u200c${character}`,
  (character) => `ب${character}\u200cب`,
  (character) => `क${character}\u200d`,
  (character) => `xn--${encode(character)}.ü`,
];
/** Beyond it, nearly all code points are unassigned. */
const END_OF_MORE_PLACES = 0x32000;

tests(
  'every code point in four places of a label: in a short run one in 11 that moved, and in 211 of the others',
  () => {
    let [count, moved] = [0, 0];
    const start = random()(211);
    for (let code = 0; code < 0x110000; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const isSampled = SCALE >= 10 || (code + start) % 211 === 0;
      if (!isSampled && !((code + start) % 11 === 0 && code < 0x40000 && isMoved(code))) continue;
      count++;
      const places = SCALE >= 10 && code < END_OF_MORE_PLACES ? [...PLACES, ...MORE_PLACES] : PLACES;
      for (const place of places) {
        const [inOlder, inNewer] = compare(`http://${place(String.fromCodePoint(code))}/`);
        moved += Number(inOlder !== inNewer);
      }
    }
    assert.ok(count > 6_000 && moved > 3_000, `${count} code points, ${moved} moved`);
  },
);

const LABELS = SCALE >= 10 ? 1_000_000 : cases(5_000);

/** Characters that mean something to a rule: joiners, a virama, letters and digits of both directions, separators. */
const SPECIAL = ['\u200c', '\u094d\u200d', 'ب', 'א', '1', '١', '-', '.', '。', '\u00ad', 'ß', 'A', 'ﬁ', '\u1b3a'];

tests('random labels', () => {
  const next = random();
  const pick = <T>(list: readonly T[]): T => list[next(list.length)]!;
  const step = SCALE >= 10 ? 1 : 5;
  const all = Array.from({ length: 0x32000 / step }, (_, index) => step * index + next(step)).filter(
    (code) => code < 0xd800 || code > 0xdfff,
  );
  const allowed = all
    .map((code) => String.fromCodePoint(code))
    .filter((character) => NEWER.tr46.toASCII(`a${character}`, UTS46_OPTIONS) !== null);
  const moved = allowed.filter((character) => OLDER.tr46.toASCII(`a${character}`, UTS46_OPTIONS) === null);
  const marks = allowed.filter((character) => NEWER.patterns['combiningMarks']!.test(character));
  let [every, some] = [0, 0];
  for (let round = 0; round < LABELS; round++) {
    const lists = [allowed, allowed, marks, moved, SPECIAL];
    const characters = Array.from({ length: 1 + next(6) }, () => pick(pick(lists)));
    // of labels with several non-joiners tr46 accepts some for the sake of one
    const label = characters.filter((each, at) => each !== '\u200c' || characters.indexOf(each) === at).join('');
    const url = next(4) === 0 ? `http://xn--${encode(label.replaceAll(/[.。]/g, ''))}.ü/` : `http://${label}/`;
    const valid = compare(url);
    every += Number(valid.every(Boolean));
    some += Number(valid.some(Boolean) && !valid.every(Boolean));
  }
  assert.ok(every > LABELS / 50 && some > LABELS / 50, `${every} valid in every version, ${some} in some`);
});

for (const [name, step] of Object.entries({ intl: 20, changed: 20, main: 400 })) {
  const lines = sampled(corpusLines(name), step);
  if (lines.length > 0)
    tests(`corpus/${name}: ${lines.length} lines in each version`, () => void lines.forEach(compare));
}

tests('what moves is in docs/conformance.md and in the table', () => {
  const page = readFileSync('docs/conformance.md', 'utf8').replaceAll(/ +\|/g, ' |');
  const versions = VERSIONS.map((each) => ({ ...each, ...dataOfPackage(each.tr46) }));
  for (const [index, one] of versions.entries()) {
    for (const other of versions.slice(index + 1)) {
      const relation = relationOf(one, other);
      const row = relationRow(one.version, other.version, relation);
      assert.ok(page.includes(row), row);
      const [profile, otherProfile] = [one, other].map(({ version }) => `url/1+unicode${version}`) as [string, string];
      assert.is(compatible(profile, otherProfile), relation.areFormsEqual, row);
    }
  }
  const [older, newer] = [versions[0]!, versions.at(-1)!];
  // a changed mapping, as 15.1 had, and a mark that gained a class are seen
  const changed = { ...newer, mappings: new Map([...newer.mappings, [0x1e9e, 'ss']]) };
  assert.is(relationOf(older, changed).areFormsEqual, false);
  assert.is(relationOf(older, { ...newer, marks: { 230: [[0x1b3a, 0x1b3a]] } } as never).areFormsEqual, false);
});

tests.run();
