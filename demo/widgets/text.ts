import { type Child, element } from './element.ts';

/**
 * Characters that cannot be seen: control characters; those that turn the direction of what follows, as in
 * `\u202Egnp.exe`, which reads `exe.png`; and those without a width.
 */
const UNSEEN =
  /([\0-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\u{e0000}-\u{e007f}])/u;

/** Characters of scripts that are written from right to left. */
const FROM_THE_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Characters that part a URL, or the fields of a record. */
const DELIMITERS = /([\s/?#&=:@.,;|"]+)/;

/**
 * A text as it is, in its order: what cannot be seen as a mark, and each part of a URL that is written from the right
 * isolated from the others, which it would change places with.
 */
export function visible(text: string): Child[] {
  return text.split(UNSEEN).flatMap((part, at) => (at % 2 === 1 ? [markOf(part)] : isolated(part)));
}

/** Does a text hold what a text field does not show, or shows in another order? */
export function hasUnseen(text: string): boolean {
  return UNSEEN.test(text) || FROM_THE_RIGHT.test(text);
}

/** The picture of a control character (U+2400 …), or the name of another one. */
function markOf(character: string): Child {
  const point = character.codePointAt(0)!;
  if (point < 0x20) return String.fromCharCode(0x2400 + point);
  if (point === 0x7f) return '␡';
  return element('span', { class: 'unseen' }, `U+${point.toString(16).toUpperCase().padStart(4, '0')}`);
}

function isolated(text: string): Child[] {
  if (!FROM_THE_RIGHT.test(text)) return text === '' ? [] : [text];
  return text.split(DELIMITERS).map((part) => (FROM_THE_RIGHT.test(part) ? element('bdi', {}, part) : part));
}

/** Longer texts are folded: one of 200 kB, shown a dozen times, would make a page of 600,000 pixels. */
const WHOLE_UNITS = 1000;
const START_UNITS = 600;
const END_UNITS = 200;

/** A text, or its start and its end with a button for what is between. */
export function folded(text: string): Child[] {
  if (text.length <= WHOLE_UNITS) return visible(text);
  const start = isLowSurrogate(text, START_UNITS) ? START_UNITS - 1 : START_UNITS;
  const end = text.length - END_UNITS - (isLowSurrogate(text, text.length - END_UNITS) ? 1 : 0);
  return [...visible(text.slice(0, start)), foldOf(text.slice(start, end)), ...visible(text.slice(end))];
}

function foldOf(text: string): HTMLElement {
  const fold = element('button', { type: 'button', class: 'fold' }, `… ${count(text.length, 'more character')} …`);
  fold.addEventListener('click', () => {
    const unfolded = element('span', { tabindex: '-1' }, ...visible(text));
    fold.replaceWith(unfolded);
    unfolded.focus({ preventScroll: true });
  });
  return fold;
}

/** With a capital, as at the start of a sentence. */
export function sentenceOf(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Text of the input or of a result, which breaks anywhere. */
export function code(...children: readonly Child[]): HTMLElement {
  return element('code', {}, ...children.flatMap((child) => (typeof child === 'string' ? folded(child) : [child])));
}

/** `after`, with what differs from `before` marked: all between the parts that they share at both ends. */
export function changed(before: string, after: string): HTMLElement {
  if (before === after) return code(after);
  const [start, end] = differenceOf(before, after);
  const middle = after.slice(start, end);
  const mark = element('mark', middle === '' ? { class: 'gone' } : {}, ...folded(middle));
  return code(after.slice(0, start), mark, after.slice(end));
}

/** The units [start, end) of `after` that differ; no character is cut in two. */
function differenceOf(before: string, after: string): readonly [start: number, end: number] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  if (isLowSurrogate(after, start) || isLowSurrogate(before, start)) start--;
  let shared = 0;
  while (shared < shorter - start && before[before.length - 1 - shared] === after[after.length - 1 - shared]) shared++;
  if (shared > 0 && isLowSurrogate(after, after.length - shared)) shared--;
  return [start, after.length - shared];
}

function isLowSurrogate(text: string, at: number): boolean {
  return at > 0 && (text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800;
}

/** Hex digits in groups that a space parts for the eye and not for the clipboard. */
export function hexGroups(hex: string, digits = 16): HTMLElement {
  const groups = hex.match(new RegExp(`.{1,${digits}}`, 'g')) ?? [];
  return element('code', { class: 'hex' }, ...groups.map((group) => element('span', {}, group)));
}

const counts = new Intl.NumberFormat('en');

export function count(value: number, one: string, many = `${one}s`): string {
  return `${counts.format(value)} ${value === 1 ? one : many}`;
}

const roundedCounts = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });

/** Writes what was measured, as exactly as it can be meant. */
export function rounded(value: number): string {
  return roundedCounts.format(value);
}
