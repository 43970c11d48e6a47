// Punycode (https://www.rfc-editor.org/rfc/rfc3492) with null for a failure: the package throws where a text is not
// Punycode or a number overflows, and WebAssembly cannot catch. assembly/module/lib/punycode.ts, which stands for the
// package there, returns null.

import { decode, encode } from 'punycode';
import { isAsciiString } from '../bytes/code-points.ts';

/** Returns a label as DNS has it: in Punycode after `xn--`, unless it is ASCII; null where Punycode overflows. */
export function asciiLabel(label: string): string | null {
  if (isAsciiString(label)) return label;
  const encoded = ASC_TARGET === 0 ? encodeByPackage(label) : encode(label);
  return encoded === null ? null : `xn--${encoded}`;
}

/** Decodes what follows the `xn--` of a label; returns null for a text that is not Punycode. */
export function decodePunycode(text: string): string | null {
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
