import { COLON, codeAt, isAsciiAlpha, VERTICAL_BAR } from '../bytes/code-points.ts';
import { isAuthorityEnd } from './delimiter.ts';

// https://url.spec.whatwg.org/#windows-drive-letter
export function isDriveLetter(text: string): boolean {
  return text.length === 2 && hasDriveLetterAt(text, 0);
}

// https://url.spec.whatwg.org/#normalized-windows-drive-letter
export function isNormalizedDriveLetter(text: string): boolean {
  return isDriveLetter(text) && codeAt(text, 1) === COLON;
}

// https://url.spec.whatwg.org/#start-with-a-windows-drive-letter
export function startsWithDriveLetter(text: string, at: number): boolean {
  return hasDriveLetterAt(text, at) && isAuthorityEnd(text, at + 2, true);
}

function hasDriveLetterAt(text: string, at: number): boolean {
  const second = codeAt(text, at + 1);
  return isAsciiAlpha(codeAt(text, at)) && (second === COLON || second === VERTICAL_BAR);
}
