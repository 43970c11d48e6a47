// UTS #46 for the URL Standard (https://url.spec.whatwg.org/#concept-domain-to-ascii with beStrict false): CheckBidi
// and CheckJoiners are true, everything else is false.

import { decode, encode } from 'punycode';
import { isAsciiString } from '../bytes/code-points.ts';
import { toNfc } from './nfc.ts';
import { type Kind, type UnicodeData, type UnicodeVersion, unicodeData } from './unicode.ts';

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
    if (bidi === 'R' || bidi === 'A') return true;
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
    (!isBidiDomain || VALID_BIDI.test(kinds.map(({ bidi }) => bidi).join('')))
  );
}

const ZERO_WIDTH_NON_JOINER = 0x200c;
const ZERO_WIDTH_JOINER = 0x200d;
/** DEVANAGARI SIGN VIRAMA: its Canonical_Combining_Class is Virama (9). */
const VIRAMA = 0x94d;

/** Checks each joiner by its own neighbours. https://www.rfc-editor.org/rfc/rfc5892#appendix-A.1 and #appendix-A.2 */
function hasValidJoiners(codes: readonly number[], kinds: readonly Kind[], unicode: UnicodeData): boolean {
  let types: string | undefined; // few labels have joiners, and those that have may have hundreds
  return codes.every((code, at) => {
    if (code !== ZERO_WIDTH_NON_JOINER && code !== ZERO_WIDTH_JOINER) return true;
    if (at > 0 && unicode.combiningClassOf(codes[at - 1]!) === unicode.combiningClassOf(VIRAMA)) return true;
    types ??= kinds.map(({ joining }) => joining).join('');
    return code === ZERO_WIDTH_NON_JOINER && /[LD]T*$/.test(types.slice(0, at)) && /^T*[RD]/.test(types.slice(at + 1));
  });
}

/** By the letters of `Kind.bidi`: rules 5 and 6 for a label that begins with L, 2 to 4 for one that begins with R. */
// https://www.rfc-editor.org/rfc/rfc5893#section-2
const VALID_BIDI = /^(?:(?=L)[LENO]*[LE]|(?=R)(?:[RENO]*[RE]|[RANO]*[RA]))N*$/;
