// UTS #46 for the URL Standard (https://url.spec.whatwg.org/#concept-domain-to-ascii with beStrict false): CheckBidi
// and CheckJoiners are true, all else is false.

import { decode, encode } from 'punycode';
import { isAsciiString } from '../bytes/code-points.ts';
import { isRightToLeft, isValidLabel } from './label-validity.ts';
import { toNfc } from './nfc.ts';
import { mappingOf } from './unicode.ts';

/** https://www.unicode.org/reports/tr46/#ToASCII; undefined where that fails */
export function toAscii(domain: string): string | undefined {
  const labels = processed(domain);
  if (!areValid(labels)) return undefined;
  try {
    return labels.map(({ text }) => aceLabel(text)).join('.');
  } catch {
    return undefined; // Punycode overflows
  }
}

/** For people to read, valid or not. https://www.unicode.org/reports/tr46/#ToUnicode */
export function toUnicode(domain: string): string {
  return processed(domain)
    .map(({ text }) => text)
    .join('.');
}

/** A label as DNS has it: in Punycode after `xn--`, unless it is ASCII. */
export function aceLabel(label: string): string {
  return isAsciiString(label) ? label : `xn--${encode(label)}`;
}

interface Label {
  /** As it is written in Unicode; what cannot be decoded is left as it is. */
  readonly text: string;
  readonly isDecodable: boolean;
}

// https://www.unicode.org/reports/tr46/#Processing, but for the validity of the labels
function processed(domain: string): readonly Label[] {
  return toNfc(mapped(domain)).split('.').map(decodedLabel);
}

function mapped(domain: string): string {
  let text = '';
  for (const character of domain) text += mappingOf(character.codePointAt(0)!);
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

function areValid(labels: readonly Label[]): boolean {
  const isBidiDomain = labels.some(({ text }) => isRightToLeft(text));
  return labels.every(({ text, isDecodable }) => isDecodable && isValidLabel(text, isBidiDomain));
}
