import { quote } from '../quote.ts';
import { BACKSLASH, COLON, LEFT_BRACE, LEFT_BRACKET, RIGHT_BRACE, RIGHT_BRACKET, SPACE } from './code-points.ts';

const QUOTATION_MARK = 0x22;

/**
 * `JSON.parse` for messages from outside, which refuses an object that has a name twice: JSON.parse keeps the last of
 * the values, other parsers the first, so that two readers of one message would see two messages (RFC 8259, section 4).
 *
 * @throws {SyntaxError} where `text` is not JSON, or a name occurs twice in one object
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  mustHaveDistinctNames(text);
  return value;
}

/** The names of an object: none yet, one, as most objects of a message have, or more. */
type Names = undefined | string | Set<string>;

/** Looks for names alone: `text` is known to be JSON. Names are compared without their escapes. */
function mustHaveDistinctNames(text: string): void {
  /** The names of each object that is open; undefined for an array, too. */
  const open: Names[] = [];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === LEFT_BRACE || code === LEFT_BRACKET) open.push(undefined);
    else if (code === RIGHT_BRACE || code === RIGHT_BRACKET) open.pop();
    else if (code === QUOTATION_MARK) {
      const start = at;
      at = stringEnd(text, start);
      if (!isName(text, at + 1)) continue;
      const written = text.slice(start + 1, at);
      const name = written.includes('\\') ? (JSON.parse(`"${written}"`) as string) : written;
      const names = open.at(-1);
      if (hasName(names, name))
        throw new SyntaxError(`the name ${quoted(name)} occurs twice in one object, again at ${start}`);
      open[open.length - 1] = withName(names, name);
    }
  }
}

function hasName(names: Names, name: string): boolean {
  return names === name || (names instanceof Set && names.has(name));
}

function withName(names: Names, name: string): Names {
  if (names === undefined) return name;
  return typeof names === 'string' ? new Set([names, name]) : names.add(name);
}

/** Returns where the string that begins at `start` has its last quotation mark. */
function stringEnd(text: string, start: number): number {
  let at = text.indexOf('"', start + 1);
  if (text.charCodeAt(at - 1) !== BACKSLASH) return at;
  at = start + 1;
  for (let code = text.charCodeAt(at); code !== QUOTATION_MARK; code = text.charCodeAt(++at))
    if (code === BACKSLASH) at++;
  return at;
}

/** Whether a string that ends at `at` is a name: white space and a colon follow. */
function isName(text: string, at: number): boolean {
  while (text.charCodeAt(at) <= SPACE) at++; // of JSON: no other control character is between two of its tokens
  return text.charCodeAt(at) === COLON;
}

function quoted(name: string): string {
  return quote(name.slice(0, 100));
}
