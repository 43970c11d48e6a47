// Names of parameters, as src/core/url/parameter-names.ts has them.

import { decodeUtf8, isAsciiAlpha, isAsciiDigit } from '../../src/core/bytes/code-points';
import { TextWriter } from '../../src/core/bytes/text-writer';
import { C0_CONTROL, escapedByte, escapeOf, percentEncode } from '../../src/core/url/percent';

/** Decodes a name; a malformed one becomes '', which is not a name. */
export function unescapedName(text: string): string {
  const name = new TextWriter();
  for (let at = 0; at < text.length; ++at) {
    if (text.charCodeAt(at) != 0x25) {
      name.addUnit(text.charCodeAt(at));
      continue;
    }
    const start = at;
    while (escapedByte(text, at) != -1) at += 3;
    const bytes = new Uint8Array((at - start) / 3);
    for (let index = 0; index < bytes.length; ++index) bytes[index] = <u8>escapedByte(text, start + 3 * index);
    const run = decodeUtf8(bytes);
    const encoded = Uint8Array.wrap(String.UTF8.encode(run));
    if (bytes.length == 0 || compareBytes(bytes, encoded) != 0) return '';
    name.add(run);
    --at;
  }
  return name.toString();
}

/** Escapes all but letters, digits, `-._~`, and a final `*`. */
export function escapedName(name: string): string {
  const escaped = new TextWriter();
  for (let at = 0; at < name.length; ++at) {
    const start = at, code = name.charCodeAt(at);
    if (code > 0x7f) {
      while (at + 1 < name.length && name.charCodeAt(at + 1) > 0x7f) ++at;
      escaped.add(percentEncode(name.slice(start, at + 1), C0_CONTROL));
    } else if (isUnreserved(code) || (code == 0x2a && at == name.length - 1)) escaped.addUnit(code);
    else escaped.add(escapeOf(code));
  }
  return escaped.toString();
}

function isUnreserved(code: i32): bool {
  return isAsciiAlpha(code) || isAsciiDigit(code) || code == 0x2d || code == 0x2e || code == 0x5f || code == 0x7e;
}

/** Whether a text is a name, with a `*` only at its end. */
export function isName(text: string): bool {
  const star = text.indexOf('*');
  return text.length > 0 && (star == -1 || (star == text.length - 1 && star > 0));
}

/** Returns each name once, in the order of their UTF-8 bytes. */
export function sortedNames(names: string[]): string[] {
  const sorted = names.slice(0).sort(compareNames);
  const once: string[] = [];
  for (let index = 0; index < sorted.length; ++index)
    if (index == 0 || sorted[index] != sorted[index - 1]) once.push(sorted[index]);
  return once;
}

export function escapedNames(names: string[]): string[] {
  const escaped: string[] = [];
  for (let index = 0; index < names.length; ++index) escaped.push(escapedName(names[index]));
  return escaped;
}

export function compareNames(one: string, other: string): i32 {
  return compareBytes(Uint8Array.wrap(String.UTF8.encode(one)), Uint8Array.wrap(String.UTF8.encode(other)));
}

function compareBytes(one: Uint8Array, other: Uint8Array): i32 {
  const length = min(one.length, other.length);
  for (let at = 0; at < length; ++at) if (one[at] != other[at]) return <i32>one[at] - <i32>other[at];
  return one.length - other.length;
}
