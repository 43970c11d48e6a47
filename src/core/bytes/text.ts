// Texts and their bytes. Canonical forms are ASCII: each unit of the string is a byte.

/** Copies in a loop: 60 bytes take 60 ns, by encodeInto and its subarray 110 to 160. */
export function writeAscii(bytes: Uint8Array, address: number, text: string): void {
  for (let at = 0; at < text.length; at++) bytes[address + at] = text.charCodeAt(at);
}

export function asciiBytes(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length);
  writeAscii(bytes, 0, text);
  return bytes;
}

export function hasAsciiAt(bytes: Uint8Array, address: number, text: string): boolean {
  for (let at = 0; at < text.length; at++) if (bytes[address + at] !== text.charCodeAt(at)) return false;
  return true;
}

/**
 * Decodes in pieces: a call takes about 100,000 arguments, and fewer in some engines. With spread in place of `apply`,
 * it took five times as long.
 */
export function asciiText(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 4096)
    text += String.fromCharCode.apply(null, bytes.subarray(at, at + 4096) as unknown as number[]);
  return text;
}

let encoder: TextEncoder | undefined;

/** Returns the one TextEncoder, created at first use. */
export function textEncoder(): TextEncoder {
  return (encoder ??= new TextEncoder());
}

/** Returns undefined under jsdom, which has none: strings then go through the parser, whose result is ASCII. */
export function textEncoderIfAny(): TextEncoder | undefined {
  return typeof TextEncoder === 'undefined' ? undefined : textEncoder();
}

let decoder: TextDecoder | undefined;

/** Decodes bytes of any length; undefined if the text is longer than a string can be. */
export function decodedIfFits(bytes: Uint8Array): string | undefined {
  try {
    return decodeLine(bytes);
  } catch {
    // the only reason why a decoder that is not fatal throws; each engine has its own error
    return undefined;
  }
}

/** Decodes UTF-8; invalid bytes become U+FFFD. */
export function decodeLine(line: Uint8Array): string {
  return (decoder ??= new TextDecoder('utf-8', { ignoreBOM: true })).decode(line);
}

const MARK = [0xef, 0xbb, 0xbf];

/**
 * Strips a byte order mark from the start of a text; elsewhere it is part of its line, as a TextDecoder reads UTF-8.
 */
export function withoutByteOrderMark(text: Uint8Array): Uint8Array {
  return MARK.every((byte, at) => text[at] === byte) ? text.subarray(MARK.length) : text;
}

/** Whether a text is the beginning of a byte order mark, and more bytes may make it one. */
export function mayBecomeMark(text: Uint8Array): boolean {
  return text.length < MARK.length && text.every((byte, at) => byte === MARK[at]);
}

/**
 * Characters that a terminal obeys instead of showing them: control characters (C0 except the tab, DEL, C1), line and
 * paragraph separators, and the marks that change the direction of writing.
 */
const CONTROLS = /[\0-\x08\x0a-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Escapes those characters, so that a name or a line cannot pose as another message. */
export function visible(text: string): string {
  return text.replace(CONTROLS, escapeOf);
}

function escapeOf(character: string): string {
  if (character === '\n') return '\\n';
  if (character === '\r') return '\\r';
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
