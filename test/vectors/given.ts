import type { Content, Given } from './vector.ts';

/** The text of a case whose input is not bytes. */
export function textOf({ input, inputParts }: Given): string {
  if (input !== undefined) return input;
  if (inputParts !== undefined) return inputParts.map(([text, count]) => text.repeat(count)).join('');
  throw new TypeError('a case has neither input nor inputParts');
}

export function textOrBytesOf(given: Given): string | Uint8Array {
  return given.inputBase64 === undefined ? textOf(given) : bytesOfBase64(given.inputBase64);
}

export function bytesOfContent({ base64, count = 1 }: Content): Uint8Array {
  const part = bytesOfBase64(base64);
  const bytes = new Uint8Array(part.length * count);
  for (let at = 0; at < bytes.length; at += part.length) bytes.set(part, at);
  return bytes;
}

function bytesOfBase64(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
