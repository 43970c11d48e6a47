// Compares src/core/url in each version with tr46 of that version: every scalar value alone and in templates, a million random
// domains, and the hosts of web-platform-tests and of the corpora in ../shared/data. And the versions with each other:
// what moves between them is in the table and in docs/conformance.md.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { knownHosts, sourceModule } from './generated.mjs';
import { installNormalization, normalized } from './normalization.mjs';
import { CODE_POINTS, isValidKind, meaningOf, tableSource } from './unicode.mjs';

const require = createRequire(import.meta.url);
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

/**
 * @param versions with their data, ascending
 * @param table the text of their table
 */
export async function checkUnicode(versions, table) {
  if (tableSource(table) !== readFileSync('src/core/url/unicode-table.ts', 'utf8'))
    throw new Error('src/core/url/unicode-table.ts is not what npm run tables writes');
  installNormalization();
  const { toAscii, toUnicode } = await sourceModule('src/core/url/idna.ts');
  for (const { version, tr46 } of versions)
    await checkVersion(
      version,
      require(tr46),
      (domain) => toAscii(domain, version) || undefined,
      (domain) => toUnicode(domain, version),
    );
  await checkRelations(versions);
}

async function checkVersion(version, tr46, toAscii, toUnicode) {
  const { randomFrom, SEED } = await sourceModule('test/support/random.ts');
  const compare = comparison(`Unicode ${version}, `, tr46, toAscii, toUnicode);
  compare('every scalar value alone', SCALARS);
  const inTemplates = SCALARS.filter((character) => character.codePointAt(0) < END_OF_TEMPLATES || isTag(character));
  for (const template of TEMPLATES) compare(`as in ${JSON.stringify(template('☃'))}`, inTemplates.map(template));
  compare('random domains', randomDomains(allowedBy(tr46), randomFrom(SEED)));
  for (const [name, hosts] of await knownHosts()) compare(name, hosts);
}

const SCALARS = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code));

const allowedBy = (tr46) => SCALARS.filter((character) => tr46.toUnicode(character, OPTIONS).error === false);

/** Checks each pair: the table and the page have it, and no random domain that is valid in both contradicts it. */
async function checkRelations(versions) {
  const { EQUAL_FORMS } = await sourceModule('src/core/url/key-origin.ts');
  const { randomFrom, SEED } = await sourceModule('test/support/random.ts');
  const page = readFileSync('docs/conformance.md', 'utf8').replaceAll(/ +\|/g, ' |').replaceAll(/\| +/g, '| ');
  const missing = [];
  for (const [index, older] of versions.entries()) {
    for (const newer of versions.slice(index + 1)) {
      const relation = relationOf(older, newer);
      const row = relationRow(older.version, newer.version, relation);
      console.log(row);
      const isInTable = EQUAL_FORMS.some(([one, other]) => one === older.version && other === newer.version);
      if (isInTable !== relation.areFormsEqual) throw new Error('the table says otherwise: npm run tables');
      if (!page.includes(row)) missing.push(row);
      const counts = comparedDomains(require(older.tr46), require(newer.tr46), randomFrom(SEED));
      console.log(`random domains in ${older.version} and ${newer.version}: ${JSON.stringify(counts)}`);
      if (relation.areFormsEqual && counts.different > 0) throw new Error('a form differs');
    }
  }
  if (missing.length > 0) throw new Error(`docs/conformance.md lacks these rows:\n${missing.join('\n')}`);
}

function comparedDomains(older, newer, next) {
  const counts = { domains: 0, bothValid: 0, different: 0, onlyInOlder: 0, onlyInNewer: 0 };
  for (const domain of randomDomains(allowedBy(newer), next)) {
    const [before, after] = [older.toASCII(domain, OPTIONS), newer.toASCII(domain, OPTIONS)];
    counts.domains++;
    if (before !== null && after !== null) {
      counts.bothValid++;
      counts.different += Number(before !== after);
    } else if (before !== null) counts.onlyInOlder++;
    else if (after !== null) counts.onlyInNewer++;
  }
  return counts;
}

/** The variation selectors and tags at U+E0000. */
const isTag = (character) => character.codePointAt(0) >= 0xe0000 && character.codePointAt(0) < 0xe0200;

function comparison(prefix, tr46, toAscii, toUnicode) {
  return (name, domains) => {
    let [count, valid, left] = [0, 0, 0];
    for (const domain of domains) {
      // of labels with several non-joiners tr46 accepts some for the sake of one: docs/conformance.md
      if (/\u200c.*\u200c/su.test(domain)) {
        left++;
        continue;
      }
      const ascii = tr46.toASCII(domain, OPTIONS) || undefined;
      if (toAscii(domain) !== ascii) throw new Error(`${JSON.stringify(domain)}: ${toAscii(domain)}, not ${ascii}`);
      // of what is not valid, the normalization that is installed reorders marks that an older version does not know
      const { domain: unicode } = tr46.toUnicode(domain, OPTIONS);
      if (ascii !== undefined && toUnicode(domain) !== unicode)
        throw new Error(`${JSON.stringify(domain)}: ${toUnicode(domain)}, not ${unicode}`);
      count++;
      if (ascii !== undefined) valid++;
    }
    if (count === 0) throw new Error(`${name}: none`);
    console.log(`${prefix}${name}: ${count} agree, ${valid} of them valid; ${left} with several non-joiners left out`);
  };
}

/**
 * Characters that mean something to a rule: joiners, a virama, letters and digits of both directions, Punycode,
 * separators.
 */
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

// What moves from one version of Unicode to another: whether the forms of URLs that are valid in both are equal.

/**
 * Compares what two versions make of every code point, every class that a rule for labels reads, and normalization.
 *
 * A form differs only where a code point that both allow has another mapping, or another normalization. Classes decide
 * only which labels are valid.
 */
export function relationOf(older, newer) {
  const counts = { refused: 0, allowed: 0, newlyValid: 0, newlyMapped: 0, changedForms: 0, changedClasses: 0 };
  for (let code = 0; code < CODE_POINTS; code++) {
    const [before, after] = [older.kinds[code], newer.kinds[code]];
    if (before === 'disallowed' && after !== 'disallowed') {
      counts.allowed++;
      counts[isValidKind(after) ? 'newlyValid' : 'newlyMapped']++;
    } else if (before !== 'disallowed' && after === 'disallowed') counts.refused++;
    else if (isValidKind(before) && isValidKind(after)) counts.changedClasses += Number(before !== after);
    else if (meaningOf(code, older) !== meaningOf(code, newer)) counts.changedForms++;
  }
  const changedNormalizations = changedNormalization(older, newer);
  return { ...counts, changedNormalizations, areFormsEqual: counts.changedForms + changedNormalizations === 0 };
}

/**
 * Counts what of the newer normalization does not hold among the code points that are valid in an older version: a
 * composite that is new, or whose parts are; a class for a mark that had none. Between assigned code points Unicode's
 * stability policy forbids it.
 */
function changedNormalization(older, newer) {
  const isOld = (character) => isValidKind(older.kinds[character.codePointAt(0)]);
  let count = 0;
  for (let code = 0; code < CODE_POINTS; code++) {
    if (!isValidKind(newer.kinds[code])) continue;
    const character = String.fromCodePoint(code);
    const parts = Array.from(normalized(character, 'NFD'));
    if (parts.length > 1 && isOld(character) !== parts.every(isOld)) count++;
  }
  const newMarks = Object.values(newer.marks ?? {}).flat();
  return count + newMarks.filter((range) => range.some((code) => isOld(String.fromCodePoint(code)))).length;
}

/** The row of the relation in docs/conformance.md. */
export function relationRow(older, newer, relation) {
  const number = (count) => count.toLocaleString('en');
  const { allowed, newlyValid, newlyMapped, refused, changedClasses, changedForms, areFormsEqual } = relation;
  const cells = [
    `${older} → ${newer}`,
    `${number(allowed)}: ${number(newlyValid)} valid, ${number(newlyMapped)} mapped`,
    number(refused),
    number(changedClasses),
    number(changedForms),
    areFormsEqual ? 'equal' : 'not equal',
  ];
  return `| ${cells.join(' | ')} |`;
}
