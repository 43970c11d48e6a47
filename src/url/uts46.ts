// UTS #46 for the URL Standard (https://url.spec.whatwg.org/#concept-domain-to-ascii with beStrict false): CheckBidi
// and CheckJoiners are true, all else is false. Tables and normalization are of Unicode 17, whatever the host has; the
// tables are most of this package's size, so they are bundled once for all runtimes and loaded when a domain first
// needs them.

import { decode, encode } from 'punycode';
import { isAsciiString } from '../bytes/code-points.ts';
import { toNfc } from './nfc.ts';

/** A code point, or the first and last of several; their status; what they are mapped to. */
type MappingEntry = readonly [codePoints: number | readonly [number, number], status: number, mapping?: string];

type PatternName =
  | 'combiningMarks'
  | 'combiningClassVirama'
  | 'validZWNJ'
  | 'bidiDomain'
  | 'bidiS1LTR'
  | 'bidiS1RTL'
  | 'bidiS2'
  | 'bidiS3'
  | 'bidiS4EN'
  | 'bidiS4AN'
  | 'bidiS5'
  | 'bidiS6';

declare function require(name: 'tr46/lib/mappingTable.json'): readonly MappingEntry[];
declare function require(name: 'tr46/lib/regexes.js'): Readonly<Record<PatternName, RegExp>>;

const MAPPED = 1;
const VALID = 2;
const DEVIATION = 6;
const IGNORED = 7;

const ZERO_WIDTH_NON_JOINER = '\u200c';
const ZERO_WIDTH_JOINER = '\u200d';

/** https://www.unicode.org/reports/tr46/#ToASCII; undefined where that fails */
export function toAscii(domain: string): string | undefined {
  const { labels, isValid } = processed(domain);
  if (!isValid) return undefined;
  try {
    return labels.map((label) => (isAsciiString(label) ? label : `xn--${encode(label)}`)).join('.');
  } catch {
    return undefined; // Punycode overflows
  }
}

/** For people to read, valid or not. https://www.unicode.org/reports/tr46/#ToUnicode */
export function toUnicode(domain: string): string {
  return processed(domain).labels.join('.');
}

// https://www.unicode.org/reports/tr46/#Processing
function processed(domain: string): { readonly labels: readonly string[]; readonly isValid: boolean } {
  const labels = toNfc(mapped(domain)).split('.').map(decodedLabel);
  const isBidi = require('tr46/lib/regexes.js').bidiDomain.test(labels.map(({ text }) => text).join('.'));
  const isValid = labels.every(({ text, isDecodable }) => isDecodable && isValidLabel(text, isBidi));
  return { labels: labels.map(({ text }) => text), isValid };
}

function mapped(domain: string): string {
  let text = '';
  for (const character of domain) {
    const [, status, mapping] = entryOf(character);
    if (status === MAPPED) text += mapping;
    else if (status !== IGNORED) text += character;
  }
  return text;
}

/** The row of the IDNA mapping table that a character belongs to. */
function entryOf(character: string): MappingEntry {
  const table = require('tr46/lib/mappingTable.json');
  const code = character.codePointAt(0)!;
  let low = 0;
  let high = table.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    const [codePoints] = table[middle]!;
    if ((typeof codePoints === 'number' ? codePoints : codePoints[0]) <= code) low = middle;
    else high = middle - 1;
  }
  return table[low]!;
}

interface Label {
  /** As it is written in Unicode; what cannot be decoded is left as it is. */
  readonly text: string;
  readonly isDecodable: boolean;
}

/** Step 4 of the processing, for a label that begins with `xn--`. */
function decodedLabel(label: string): Label {
  if (!label.startsWith('xn--')) return { text: label, isDecodable: true };
  if (!isAsciiString(label)) return { text: label, isDecodable: false };
  try {
    const text = decode(label.slice(4));
    return { text, isDecodable: !isAsciiString(text) };
  } catch {
    return { text: label, isDecodable: false };
  }
}

// https://www.unicode.org/reports/tr46/#Validity_Criteria
function isValidLabel(label: string, isBidi: boolean): boolean {
  if (label === '') return true;
  const characters = Array.from(label);
  return (
    !label.startsWith('xn--') &&
    characters.every(isValidCharacter) &&
    toNfc(label) === label &&
    !require('tr46/lib/regexes.js').combiningMarks.test(characters[0]!) &&
    hasValidJoiners(characters) &&
    (!isBidi || isValidBidi(label, characters[0]!))
  );
}

function isValidCharacter(character: string): boolean {
  const [, status] = entryOf(character);
  return (status === VALID || status === DEVIATION) && character !== '.';
}

// https://www.rfc-editor.org/rfc/rfc5892#appendix-A.1 and #appendix-A.2
function hasValidJoiners(characters: readonly string[]): boolean {
  const { combiningClassVirama } = require('tr46/lib/regexes.js');
  return characters.every((character, at) => {
    if (character !== ZERO_WIDTH_NON_JOINER && character !== ZERO_WIDTH_JOINER) return true;
    if (at === 0) return false;
    if (combiningClassVirama.test(characters[at - 1]!)) return true;
    return character === ZERO_WIDTH_NON_JOINER && isBetweenJoining(characters, at);
  });
}

/**
 * Does the non-joiner at `at` part two characters that would join? None but that one is in the text that is searched.
 */
function isBetweenJoining(characters: readonly string[], at: number): boolean {
  const before = characters.lastIndexOf(ZERO_WIDTH_NON_JOINER, at - 1);
  const after = characters.indexOf(ZERO_WIDTH_NON_JOINER, at + 1);
  const text = characters.slice(before + 1, after === -1 ? undefined : after).join('');
  return require('tr46/lib/regexes.js').validZWNJ.test(text);
}

// https://www.rfc-editor.org/rfc/rfc5893#section-2
function isValidBidi(label: string, first: string): boolean {
  const { bidiS1LTR, bidiS1RTL, bidiS2, bidiS3, bidiS4EN, bidiS4AN, bidiS5, bidiS6 } = require('tr46/lib/regexes.js');
  if (bidiS1LTR.test(first)) return bidiS5.test(label) && bidiS6.test(label);
  if (!bidiS1RTL.test(first)) return false;
  return bidiS2.test(label) && bidiS3.test(label) && !(bidiS4EN.test(label) && bidiS4AN.test(label));
}
