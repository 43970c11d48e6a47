import { BACKSLASH, COLON, isAsciiAlpha, NUMBER_SIGN, QUESTION_MARK, SLASH, VERTICAL_BAR } from './code-points.ts';

// https://url.spec.whatwg.org/#windows-drive-letter
export function isDriveLetter(text: string): boolean {
  return text.length === 2 && hasDriveLetterAt(text, 0);
}

// https://url.spec.whatwg.org/#normalized-windows-drive-letter
export function isNormalizedDriveLetter(text: string): boolean {
  return isDriveLetter(text) && text.charCodeAt(1) === COLON;
}

// https://url.spec.whatwg.org/#start-with-a-windows-drive-letter
export function startsWithDriveLetter(text: string, at: number): boolean {
  if (!hasDriveLetterAt(text, at)) return false;
  if (text.length === at + 2) return true;
  const next = text.charCodeAt(at + 2);
  return next === SLASH || next === BACKSLASH || next === QUESTION_MARK || next === NUMBER_SIGN;
}

function hasDriveLetterAt(text: string, at: number): boolean {
  const second = text.charCodeAt(at + 1);
  return isAsciiAlpha(text.charCodeAt(at)) && (second === COLON || second === VERTICAL_BAR);
}
