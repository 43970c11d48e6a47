// Names of parameters as options, profiles and site rules have them; docs/parameters.md defines how they are compared.

import { codeAt, PERCENT, toWellFormed } from '../bytes/code-points.ts';
import { TextWriter } from '../bytes/text-writer.ts';
import { escapedByte, percentEncode, RESERVED } from './percent.ts';
import { formDecoded } from './query-variance.ts';

/** Says what a name must and is not; '' of one that can be a name. */
export function nameProblem(name: string): string {
  const star = name.indexOf('*');
  if (name === '' || (star !== -1 && (star === 0 || star < name.length - 1)))
    return "be a name, with '*' only at its end";
  return toWellFormed(name) === name ? '' : 'not hold a lone surrogate';
}

/** Returns each name once, in the order of their code points, which is that of their UTF-8 bytes. */
export function sortedNames(names: string[]): string[] {
  const sorted = names.slice(0).sort((one, other) => compareNames(one, other));
  const once: string[] = [];
  for (let at = 0; at < sorted.length; at++) if (at === 0 || sorted[at] !== sorted[at - 1]) once.push(sorted[at]!);
  return once;
}

/** Compares names by their code points. */
export function compareNames(one: string, other: string): i32 {
  let at = 0;
  while (at < one.length && codeAt(one, at) === codeAt(other, at)) at++;
  return placeOf(codeAt(one, at)) - placeOf(codeAt(other, at));
}

/** Returns the place of a UTF-16 unit among all that a code point may begin with: surrogates come last. */
function placeOf(unit: i32): i32 {
  return (unit & 0xf800) === 0xd800 ? unit + 0x10000 : unit;
}

/** Escapes all but letters, digits, `-._~`, and a final `*`. */
export function escapedName(name: string): string {
  const escaped = percentEncode(name, RESERVED);
  return escaped.endsWith('%2A') ? escaped.slice(0, -3) + '*' : escaped;
}

export function escapedNames(names: string[]): string[] {
  const escaped: string[] = [];
  for (let at = 0; at < names.length; at++) escaped.push(escapedName(names[at]!));
  return escaped;
}

/** Decodes a name; a malformed one becomes '', which is not a name. */
export function unescapedName(text: string): string {
  const name = new TextWriter();
  for (let at = 0; at < text.length; ) {
    let end = at;
    while (escapedByte(text, end) !== -1) end += 3;
    if (end > at) {
      const run = text.slice(at, end);
      const decoded = formDecoded(run);
      // what is not UTF-8 is U+FFFD, too
      if (decoded.split('\ufffd').length !== run.toUpperCase().split('%EF%BF%BD').length) return '';
      name.add(decoded);
      at = end;
    } else if (codeAt(text, at) === PERCENT) return '';
    else name.addUnit(codeAt(text, at++));
  }
  return name.toString();
}
