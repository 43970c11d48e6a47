// Compares src/url with tr46 and with the normalization of this Node: every scalar value alone and in templates, a
// million random domains, and the hosts of web-platform-tests and of the corpora in ../shared/data.
import { createRequire } from 'node:module';
import { sourceModule } from './generated.mjs';
import { knownHosts } from './known-hosts.mjs';

const require = createRequire(import.meta.url);
const tr46 = require('tr46');
const { encode } = require('punycode/punycode.js');

const OPTIONS = {
  checkHyphens: false,
  checkBidi: true,
  checkJoiners: true,
  useSTD3ASCIIRules: false,
  transitionalProcessing: false,
  verifyDNSLength: false,
  ignoreInvalidPunycode: false,
};
const RANDOM_DOMAINS = 1_000_000;

/** A letter, a mark, a bidi digit and a joining letter about each code point, and each behind Punycode. */
const TEMPLATES = [
  (character) => `a${character}`,
  (character) => `${character}\u0301`,
  (character) => `א${character}`,
  (character) => `א${character}א1`,
  (character) => `א.${character}b`,
  (character) => `${character}\u200cب`,
  (character) => `ب\u200c${character}`,
  (character) => `ب${character}\u200cب`,
  (character) => `क${character}\u200d`,
  (character) => `xn--${encode(character)}.ü`,
];
/** Beyond it, all but a few code points are unassigned. */
const END_OF_TEMPLATES = 0x32000;

export async function checkUnicode() {
  const { toAscii, toUnicode } = await sourceModule('src/url/uts46.ts');
  const { randomFrom, SEED } = await sourceModule('test/random.ts');
  const compare = comparison(toAscii, toUnicode);
  const scalars = Array.from({ length: 0x110000 }, (_, code) => code)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code));

  compare('every scalar value alone', scalars);
  const inTemplates = scalars.filter((character) => character.codePointAt(0) < END_OF_TEMPLATES || isTag(character));
  for (const template of TEMPLATES) compare(`as in ${JSON.stringify(template('☃'))}`, inTemplates.map(template));
  const characters = scalars.filter((character) => tr46.toUnicode(character, OPTIONS).error === false);
  compare('random domains', randomDomains(characters, randomFrom(SEED)));
  for (const [name, hosts] of await knownHosts()) compare(name, hosts);
}

/** The variation selectors and tags at U+E0000. */
const isTag = (character) => character.codePointAt(0) >= 0xe0000 && character.codePointAt(0) < 0xe0200;

function comparison(toAscii, toUnicode) {
  return (name, domains) => {
    let [count, valid, left] = [0, 0, 0];
    for (const domain of domains) {
      // of labels with several non-joiners tr46 accepts some for the sake of one: docs/conformance.md
      if (/\u200c.*\u200c/su.test(domain)) {
        left++;
        continue;
      }
      const ascii = tr46.toASCII(domain, OPTIONS) ?? undefined;
      if (toAscii(domain) !== ascii) throw new Error(`${JSON.stringify(domain)}: ${toAscii(domain)}, not ${ascii}`);
      const { domain: unicode } = tr46.toUnicode(domain, OPTIONS);
      if (toUnicode(domain) !== unicode)
        throw new Error(`${JSON.stringify(domain)}: ${toUnicode(domain)}, not ${unicode}`);
      count++;
      if (ascii !== undefined) valid++;
    }
    if (count === 0) throw new Error(`${name}: none`);
    console.log(`${name}: ${count} agree, ${valid} of them valid; ${left} with several non-joiners left out`);
  };
}

/** What means something to a rule: joiners, a virama, letters and digits of both directions, Punycode, separators. */
const SPECIAL = ['\u200c', '\u200d', '\u094d', 'ب', 'א', '1', '١', 'xn--', '-', '.', '。', '\u00ad', 'ß', 'A', 'ﬁ'];

function* randomDomains(characters, next) {
  const pick = (list) => list[next(list.length)];
  const marks = characters.filter((character) => /\p{M}/u.test(character));
  const rightToLeft = characters.filter((character) =>
    /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}]/u.test(character),
  );
  for (let round = 0; round < RANDOM_DOMAINS; round++) {
    const lists = pick([
      [characters, characters, marks, SPECIAL],
      [rightToLeft, rightToLeft, marks, SPECIAL],
    ]);
    const label = Array.from({ length: 1 + next(7) }, () => pick(pick(lists))).join('');
    yield next(4) === 0 ? `xn--${encode(label.replaceAll(/[.。]/g, ''))}.ü` : label;
  }
}
