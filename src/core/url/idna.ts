import { decode, encode } from 'punycode';
import { asciiLowercase, codePointAt, isAsciiString, textOf, unitCountOf } from '../bytes/code-points.ts';
import { TextWriter } from '../bytes/text-writer.ts';
import { firstOf, secondOf, UnicodeData, unicodeData } from './unicode.ts';

/** The version of Unicode where none is asked for: in every 1.x the same. */
export const DEFAULT_UNICODE = 18;

/**
 * The most UTF-16 units of a label for Punycode, whose time grows with the square of that: 64,000 ideographs take six
 * seconds. DNS ends at 63; the idna crate of Rust and Firefox stops at 1000 as well.
 */
const LABEL_LIMIT: i32 = 1000;
const LABEL_SEPARATORS: string = '.\u3002\uff0e\uff61';

/** Whether Punycode would have to work on a label that is too long for it. */
export function hasOverlongLabel(domain: string): bool {
  if (domain.length <= LABEL_LIMIT) return false;
  for (let start = 0, at = 0; at <= domain.length; at++) {
    if (at < domain.length && !LABEL_SEPARATORS.includes(domain.charAt(at))) continue;
    if (at - start > LABEL_LIMIT && isUnicodeLabel(domain.slice(start, at))) return true;
    start = at + 1;
  }
  return false;
}

function isUnicodeLabel(label: string): bool {
  return !isAsciiString(label) || asciiLowercase(label.slice(0, 4)) === 'xn--';
}

/**
 * The characters of a domain that UTS #46 leaves as it is: letters of scripts without marks or joining rules, valid and
 * in lower case, none of which composes with its neighbour (NFC) or is written from right to left, in every version.
 */
const PLAIN_CHARACTERS: string =
  '-.0-9a-zß-öø-ÿāăąćĉċčďđēĕėęěĝğġģĥħĩīĭįıĵķĸĺļľłńņňŋōŏőœŕŗřśŝşšţťŧũūŭůűųŵŷźżžά-ώа-џა-ჺ々〇ぁ-ゖァ-ヺー-ヾ㐀-䶿一-鿿가-힣';

const PLAIN: u8 = 1;
/** An ASCII letter in upper case, which has a plain one in lower case. */
const UPPER: u8 = 2;

/** The kind of each UTF-16 unit: PLAIN, UPPER or 0; made at first use. */
let plainUnits: Uint8Array = new Uint8Array(0);

function readPlainUnits(): Uint8Array {
  const units = new Uint8Array(0x10000);
  units[0x2d] = PLAIN;
  for (let at = 1; at < PLAIN_CHARACTERS.length; at++) {
    const isRange = PLAIN_CHARACTERS.charCodeAt(at) === 0x2d;
    const first = PLAIN_CHARACTERS.charCodeAt(isRange ? at - 1 : at);
    units.fill(PLAIN, first, PLAIN_CHARACTERS.charCodeAt(isRange ? at + 1 : at) + 1);
  }
  units.fill(UPPER, 0x41, 0x5b);
  return units;
}

/** Returns a plain character, or the plain one of an ASCII letter in upper case; 0 for any other UTF-16 unit. */
export function plainUnitOf(unit: i32): i32 {
  if (plainUnits.length === 0) plainUnits = readPlainUnits();
  const kind = plainUnits[unit]!;
  return kind === 0 ? 0 : kind === UPPER ? unit | 0x20 : unit;
}

/**
 * UTS #46 ToASCII of a domain of plain labels, or '' for any other: nine out of ten internationalized domains of a
 * corpus take 0.7 µs here, where the tables take 2 to 5 and reading them 10,000.
 */
export function plainToAscii(domain: string): string {
  const lower = plainLower(domain);
  return lower === '' ? '' : aceOfLabels(lower);
}

/** Returns plain labels in lower case, or '' for any other text. A label in Punycode needs a look inside. */
function plainLower(text: string): string {
  if (plainUnits.length === 0) plainUnits = readPlainUnits();
  let isLower = true;
  for (let at = 0; at < text.length; at++) {
    const unit = plainUnits[text.charCodeAt(at)]!;
    if (unit === 0) return '';
    if (unit === UPPER) isLower = false;
  }
  const lower = isLower ? text : asciiLowercase(text);
  return lower.startsWith('xn--') || lower.includes('.xn--') ? '' : lower;
}

/** Label by label, without a list of them, which takes twice the time. Returns '' where Punycode overflows. */
function aceOfLabels(lower: string): string {
  const ascii = new TextWriter();
  for (let start = 0, end = 0; start <= lower.length; start = end + 1) {
    const dot = lower.indexOf('.', start);
    end = dot === -1 ? lower.length : dot;
    const label = aceLabel(lower.slice(start, end));
    if (label === null) return '';
    if (start > 0) ascii.add('.');
    ascii.add(label);
  }
  return ascii.toString();
}

// UTS #46 for the URL Standard (https://url.spec.whatwg.org/#concept-domain-to-ascii with beStrict false): CheckBidi
// and CheckJoiners are true, everything else is false.

/** The ASCII forms of the domains seen last, in one version: a form takes some 3 µs, and lines share their hosts. */
const known: Map<string, string> = new Map<string, string>();
const KNOWN_DOMAINS = 1024;
let knownVersion: i32 = 0;

/** Returns what `computedAscii` does, from memory if it can; whoever calls it has asked `hasOverlongLabel` first. */
export function toAscii(domain: string, version: i32): string {
  if (version !== knownVersion || known.size === KNOWN_DOMAINS) known.clear();
  knownVersion = version;
  if (known.has(domain)) return known.get(domain)!;
  const ascii = computedAscii(domain, version);
  if (domain.length <= LABEL_LIMIT) known.set(domain, ascii);
  return ascii;
}

/** Returns '' if ToASCII fails; the standard refuses an empty domain, too. https://www.unicode.org/reports/tr46/#ToASCII */
export function computedAscii(domain: string, version: i32): string {
  const plain = plainToAscii(domain);
  if (plain !== '') return plain;
  const unicode = unicodeData(version);
  const labels = processed(domain, unicode);
  return areValid(labels, unicode) ? joinedAce(textsOf(labels)) : '';
}

/** Returns '' where Punycode overflows. */
function joinedAce(labels: string[]): string {
  for (let at = 0; at < labels.length; at++) {
    const label = aceLabel(labels[at]!);
    if (label === null) return '';
    labels[at] = label;
  }
  return labels.join('.');
}

function textsOf(labels: Label[]): string[] {
  const texts: string[] = [];
  for (let at = 0; at < labels.length; at++) texts.push(labels[at]!.text);
  return texts;
}

/** Returns a domain for people to read, valid or not. https://www.unicode.org/reports/tr46/#ToUnicode */
export function toUnicode(domain: string, version: i32): string {
  return textsOf(processed(domain, unicodeData(version))).join('.');
}

/** Returns the domain as UTS #46 maps it, for people to read. https://url.spec.whatwg.org/#concept-domain-to-unicode */
export function domainToUnicode(domain: string): string {
  return hasOverlongLabel(domain) ? domain : toUnicode(domain, DEFAULT_UNICODE);
}

/** Returns a label as DNS has it: in Punycode after `xn--`, unless it is ASCII; null where Punycode overflows. */
function aceLabel(label: string): string | null {
  if (isAsciiString(label)) return label;
  const encoded = encodePunycode(label);
  return encoded === null ? null : `xn--${encoded}`;
}

// The package punycode throws where a text is not Punycode or a number overflows, and WebAssembly cannot catch: the
// module that stands for the package there returns null.

function encodePunycode(label: string): string | null {
  return ASC_TARGET === 0 ? encodeByPackage(label) : encode(label);
}

function decodePunycode(text: string): string | null {
  return ASC_TARGET === 0 ? decodeByPackage(text) : decode(text);
}

function encodeByPackage(label: string): string | null {
  try {
    return encode(label);
  } catch (_) {
    return null;
  }
}

function decodeByPackage(text: string): string | null {
  try {
    return decode(text);
  } catch (_) {
    return null;
  }
}

class Label {
  /** The label in Unicode; one that cannot be decoded is left as it is. */
  readonly text: string;
  readonly isDecoded: bool;
  readonly isDecodable: bool;
  /** Whether it is valid but for what a right-to-left neighbour asks. */
  readonly isPlain: bool;

  constructor(text: string, isDecoded: bool, isDecodable: bool, isPlain: bool = false) {
    this.text = text;
    this.isDecoded = isDecoded;
    this.isDecodable = isDecodable;
    this.isPlain = isPlain;
  }
}

/**
 * Maps and normalizes label by label: no character composes with a full stop, and a plain label takes neither step.
 */
// https://www.unicode.org/reports/tr46/#Processing, except for the validity of the labels
function processed(domain: string, unicode: UnicodeData): Label[] {
  const given = domain.split('.');
  const labels: Label[] = [];
  for (let at = 0; at < given.length; at++) {
    const plain = plainLower(given[at]!);
    if (plain !== '') labels.push(new Label(plain, false, true, true));
    else addProcessed(given[at]!, labels, unicode);
  }
  return labels;
}

/** Adds the labels of a text without full stops, which other separators may divide. */
function addProcessed(text: string, labels: Label[], unicode: UnicodeData): void {
  const texts = toNfc(mapped(text, unicode), unicode).split('.');
  for (let at = 0; at < texts.length; at++) labels.push(decodedLabel(texts[at]!));
}

function mapped(domain: string, unicode: UnicodeData): string {
  const text = new TextWriter();
  for (let at = 0; at < domain.length; ) {
    const code = codePointAt(domain, at);
    unicode.addMapping(code, text);
    at += unitCountOf(code);
  }
  return text.toString();
}

/** Step 4 of the processing, for a label that begins with `xn--`. */
function decodedLabel(label: string): Label {
  if (!label.startsWith('xn--')) return new Label(label, false, true);
  const text = isAsciiString(label) ? decodePunycode(label.slice(4)) : null;
  return text === null ? new Label(label, false, false) : new Label(text, true, !isAsciiString(text));
}

function areValid(labels: Label[], unicode: UnicodeData): bool {
  let isBidiDomain = false;
  for (let at = 0; at < labels.length; at++)
    if (!labels[at]!.isPlain && isRightToLeft(labels[at]!.text, unicode)) isBidiDomain = true;
  const codes: i32[] = []; // of one label after another: a domain may have 64,000
  for (let at = 0; at < labels.length; at++) if (!isValidLabel(labels[at]!, codes, isBidiDomain, unicode)) return false;
  return true;
}

/** Whether it makes its domain a Bidi domain name. https://www.rfc-editor.org/rfc/rfc5893#section-1.4 */
function isRightToLeft(label: string, unicode: UnicodeData): bool {
  for (let at = 0; at < label.length; ) {
    const code = codePointAt(label, at);
    const bidi = unicode.kindOf(code).bidi;
    if (bidi === 'R' || bidi === 'A') return true;
    at += unitCountOf(code);
  }
  return false;
}

const ZERO_WIDTH_NON_JOINER: i32 = 0x200c;
const ZERO_WIDTH_JOINER: i32 = 0x200d;
/** DEVANAGARI SIGN VIRAMA: its Canonical_Combining_Class is Virama (9). */
const VIRAMA: i32 = 0x94d;

/**
 * Reads the code points of a label into `codes`, and says whether it is valid.
 * https://www.unicode.org/reports/tr46/#Validity_Criteria with CheckBidi and CheckJoiners, without CheckHyphens
 */
function isValidLabel(label: Label, codes: i32[], isBidiDomain: bool, unicode: UnicodeData): bool {
  const text = label.text;
  if (label.isPlain && !isBidiDomain) return true;
  if (!label.isDecodable) return false;
  if (text === '') return true;
  if (text.startsWith('xn--') || text.includes('.') || !areValidCodes(text, codes, unicode)) return false;
  return (
    // any other label is a part of a domain in NFC
    (!label.isDecoded || toNfc(text, unicode) === text) &&
    !unicode.kindOf(codes[0]!).isMark &&
    hasValidJoiners(codes, unicode) &&
    (!isBidiDomain || isValidBidi(codes, unicode))
  );
}

function areValidCodes(text: string, codes: i32[], unicode: UnicodeData): bool {
  codes.length = 0;
  for (let at = 0; at < text.length; ) {
    const code = codePointAt(text, at);
    if (!unicode.kindOf(code).isValid) return false;
    codes.push(code);
    at += unitCountOf(code);
  }
  return true;
}

export function isJoiner(code: i32): bool {
  return code === ZERO_WIDTH_NON_JOINER || code === ZERO_WIDTH_JOINER;
}

/** Checks each joiner by its own neighbours. https://www.rfc-editor.org/rfc/rfc5892#appendix-A.1 and #appendix-A.2 */
function hasValidJoiners(codes: i32[], unicode: UnicodeData): bool {
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at]!;
    if (!isJoiner(code)) continue;
    if (at > 0 && unicode.combiningClassOf(codes[at - 1]!) === unicode.combiningClassOf(VIRAMA)) continue;
    if (code === ZERO_WIDTH_JOINER) return false;
    if (!joins(codes, at, -1, 'L', unicode) || !joins(codes, at, 1, 'R', unicode)) return false;
  }
  return true;
}

/** Whether the nearest character in a direction that is not transparent has Joining_Type D or `type`. */
function joins(codes: i32[], at: i32, step: i32, type: string, unicode: UnicodeData): bool {
  let joining = 'T';
  for (let near = at + step; joining === 'T' && near >= 0 && near < codes.length; near += step)
    joining = unicode.kindOf(codes[near]!).joining;
  return joining === 'D' || joining === type;
}

/** Applies the rules of https://www.rfc-editor.org/rfc/rfc5893#section-2, where R stands for AL, too, and A for AN. */
function isValidBidi(codes: i32[], unicode: UnicodeData): bool {
  const first = unicode.kindOf(codes[0]!).bidi;
  let classes = '';
  let last = '';
  for (let at = 0; at < codes.length; at++) {
    const bidi = unicode.kindOf(codes[at]!).bidi;
    if (!classes.includes(bidi)) classes += bidi;
    if (bidi !== 'N') last = bidi;
  }
  // rule 4: only one of EN and AN in a label from right to left
  const digitClass = first === 'R' && classes.includes('A') ? 'A' : 'E';
  // rules 2 and 5: the classes that a label has beside its first
  const allowed = `${first}${digitClass}NO`;
  for (let at = 0; at < classes.length; at++) if (!allowed.includes(classes.charAt(at))) return false;
  // rule 1: the first class; rules 3 and 6: the last one
  return (first === 'L' || first === 'R') && (last === first || last === digitClass);
}

/**
 * Normalization Form C, whatever version of Unicode the host has, for text of code points that are valid in
 * a domain (UTS #46); any other counts as one that does not combine, and its domain fails.
 * https://www.unicode.org/reports/tr15/#Description_Norm
 */
export function toNfc(text: string, unicode: UnicodeData): string {
  if (!mayCombine(text)) return text;
  const codes: i32[] = [];
  for (let at = 0; at < text.length; ) {
    const code = codePointAt(text, at);
    decompose(code, codes, unicode);
    at += unitCountOf(code);
  }
  sortMarks(codes, unicode);
  return textOf(compose(codes, unicode));
}

/** No character below U+0300 has a combining class, decomposes, or composes with the one before it. */
function mayCombine(text: string): bool {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) >= 0x300) return true;
  return false;
}

// Hangul syllables follow from arithmetic. https://www.unicode.org/versions/Unicode17.0.0/core-spec/chapter-3/#G24646
const L_BASE: i32 = 0x1100;
const V_BASE: i32 = 0x1161;
const T_BASE: i32 = 0x11a7;
const S_BASE: i32 = 0xac00;
const L_COUNT: i32 = 19;
const V_COUNT: i32 = 21;
const T_COUNT: i32 = 28;
const S_COUNT: i32 = L_COUNT * V_COUNT * T_COUNT;

function decompose(code: i32, codes: i32[], unicode: UnicodeData): void {
  const syllable = code - S_BASE;
  if (syllable >= 0 && syllable < S_COUNT) {
    const index = (syllable / T_COUNT) | 0;
    codes.push(L_BASE + ((index / V_COUNT) | 0));
    codes.push(V_BASE + (index % V_COUNT));
    if (syllable % T_COUNT > 0) codes.push(T_BASE + (syllable % T_COUNT));
    return;
  }
  const pair = unicode.decompositionOf(code);
  if (pair === 0) {
    codes.push(code);
    return;
  }
  decompose(firstOf(pair), codes, unicode);
  decompose(secondOf(pair), codes, unicode);
}

/** Sorts each run of marks by combining class, and keeps the order of marks of one class. */
function sortMarks(codes: i32[], unicode: UnicodeData): void {
  for (let start = 0, end = 0; start < codes.length; start = end + 1) {
    let isSorted = true;
    let classBefore = 0;
    for (end = start; end < codes.length; end++) {
      const combiningClass = unicode.combiningClassOf(codes[end]!);
      if (combiningClass === 0) break;
      if (combiningClass < classBefore) isSorted = false;
      classBefore = combiningClass;
    }
    if (!isSorted) sortByClass(codes, start, end, unicode);
  }
}

/** Sorts marks by counting, in linear time: a label may be all marks. */
function sortByClass(codes: i32[], start: i32, end: i32, unicode: UnicodeData): void {
  const marks = codes.slice(start, end);
  const places = new Uint32Array(257);
  for (let at = 0; at < marks.length; at++) places[unicode.combiningClassOf(marks[at]!) + 1]! += 1;
  for (let each = 1; each < places.length; each++) places[each]! += places[each - 1]!;
  for (let at = 0; at < marks.length; at++) {
    const combiningClass = unicode.combiningClassOf(marks[at]!);
    codes[start + (places[combiningClass]! as i32)] = marks[at]!;
    places[combiningClass]! += 1;
  }
}

/** Merges each character into the last starter if they compose and none of those between them is in its way. */
function compose(codes: i32[], unicode: UnicodeData): i32[] {
  const composed: i32[] = [];
  let starter = -1;
  let classBefore = 0;
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at]!;
    const combiningClass = unicode.combiningClassOf(code);
    const isBlocked = starter !== composed.length - 1 && classBefore >= combiningClass;
    const composite = starter === -1 || isBlocked ? -1 : composition(composed[starter]!, code, unicode);
    if (composite !== -1) {
      composed[starter] = composite;
      continue;
    }
    if (combiningClass === 0) starter = composed.length;
    classBefore = combiningClass;
    composed.push(code);
  }
  return composed;
}

/** Returns -1 for two that do not compose. */
function composition(first: i32, second: i32, unicode: UnicodeData): i32 {
  const l = first - L_BASE;
  const v = second - V_BASE;
  const t = second - T_BASE;
  if (l >= 0 && l < L_COUNT && v >= 0 && v < V_COUNT) return S_BASE + (l * V_COUNT + v) * T_COUNT;
  const syllable = first - S_BASE;
  const isOpen = syllable >= 0 && syllable < S_COUNT && syllable % T_COUNT === 0;
  if (isOpen && t > 0 && t < T_COUNT) return first + t;
  return unicode.compositeOf(first, second);
}

/** Whether Normalization Form C may merge a valid code point into one before it. */
export function mayComposeWithBefore(code: i32, unicode: UnicodeData): bool {
  const isVowelOrTail = (code >= V_BASE && code < V_BASE + V_COUNT) || (code > T_BASE && code < T_BASE + T_COUNT);
  return isVowelOrTail || unicode.seconds.has(code);
}
