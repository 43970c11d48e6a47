/** A byte a character: how the pages write bytes. */
export function bytesOf(binary: string): Uint8Array {
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
