import { decode, encode } from 'punycode';
import { asciiLowercase, isAsciiString } from '../bytes/code-points.ts';
import { type Failure, failure } from './failure.ts';
import { type Kind, type UnicodeData, type UnicodeVersion, unicodeData } from './unicode.ts';

/** The version of Unicode where none is asked for: in every 1.x the same. */
export const DEFAULT_UNICODE: UnicodeVersion = 18;

/**
 * The most UTF-16 units of a label for Punycode, whose time grows with the square of that: 64,000 ideographs take six
 * seconds. DNS ends at 63; the idna crate of Rust and Firefox stops at 1000 as well.
 */
const LABEL_LIMIT = 1000;
const LABEL_SEPARATORS = /[.\u3002\uff0e\uff61]/;

/** The domains seen last: the tables take 30 µs or more for one, and the lines of a corpus share them. */
const REMEMBERED_DOMAINS = 1024;
const remembered: Partial<Record<UnicodeVersion, Map<string, string | Failure>>> = {};

/** UTS #46 ToASCII, in a version of Unicode, of a domain that has a non-ASCII character. */
export function unicodeToAscii(domain: string, version: UnicodeVersion): string | Failure {
  if (domain.length > LABEL_LIMIT && domain.split(LABEL_SEPARATORS).some(isOverlong)) return failure('IDNA-limit');
  const plain = plainToAscii(domain);
  if (plain !== undefined) return plain;
  const known = (remembered[version] ??= new Map<string, string | Failure>());
  const before = known.get(domain);
  if (before !== undefined) return before;
  const ascii = toAscii(domain, version) || failure('domain-to-ASCII'); // the standard refuses the empty domain, too
  if (known.size === REMEMBERED_DOMAINS) known.clear();
  if (domain.length <= LABEL_LIMIT) known.set(domain, ascii);
  return ascii;
}

/** Returns the domain as UTS #46 maps it, for people to read. https://url.spec.whatwg.org/#concept-domain-to-unicode */
export function domainToUnicode(domain: string): string {
  return domain.split(LABEL_SEPARATORS).some(isOverlong) ? domain : toUnicode(domain, DEFAULT_UNICODE);
}

function isOverlong(label: string): boolean {
  return label.length > LABEL_LIMIT && (!isAsciiString(label) || /^xn--/i.test(label));
}

/**
 * A domain that UTS #46 leaves as it is: letters of scripts without marks or joining rules, valid and in lower case,
 * none of which composes with its neighbour (NFC) or is written from right to left, in every version. One class and no
 * group: V8 runs out of stack if a group repeats some three million times.
 */
const PLAIN_DOMAIN =
  /^[-.0-9a-zß-öø-ÿāăąćĉċčďđēĕėęěĝğġģĥħĩīĭįıĵķĸĺļľłńņňŋōŏőœŕŗřśŝşšţťŧũūŭůűųŵŷźżžά-ώа-џა-ჺ々〇ぁ-ゖァ-ヺー-ヾ㐀-䶿一-鿿가-힣]*$/;

/** A label that needs a look inside. */
const ACE_LABEL = /(?:^|\.)xn--/;

/**
 * UTS #46 ToASCII of a domain of plain labels, or undefined for any other: nine out of ten internationalized domains of
 * a corpus take 2 µs here, where the tables take 100 and reading them 10,000.
 */
export function plainToAscii(domain: string): string | undefined {
  const lower = asciiLowercase(domain);
  return PLAIN_DOMAIN.test(lower) && !ACE_LABEL.test(lower) ? lower.split('.').map(aceLabel).join('.') : undefined;
}

// UTS #46 for the URL Standard (https://url.spec.whatwg.org/#concept-domain-to-ascii with beStrict false): CheckBidi
// and CheckJoiners are true, everything else is false.

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

/** No character below U+0300 has a combining class, decomposes, or composes with the one before it. */
const COMBINING = /[\u0300-\uffff]/;

/**
 * Normalization Form C, whatever version of Unicode the host has, for text of code points that are valid in
 * a domain (UTS #46); any other counts as one that does not combine, and its domain fails.
 * https://www.unicode.org/reports/tr15/#Description_Norm
 */
export function toNfc(text: string, unicode: UnicodeData): string {
  if (!COMBINING.test(text)) return text;
  const codePoints: number[] = [];
  for (const character of text) decompose(character.codePointAt(0)!, codePoints, unicode);
  return textOf(compose(inCanonicalOrder(codePoints, unicode), unicode));
}

function textOf(codePoints: readonly number[]): string {
  let text = '';
  for (const code of codePoints) text += String.fromCodePoint(code);
  return text;
}

// Hangul syllables follow from arithmetic. https://www.unicode.org/versions/Unicode17.0.0/core-spec/chapter-3/#G24646
const L_BASE = 0x1100;
const V_BASE = 0x1161;
const T_BASE = 0x11a7;
const S_BASE = 0xac00;
const L_COUNT = 19;
const V_COUNT = 21;
const T_COUNT = 28;
const S_COUNT = L_COUNT * V_COUNT * T_COUNT;

function decompose(code: number, codePoints: number[], unicode: UnicodeData): void {
  const syllable = code - S_BASE;
  if (syllable >= 0 && syllable < S_COUNT) {
    const index = Math.floor(syllable / T_COUNT);
    codePoints.push(L_BASE + Math.floor(index / V_COUNT), V_BASE + (index % V_COUNT));
    if (syllable % T_COUNT > 0) codePoints.push(T_BASE + (syllable % T_COUNT));
    return;
  }
  const pair = unicode.decompositionOf(code);
  if (pair === undefined) codePoints.push(code);
  else for (const each of pair) decompose(each, codePoints, unicode);
}

/** Sorts each run of marks by combining class, and keeps the order of marks of one class. */
function inCanonicalOrder(codePoints: readonly number[], unicode: UnicodeData): readonly number[] {
  const classOf = (code: number) => unicode.combiningClassOf(code);
  const ordered: number[] = [];
  for (let at = 0; at < codePoints.length; ) {
    const start = at;
    while (at < codePoints.length && classOf(codePoints[at]!) > 0) at++;
    const marks = codePoints.slice(start, at).sort((one, other) => classOf(one) - classOf(other));
    for (const mark of marks) ordered.push(mark);
    if (at < codePoints.length) ordered.push(codePoints[at++]!);
  }
  return ordered;
}

/** Merges each character into the last starter if they compose and none of those between them is in its way. */
function compose(codePoints: readonly number[], unicode: UnicodeData): number[] {
  const composed: number[] = [];
  let starter = -1;
  let classBefore = 0;
  for (const code of codePoints) {
    const combiningClass = unicode.combiningClassOf(code);
    const isBlocked = starter !== composed.length - 1 && classBefore >= combiningClass;
    const composite = starter === -1 || isBlocked ? undefined : composition(composed[starter]!, code, unicode);
    if (composite !== undefined) {
      composed[starter] = composite;
      continue;
    }
    if (combiningClass === 0) starter = composed.length;
    classBefore = combiningClass;
    composed.push(code);
  }
  return composed;
}

function composition(first: number, second: number, unicode: UnicodeData): number | undefined {
  const [l, v, t] = [first - L_BASE, second - V_BASE, second - T_BASE];
  if (l >= 0 && l < L_COUNT && v >= 0 && v < V_COUNT) return S_BASE + (l * V_COUNT + v) * T_COUNT;
  const syllable = first - S_BASE;
  const isOpen = syllable >= 0 && syllable < S_COUNT && syllable % T_COUNT === 0;
  if (isOpen && t > 0 && t < T_COUNT) return first + t;
  return unicode.compositeOf(first, second);
}
