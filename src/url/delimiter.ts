// What ends a component of a URL, at a position of the input: https://url.spec.whatwg.org/#url-parsing

import { BACKSLASH, codeAt, NUMBER_SIGN, QUESTION_MARK, SLASH } from '../bytes/code-points.ts';

/** `/`, and `\` where the scheme is special. */
export function isSlash(input: string, at: number, isSpecial: boolean): boolean {
  const code = codeAt(input, at);
  return code === SLASH || (isSpecial && code === BACKSLASH);
}

/** The end of the input, `?` and `#`. */
export function isPathEnd(input: string, at: number): boolean {
  const code = codeAt(input, at);
  return code === -1 || code === QUESTION_MARK || code === NUMBER_SIGN;
}

/** A slash and what ends a path. */
export function isAuthorityEnd(input: string, at: number, isSpecial: boolean): boolean {
  return isSlash(input, at, isSpecial) || isPathEnd(input, at);
}
