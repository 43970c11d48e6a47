import { isBase64Of32Bytes } from './base64.ts';

/** A module: the content it works on and its version, as the two characters of an identifier part. */
export type ModuleName = 'FA' | 'RA' | 'RB';

/** Every one takes a SHA-256: 2 + 43 characters. */
export const CODE_LENGTH = 45;

export function isModule(identifier: string): identifier is ModuleName {
  return identifier === 'FA' || identifier === 'RA' || identifier === 'RB';
}

/** The hash part of a data part: all of it, where it can be one at all. */
export function hashPart(identifier: string, data: string): string | undefined {
  return isModule(identifier) && isBase64Of32Bytes(data) ? data : undefined;
}
