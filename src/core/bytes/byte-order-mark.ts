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
