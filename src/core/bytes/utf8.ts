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
