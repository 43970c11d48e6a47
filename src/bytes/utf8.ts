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

/** What is not UTF-8 becomes U+FFFD. */
export function decodeLine(line: Uint8Array): string {
  return (decoder ??= new TextDecoder('utf-8', { ignoreBOM: true })).decode(line);
}
