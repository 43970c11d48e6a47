// What the folds of docs/parameters.md do to the parts of a canonical form.

import { FOLD_EMPTY_QUERY, FOLD_ESCAPES, FOLD_INDEX, FOLD_SESSION, FOLD_SLASH } from '../../../assembly/layout.ts';
import { codeAt, FULL_STOP, hexDigitValue, PERCENT, SLASH } from '../bytes/code-points.ts';
import { TextWriter } from '../bytes/text-writer.ts';
import { resolveSegments } from './path.ts';
import { escapedByte, escapeOf, isMember, RESERVED } from './percent.ts';

/** The names of the folds, in the order of their bits (assembly/layout.ts). */
export const FOLD_NAMES: string[] = ['empty-query', 'escapes', 'https', 'index', 'session', 'slash', 'www'];

/** The folds that no line of site rules may ask for: they change the bytes by which a line is selected. */
export const RUN_FOLDS: i32 = FOLD_ESCAPES | FOLD_SESSION;
/** The folds that change which parameters count: not together with another definition of these. */
export const PARAMETER_FOLDS: i32 = FOLD_EMPTY_QUERY | FOLD_SESSION;

/**
 * The list `index-2026`: what servers send for a folder when they are not configured otherwise; docs/parameters.md has
 * the source of each. It never changes: URLs hashed with it would get other hashes.
 */
export const INDEX_NAMES: string[] = [
  'index.html',
  'index.htm',
  'index.php',
  'index.cgi',
  'index.pl',
  'index.xhtml',
  'index.jsp',
  'default.htm',
  'default.asp',
  'default.aspx',
  'Default.htm',
  'Default.asp',
  'Default.aspx',
];

/**
 * The list `session-2026`: names of parameters that hold a session, in any ASCII case; a final `*` stands for any end.
 * docs/parameters.md has the source of each. It never changes.
 */
export const SESSION_NAMES: string[] = ['jsessionid', 'phpsessid', 'aspsessionid*', 'cfid', 'cftoken'];

/** Returns where the path of an http or https URL begins; -1 for another one. */
export function pathStart(url: string): i32 {
  const host = url.startsWith('http://') ? 7 : url.startsWith('https://') ? 8 : -1;
  if (host === -1) return -1;
  const slash = url.indexOf('/', host);
  return slash === -1 ? url.length : slash;
}

/**
 * Returns the path, query and fragment of a page with the digits of escapes in upper case, and unreserved characters
 * unescaped: not where such a character would make an escape with a `%` before it that begins none.
 *
 * @see https://www.rfc-editor.org/rfc/rfc3986#section-6.2.2
 */
export function foldedEscapes(text: string, start: i32): string {
  let at = nextFoldedEscape(text, start);
  if (at === -1) return text;
  const folded = new TextWriter();
  // the two units before, in the text that is written
  let before = -1;
  let last = -1;
  let copied = 0;
  for (; at !== -1; at = nextFoldedEscape(text, copied)) {
    folded.addSlice(text, copied, at);
    if (at - copied > 1) before = codeAt(text, at - 2);
    else if (at - copied === 1) before = last;
    if (at > copied) last = codeAt(text, at - 1);
    copied = at + 3;
    const byte = escapedByte(text, at);
    if (isMember(byte, RESERVED) || completesEscape(before, last, byte, codeAt(text, copied))) {
      const escape = escapeOf(byte);
      folded.add(escape);
      before = escape.charCodeAt(1);
      last = escape.charCodeAt(2);
    } else {
      folded.addUnit(byte);
      before = last;
      last = byte;
    }
  }
  folded.addSlice(text, copied, text.length);
  return folded.toString();
}

/** Returns where an escape is from `start` on that has a digit in lower case or spells an unreserved character, or -1. */
function nextFoldedEscape(text: string, start: i32): i32 {
  for (let at = text.indexOf('%', start); at !== -1; at = text.indexOf('%', at + 1)) {
    const byte = escapedByte(text, at);
    if (byte === -1) continue;
    if (!isMember(byte, RESERVED) || codeAt(text, at + 1) > 0x60 || codeAt(text, at + 2) > 0x60) return at;
  }
  return -1;
}

/** Whether `digit`, if it is one, makes an escape with a `%` among the two units before it, which begins none. */
function completesEscape(before: i32, last: i32, digit: i32, after: i32): bool {
  if (hexDigitValue(digit) === -1) return false;
  if (before === PERCENT && hexDigitValue(last) !== -1) return true;
  return last === PERCENT && hexDigitValue(after) !== -1;
}

/** Returns a path without the parameters that hold sessions, and without the dot segments that it then has. */
export function withoutSessions(path: string): string {
  const left = new TextWriter();
  let copied = 0;
  for (let at = path.indexOf(';'); at !== -1; at = path.indexOf(';', at)) {
    const end = parameterEnd(path, at + 1);
    if (isSession(path, at + 1, end)) {
      left.addSlice(path, copied, at);
      copied = end;
    }
    at = end;
  }
  if (copied === 0) return path;
  left.addSlice(path, copied, path.length);
  return resolveSegments(left.toString().slice(1), 'http', '');
}

/** Returns where a parameter of a path ends: at a `;`, a `/`, or the end. */
function parameterEnd(path: string, start: i32): i32 {
  let at = start;
  while (at < path.length && path.charCodeAt(at) !== 0x3b && path.charCodeAt(at) !== SLASH) at++;
  return at;
}

/** Whether the parameter [start, end) has a name of the list. */
function isSession(path: string, start: i32, end: i32): bool {
  let nameEnd = start;
  while (nameEnd < end && path.charCodeAt(nameEnd) !== 0x3d) nameEnd++;
  for (let index = 0; index < SESSION_NAMES.length; index++)
    if (isListed(path, start, nameEnd, SESSION_NAMES[index]!)) return true;
  return false;
}

/** Whether [start, end) is a name of a list, or begins with a prefix, in any ASCII case. */
function isListed(path: string, start: i32, end: i32, listed: string): bool {
  const isPrefix = listed.endsWith('*');
  const length = isPrefix ? listed.length - 1 : listed.length;
  if (end - start < length || (!isPrefix && end - start > length)) return false;
  let at = 0;
  while (at < length && (path.charCodeAt(start + at) | 0x20) === listed.charCodeAt(at)) at++;
  return at === length;
}

/**
 * Returns a host without its leading `www` labels: those after which at least two labels that are not empty remain, so
 * `www.com` stays.
 */
export function withoutWww(host: string): string {
  if (!host.startsWith('www.')) return host;
  let start = 0;
  while (host.startsWith('www.', start) && hasTwoLabels(host, start + 4)) start += 4;
  return host.slice(start);
}

/** Whether two labels that are not empty follow, with dots before the first and between them. */
function hasTwoLabels(host: string, start: i32): bool {
  let at = start;
  while (codeAt(host, at) === FULL_STOP) at++;
  const label = at;
  while (at < host.length && codeAt(host, at) !== FULL_STOP) at++;
  if (at === label || at === host.length) return false;
  while (codeAt(host, at) === FULL_STOP) at++;
  return at < host.length;
}

/**
 * Returns a path without final slashes and index files, as far as those are folded. It becomes no shorter than `limit`,
 * which is 1 or more: its first slash stays.
 */
export function foldedPath(path: string, folds: i32, limit: i32): string {
  let end = path.length;
  for (let before = -1; before !== end; ) {
    before = end;
    if ((folds & FOLD_SLASH) !== 0) while (end > limit && codeAt(path, end - 1) === SLASH) end--;
    if ((folds & FOLD_INDEX) !== 0) end = withoutIndexFile(path, end, limit);
  }
  return end === path.length ? path : path.slice(0, end);
}

function withoutIndexFile(path: string, end: i32, limit: i32): i32 {
  const start = path.lastIndexOf('/', end - 1) + 1;
  return start >= limit && INDEX_NAMES.indexOf(path.slice(start, end)) !== -1 ? start : end;
}

/** Whether a fragment of a page, from its `#` on, names a page of an application: `#!`, `#/` and `#!/` name none. */
export function isRoute(url: string, start: i32): bool {
  const first = codeAt(url, start + 1);
  const left = url.length - (start + 2);
  if (first === SLASH) return left > 0 && isPage(url);
  return first === 0x21 && left > (codeAt(url, start + 2) === SLASH ? 1 : 0) && isPage(url);
}

export function isPage(url: string): bool {
  return url.startsWith('http:') || url.startsWith('https:');
}
