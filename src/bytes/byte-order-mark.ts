/** A byte order mark is one only at the start of a text, and part of its line elsewhere: as a TextDecoder reads UTF-8. */
export function withoutByteOrderMark(text: Uint8Array): Uint8Array {
  return text[0] === 0xef && text[1] === 0xbb && text[2] === 0xbf ? text.subarray(3) : text;
}
