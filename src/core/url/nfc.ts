import type { UnicodeData } from './unicode.ts';

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
