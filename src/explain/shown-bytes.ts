let decoder: TextDecoder | undefined;

/** Bytes as text; those that are not UTF-8 stand as `\xHH`. */
export function shownBytes(bytes: Uint8Array): string {
  return decoded(bytes) ?? shownInPieces(bytes);
}

function shownInPieces(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes[at]!);
    const piece = length === 0 ? undefined : decoded(bytes.subarray(at, at + length));
    text += piece ?? `\\x${bytes[at]!.toString(16).padStart(2, '0')}`;
    at += piece === undefined ? 1 : length;
  }
  return text;
}

/** Bytes of the UTF-8 sequence that `lead` begins; 0 where it begins none. RFC 3629 section 4 */
function sequenceLength(lead: number): number {
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return (decoder ??= new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })).decode(bytes);
  } catch (error) {
    if (Object(error).name === 'TypeError') return undefined; // not UTF-8
    throw error;
  }
}
