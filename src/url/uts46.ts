// UTS #46 for the URL Standard (https://url.spec.whatwg.org/#concept-domain-to-ascii with beStrict false): CheckBidi
// and CheckJoiners are true, everything else is false.

import { decode, encode } from 'punycode';
import { isAsciiString } from '../bytes/code-points.ts';
import { toNfc } from './nfc.ts';
import { type BidiClass, type Kind, type UnicodeData, type UnicodeVersion, unicodeData } from './unicode.ts';

/** https://www.unicode.org/reports/tr46/#ToASCII; returns undefined if that fails */
export function toAscii(domain: string, version: UnicodeVersion): string | undefined {
  const unicode = unicodeData(version);
  const labels = processed(domain, unicode);
  if (!areValid(labels, unicode)) return undefined;
  try {
    return labels.map(({ text }) => aceLabel(text)).join('.');
  } catch {
    return undefined; // Punycode overflows
  }
}

/** Returns a domain for people to read, valid or not. https://www.unicode.org/reports/tr46/#ToUnicode */
export function toUnicode(domain: string, version: UnicodeVersion): string {
  return processed(domain, unicodeData(version))
    .map(({ text }) => text)
    .join('.');
}

/** Returns a label as DNS has it: in Punycode after `xn--`, unless it is ASCII. */
export function aceLabel(label: string): string {
  return isAsciiString(label) ? label : `xn--${encode(label)}`;
}

interface Label {
  /** The label in Unicode; one that cannot be decoded is left as it is. */
  readonly text: string;
  readonly isDecodable: boolean;
}

// https://www.unicode.org/reports/tr46/#Processing, except for the validity of the labels
function processed(domain: string, unicode: UnicodeData): readonly Label[] {
  return toNfc(mapped(domain, unicode), unicode).split('.').map(decodedLabel);
}

function mapped(domain: string, unicode: UnicodeData): string {
  let text = '';
  for (const character of domain) text += unicode.mappingOf(character.codePointAt(0)!);
  return text;
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

function areValid(labels: readonly Label[], unicode: UnicodeData): boolean {
  const isBidiDomain = labels.some(({ text }) => isRightToLeft(text, unicode));
  return labels.every(({ text, isDecodable }) => isDecodable && isValidLabel(text, isBidiDomain, unicode));
}

/** Whether it makes its domain a Bidi domain name. https://www.rfc-editor.org/rfc/rfc5893#section-1.4 */
function isRightToLeft(label: string, unicode: UnicodeData): boolean {
  for (const character of label) {
    const { bidi } = unicode.kindOf(character.codePointAt(0)!);
    if (bidi === 'R' || bidi === 'AN') return true;
  }
  return false;
}

/** https://www.unicode.org/reports/tr46/#Validity_Criteria with CheckBidi and CheckJoiners, without CheckHyphens */
function isValidLabel(label: string, isBidiDomain: boolean, unicode: UnicodeData): boolean {
  if (label === '') return true;
  const codes = Array.from(label, (character) => character.codePointAt(0)!);
  const kinds = codes.map((code) => unicode.kindOf(code));
  return (
    !label.startsWith('xn--') &&
    kinds.every(({ status }) => status === 'valid') &&
    !label.includes('.') &&
    toNfc(label, unicode) === label &&
    !kinds[0]!.isMark &&
    hasValidJoiners(codes, kinds, unicode) &&
    (!isBidiDomain || isValidBidi(kinds))
  );
}

const ZERO_WIDTH_NON_JOINER = 0x200c;
const ZERO_WIDTH_JOINER = 0x200d;
/** DEVANAGARI SIGN VIRAMA: its Canonical_Combining_Class is Virama (9). */
const VIRAMA = 0x94d;

/** Checks each joiner by its own neighbours. https://www.rfc-editor.org/rfc/rfc5892#appendix-A.1 and #appendix-A.2 */
function hasValidJoiners(codes: readonly number[], kinds: readonly Kind[], unicode: UnicodeData): boolean {
  return codes.every((code, at) => {
    if (code !== ZERO_WIDTH_NON_JOINER && code !== ZERO_WIDTH_JOINER) return true;
    if (at > 0 && unicode.combiningClassOf(codes[at - 1]!) === unicode.combiningClassOf(VIRAMA)) return true;
    return code === ZERO_WIDTH_NON_JOINER && isBetweenJoining(kinds, at);
  });
}

/** Whether the non-joiner at `at` separates two characters that would join. Transparent ones may come between. */
function isBetweenJoining(kinds: readonly Kind[], at: number): boolean {
  let before = at - 1;
  while (kinds[before]?.isTransparent) before--;
  let after = at + 1;
  while (kinds[after]?.isTransparent) after++;
  return kinds[before]?.isLeftJoining === true && kinds[after]?.isRightJoining === true;
}

const RIGHT_TO_LEFT: readonly BidiClass[] = ['R', 'AN', 'EN', 'NSM', 'other'];
const RIGHT_TO_LEFT_END: readonly BidiClass[] = ['R', 'AN', 'EN'];
const LEFT_TO_RIGHT: readonly BidiClass[] = ['L', 'EN', 'NSM', 'other'];
const LEFT_TO_RIGHT_END: readonly BidiClass[] = ['L', 'EN'];

/** https://www.rfc-editor.org/rfc/rfc5893#section-2 */
function isValidBidi(kinds: readonly Kind[]): boolean {
  const classes = kinds.map(({ bidi }) => bidi);
  let last = classes.length - 1;
  while (classes[last] === 'NSM') last--;
  if (classes[0] === 'L') return consistsOf(classes, LEFT_TO_RIGHT) && LEFT_TO_RIGHT_END.includes(classes[last]!);
  return (
    classes[0] === 'R' &&
    consistsOf(classes, RIGHT_TO_LEFT) &&
    RIGHT_TO_LEFT_END.includes(classes[last]!) &&
    !(classes.includes('EN') && classes.includes('AN'))
  );
}

function consistsOf(classes: readonly BidiClass[], allowed: readonly BidiClass[]): boolean {
  return classes.every((each) => allowed.includes(each));
}
