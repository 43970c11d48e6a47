// UTS #46 as the URL Standard calls it: CheckBidi and CheckJoiners are true, CheckHyphens, UseSTD3ASCIIRules,
// Transitional_Processing, VerifyDnsLength and IgnoreInvalidPunycode false. https://www.unicode.org/reports/tr46/

import { asciiLowercase, codePointAt, isAsciiString, unitCountOf } from '../bytes/code-points.ts';
import { TextWriter } from '../bytes/text-writer.ts';
import { toNfc } from './nfc.ts';
import { plainLower, plainToAscii } from './plain-domain.ts';
import { asciiLabel, decodePunycode } from './punycode.ts';
import { UnicodeData, unicodeData } from './unicode.ts';

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

/** The ASCII forms of the domains seen last, in one version: a form takes some 3 µs, and lines share their hosts. */
const known: Map<string, string> = new Map<string, string>();
const KNOWN_DOMAINS = 1024;
let knownVersion: i32 = 0;

/** Returns what `toAscii` does, from memory if it can; whoever calls it has asked `hasOverlongLabel` first. */
export function rememberedToAscii(domain: string, version: i32): string {
  if (version !== knownVersion || known.size === KNOWN_DOMAINS) known.clear();
  knownVersion = version;
  if (known.has(domain)) return known.get(domain)!;
  const ascii = toAscii(domain, version);
  if (domain.length <= LABEL_LIMIT) known.set(domain, ascii);
  return ascii;
}

/** Returns '' if ToASCII fails; the standard refuses an empty domain, too. https://www.unicode.org/reports/tr46/#ToASCII */
export function toAscii(domain: string, version: i32): string {
  const plain = plainToAscii(domain);
  if (plain !== '') return plain;
  const unicode = unicodeData(version);
  const labels = processed(domain, unicode);
  if (!areValid(labels, unicode)) return '';
  const ascii: string[] = [];
  for (let at = 0; at < labels.length; at++) {
    const label = asciiLabel(labels[at]!.text);
    if (label === null) return '';
    ascii.push(label);
  }
  return ascii.join('.');
}

/** Returns a domain for people to read, valid or not. https://www.unicode.org/reports/tr46/#ToUnicode */
export function toUnicode(domain: string, version: i32): string {
  const labels = processed(domain, unicodeData(version));
  const texts: string[] = [];
  for (let at = 0; at < labels.length; at++) texts.push(labels[at]!.text);
  return texts.join('.');
}

/** Returns the domain as UTS #46 maps it, for people to read. https://url.spec.whatwg.org/#concept-domain-to-unicode */
export function domainToUnicode(domain: string): string {
  return hasOverlongLabel(domain) ? domain : toUnicode(domain, DEFAULT_UNICODE);
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
 * Returns the labels of a domain after the steps Map, Normalize, Break and Convert; their validity is not checked. A
 * plain label takes none of them, and maps and normalizes alone: no character composes with a full stop.
 * https://www.unicode.org/reports/tr46/#Processing
 */
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
  for (let at = 0; at < texts.length; at++) labels.push(converted(texts[at]!));
}

/** Step 1, Map. */
function mapped(text: string, unicode: UnicodeData): string {
  const written = new TextWriter();
  for (let at = 0; at < text.length; ) {
    const code = codePointAt(text, at);
    unicode.addMapping(code, written);
    at += unitCountOf(code);
  }
  return written.toString();
}

/** Step 4, Convert: decodes a label that begins with `xn--`. */
function converted(label: string): Label {
  if (!label.startsWith('xn--')) return new Label(label, false, true);
  const text = isAsciiString(label) ? decodePunycode(label.slice(4)) : null;
  return text === null ? new Label(label, false, false) : new Label(text, true, !isAsciiString(text));
}

/** Step 4, Validate. */
function areValid(labels: Label[], unicode: UnicodeData): bool {
  const isBidi = isBidiDomain(labels, unicode);
  const codes: i32[] = []; // of one label after another: a domain may have 64,000
  for (let at = 0; at < labels.length; at++) if (!isValidLabel(labels[at]!, codes, isBidi, unicode)) return false;
  return true;
}

/** Whether a label is an RTL label. https://www.rfc-editor.org/rfc/rfc5893#section-1.4 */
function isBidiDomain(labels: Label[], unicode: UnicodeData): bool {
  for (let at = 0; at < labels.length; at++)
    if (!labels[at]!.isPlain && isRtlLabel(labels[at]!.text, unicode)) return true;
  return false;
}

function isRtlLabel(label: string, unicode: UnicodeData): bool {
  for (let at = 0; at < label.length; ) {
    const code = codePointAt(label, at);
    const bidi = unicode.kindOf(code).bidi;
    if (bidi === 'R' || bidi === 'A') return true;
    at += unitCountOf(code);
  }
  return false;
}

/**
 * Checks the Validity Criteria of a label, whose code points it reads into `codes`.
 * https://www.unicode.org/reports/tr46/#Validity_Criteria
 */
function isValidLabel(label: Label, codes: i32[], isInBidiDomain: bool, unicode: UnicodeData): bool {
  const text = label.text;
  if (label.isPlain && !isInBidiDomain) return true;
  if (!label.isDecodable) return false;
  if (text === '') return true;
  if (text.startsWith('xn--') || text.includes('.') || !areValidCodes(text, codes, unicode)) return false;
  return (
    // any other label is a part of a domain in NFC
    (!label.isDecoded || toNfc(text, unicode) === text) &&
    !unicode.kindOf(codes[0]!).isMark &&
    followsContextJ(codes, unicode) &&
    (!isInBidiDomain || followsBidiRule(codes, unicode))
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

const ZERO_WIDTH_NON_JOINER: i32 = 0x200c;
const ZERO_WIDTH_JOINER: i32 = 0x200d;
/** DEVANAGARI SIGN VIRAMA: its Canonical_Combining_Class is Virama (9). */
const VIRAMA: i32 = 0x94d;

export function isJoiner(code: i32): bool {
  return code === ZERO_WIDTH_NON_JOINER || code === ZERO_WIDTH_JOINER;
}

/**
 * Checks each joiner by the ContextJ rules: it follows a virama; or a non-joiner stands between two characters that
 * join. https://www.rfc-editor.org/rfc/rfc5892#appendix-A.1 and #appendix-A.2
 */
function followsContextJ(codes: i32[], unicode: UnicodeData): bool {
  for (let at = 0; at < codes.length; at++) {
    if (!isJoiner(codes[at]!)) continue;
    if (at > 0 && unicode.combiningClassOf(codes[at - 1]!) === unicode.combiningClassOf(VIRAMA)) continue;
    if (codes[at] === ZERO_WIDTH_JOINER) return false;
    if (!joins(codes, at, -1, 'L', unicode) || !joins(codes, at, 1, 'R', unicode)) return false;
  }
  return true;
}

/** Whether the nearest character in a direction that is not transparent (T) has the Joining_Type `type` or D. */
function joins(codes: i32[], at: i32, step: i32, type: string, unicode: UnicodeData): bool {
  let joining = 'T';
  for (let near = at + step; joining === 'T' && near >= 0 && near < codes.length; near += step)
    joining = unicode.kindOf(codes[near]!).joining;
  return joining === 'D' || joining === type;
}

/** Checks a label by the six conditions of the Bidi Rule. https://www.rfc-editor.org/rfc/rfc5893#section-2 */
function followsBidiRule(codes: i32[], unicode: UnicodeData): bool {
  const first = unicode.kindOf(codes[0]!).bidi;
  if (first !== 'L' && first !== 'R') return false; // 1
  const allowed = first === 'R' ? 'RAENO' : 'LENO';
  let classes = '';
  let last = '';
  for (let at = 0; at < codes.length; at++) {
    const bidi = unicode.kindOf(codes[at]!).bidi;
    if (!allowed.includes(bidi)) return false; // 2, 5
    if (!classes.includes(bidi)) classes += bidi;
    if (bidi !== 'N') last = bidi;
  }
  if (last !== first && last !== 'E' && last !== 'A') return false; // 3, 6
  return !(classes.includes('E') && classes.includes('A')); // 4
}
