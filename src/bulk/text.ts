// UTF-8 text as a TextDecoder reads it, a line at a time: a byte order mark is one only at the start of a
// text, and part of its line elsewhere.

export function withoutByteOrderMark(text: Uint8Array): Uint8Array {
  return text[0] === 0xef && text[1] === 0xbb && text[2] === 0xbf ? text.subarray(3) : text;
}

let decoder: TextDecoder | undefined;

/** What is not UTF-8 becomes U+FFFD. */
export function decodeLine(line: Uint8Array): string {
  return (decoder ??= new TextDecoder('utf-8', { ignoreBOM: true })).decode(line);
}
