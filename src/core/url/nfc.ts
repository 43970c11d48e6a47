import { codePointAt, textOf, unitCountOf } from '../bytes/code-points.ts';
import { firstOf, secondOf, UnicodeData } from './unicode.ts';

/**
 * Returns Normalization Form C by the tables of `unicode`, whatever version the host has, of code points that are valid
 * in a domain (UTS #46); any other counts as one that does not combine, and its domain fails.
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
