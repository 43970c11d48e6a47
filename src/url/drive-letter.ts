import {
  BACKSLASH,
  COLON,
  codeAt,
  isAsciiAlpha,
  NUMBER_SIGN,
  QUESTION_MARK,
  SLASH,
  VERTICAL_BAR,
} from '../bytes/code-points.ts';

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
  if (!hasDriveLetterAt(text, at)) return false;
  if (text.length === at + 2) return true;
  const next = codeAt(text, at + 2);
  return next === SLASH || next === BACKSLASH || next === QUESTION_MARK || next === NUMBER_SIGN;
}

function hasDriveLetterAt(text: string, at: number): boolean {
  const second = codeAt(text, at + 1);
  return isAsciiAlpha(codeAt(text, at)) && (second === COLON || second === VERTICAL_BAR);
}
