let encoder: TextEncoder | undefined;

/** Made at first use. */
export function textEncoder(): TextEncoder {
  return (encoder ??= new TextEncoder());
}

/** undefined under jsdom, which has none: strings then go through the parser, whose result is ASCII. */
export function textEncoderIfAny(): TextEncoder | undefined {
  return typeof TextEncoder === 'undefined' ? undefined : textEncoder();
}

let decoder: TextDecoder | undefined;

/** The text of bytes of any length: undefined where it is longer than a string can be. */
export function decodedIfFits(bytes: Uint8Array): string | undefined {
  try {
    return decodeLine(bytes);
  } catch {
    // the only reason for which a decoder that is not fatal throws; each engine has an error of its own
    return undefined;
  }
}

/** What is not UTF-8 becomes U+FFFD. */
export function decodeLine(line: Uint8Array): string {
  return (decoder ??= new TextDecoder('utf-8', { ignoreBOM: true })).decode(line);
}
