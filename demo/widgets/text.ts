import { type Child, element } from './element.ts';

/** Control characters as their pictures (U+2400 …), so that what is there can be seen. */
export function visible(text: string): string {
  return text.replace(/[\0-\x1f\x7f]/g, (control) =>
    control === '\x7f' ? '␡' : String.fromCharCode(0x2400 + control.charCodeAt(0)),
  );
}

/** With a capital, as at the start of a sentence. */
export function sentenceOf(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Text of the input or of a result, which breaks anywhere. */
export function code(...children: readonly Child[]): HTMLElement {
  return element('code', {}, ...children.map((child) => (typeof child === 'string' ? visible(child) : child)));
}

/** `after`, with what differs from `before` marked: all between the parts that they share at both ends. */
export function changed(before: string, after: string): HTMLElement {
  if (before === after) return code(after);
  const [start, end] = differenceOf(before, after);
  const middle = after.slice(start, end);
  const mark = element('mark', middle === '' ? { class: 'gone' } : {}, visible(middle));
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

/** What was measured, as exactly as it can be meant. */
export function rounded(value: number): string {
  return roundedCounts.format(value);
}
