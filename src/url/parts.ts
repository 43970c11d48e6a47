import { BACKSLASH, codeAt, NUMBER_SIGN, QUESTION_MARK, SLASH, SPACE } from '../bytes/code-points.ts';
import { authorityEnd, portColon } from './authority.ts';
import { isDriveLetter } from './drive-letter.ts';
import { withoutC0ControlsAround, withoutTabsAndNewlines } from './parser.ts';
import { isSpecialScheme, schemeEnd, schemeOf } from './scheme.ts';

export type PartName = 'scheme' | 'slashes' | 'username' | 'password' | 'host' | 'port' | 'path' | 'query' | 'fragment';

/** A part of a URL as it was given, its delimiters left out. */
export interface Part {
  readonly name: PartName;
  /** Without the tabs and newlines that the parser removes. */
  readonly text: string;
  /** UTF-16 units of the input, [start, end). */
  readonly start: number;
  readonly end: number;
}

/** Adds the part at [start, end) of what the parser reads. */
type Add = (name: PartName, start: number, end: number) => void;

/** Where an absolute URL has its parts, in order, whether or not each is valid; none where there is no scheme. */
export function partsOf(text: string): Part[] {
  const input = withoutTabsAndNewlines(withoutC0ControlsAround(text));
  const colon = schemeEnd(input);
  if (colon === -1) return [];
  const positions = keptPositions(text);
  const parts: Part[] = [];
  const add: Add = (name, start, end) => {
    const first = positions[start]!;
    parts.push({
      name,
      text: input.slice(start, end),
      start: first,
      end: end > start ? positions[end - 1]! + 1 : first,
    });
  };
  add('scheme', 0, colon);
  addTail(input, addBeforePath(input, colon + 1, schemeOf(input, colon), add), add);
  return parts;
}

/** Where in `text` lies each unit that the parser reads, and the end behind them. */
function keptPositions(text: string): number[] {
  const positions: number[] = [];
  let end = text.length;
  while (end > 0 && codeAt(text, end - 1) <= SPACE) end--;
  for (let at = 0; at < end; at++) {
    const code = codeAt(text, at);
    const isKept = positions.length === 0 ? code > SPACE : code !== 0x09 && code !== 0x0a && code !== 0x0d;
    if (isKept) positions.push(at);
  }
  positions.push(end);
  return positions;
}

/** Adds slashes and authority, where there are any, and gives where the path begins. */
function addBeforePath(input: string, start: number, scheme: string, add: Add): number {
  const isSpecial = isSpecialScheme(scheme);
  const authority = slashesEnd(input, start, scheme, isSpecial);
  if (authority === start && (!isSpecial || scheme === 'file')) return start;
  add('slashes', start, authority);
  const end = authorityEnd(input, authority, isSpecial);
  if (scheme !== 'file') addAuthority(input, authority, end, add);
  else if (isDriveLetter(input.slice(authority, end))) return authority;
  else add('host', authority, end);
  return end;
}

/** Any number of slashes opens a special authority, two any other. */
function slashesEnd(input: string, start: number, scheme: string, isSpecial: boolean): number {
  let end = start;
  while (codeAt(input, end) === SLASH || (isSpecial && codeAt(input, end) === BACKSLASH)) end++;
  if (isSpecial && scheme !== 'file') return end;
  return end - start < 2 ? start : start + 2;
}

function addAuthority(input: string, start: number, end: number, add: Add): void {
  const sign = input.slice(start, end).lastIndexOf('@');
  if (sign !== -1) addCredentials(input, start, start + sign, add);
  const host = start + sign + 1;
  const colon = portColon(input.slice(host, end));
  add('host', host, colon === -1 ? end : host + colon);
  if (colon !== -1) add('port', host + colon + 1, end);
}

function addCredentials(input: string, start: number, end: number, add: Add): void {
  const colon = input.slice(start, end).indexOf(':');
  add('username', start, colon === -1 ? end : start + colon);
  if (colon !== -1) add('password', start + colon + 1, end);
}

function addTail(input: string, start: number, add: Add): void {
  const hash = input.indexOf('#', start);
  const queryEnd = hash === -1 ? input.length : hash;
  let pathEnd = start;
  while (pathEnd < queryEnd && codeAt(input, pathEnd) !== QUESTION_MARK && codeAt(input, pathEnd) !== NUMBER_SIGN)
    pathEnd++;
  add('path', start, pathEnd);
  if (pathEnd < queryEnd) add('query', pathEnd + 1, queryEnd);
  if (hash !== -1) add('fragment', hash + 1, input.length);
}
