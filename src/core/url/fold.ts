import {
  FOLD_EMPTY_QUERY,
  FOLD_ESCAPES,
  FOLD_HTTPS,
  FOLD_INDEX,
  FOLD_SESSION,
  FOLD_SLASH,
  FOLD_WWW,
} from '../../../assembly/layout.ts';
import { resolveSegments } from './path.ts';

// What the folds of docs/parameters.md do to the parts of a canonical form.

/** The folds, as the profile sorts them. */
export const FOLDS = ['empty-query', 'escapes', 'https', 'index', 'session', 'slash', 'www'] as const;

/**
 * Addresses of one page that are brought to one: without an empty query, escapes as RFC 3986 has them, `http` as `https`,
 * without index files, sessions, final slashes and `www`.
 */
export type Fold = (typeof FOLDS)[number];

/** Folds of parameters: not together with another definition of these. */
export const PARAMETER_FOLDS: readonly Fold[] = ['empty-query', 'session'];

/** Folds of a run alone: they change the bytes by which a line of site rules is selected. */
export const RUN_FOLDS: readonly Fold[] = ['escapes', 'session'];

const BITS: Readonly<Record<Fold, number>> = {
  'empty-query': FOLD_EMPTY_QUERY,
  escapes: FOLD_ESCAPES,
  https: FOLD_HTTPS,
  index: FOLD_INDEX,
  session: FOLD_SESSION,
  slash: FOLD_SLASH,
  www: FOLD_WWW,
};

/** Returns a bit for each fold, as the kernel has them. */
export function foldBits(folds: readonly Fold[]): number {
  return folds.reduce((bits, fold) => bits | BITS[fold], 0);
}

/**
 * The list `index-2026`: what servers send for a folder when they are not configured otherwise; docs/parameters.md has
 * the source of each. It never changes: URLs hashed with it would get other hashes.
 */
export const INDEX_NAMES: readonly string[] = (
  'index.html index.htm index.php index.cgi index.pl index.xhtml index.jsp ' +
  'default.htm default.asp default.aspx Default.htm Default.asp Default.aspx'
).split(' ');

/**
 * The list `session-2026`: names of parameters that hold a session, in any ASCII case; a final `*` stands for any end.
 * docs/parameters.md has the source of each. It never changes.
 */
export const SESSION_NAMES: readonly string[] = ['jsessionid', 'phpsessid', 'aspsessionid*', 'cfid', 'cftoken'];

/**
 * Returns the path, query and fragment of a page with the digits of escapes in upper case, and unreserved characters
 * unescaped: not where such a character would make an escape with a `%` before it that begins none.
 *
 * @see https://www.rfc-editor.org/rfc/rfc3986#section-6.2.2
 */
export function foldedEscapes(text: string): string {
  let folded = '';
  let copied = 0;
  for (const { 0: escape, index } of text.matchAll(/%[\da-f]{2}/gi)) {
    folded += text.slice(copied, index);
    copied = index + escape.length;
    const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    const stays = !/[-.\w~]/.test(character) || completesEscape(folded, character, text[copied]);
    folded += stays ? escape.toUpperCase() : character;
  }
  return folded + text.slice(copied);
}

/** Whether `digit`, if it is one, makes an escape with a `%` at the end of `before`, which begins none. */
function completesEscape(before: string, digit: string, after = ''): boolean {
  return [before.slice(-2) + digit, before.slice(-1) + digit + after].some((text) => /^%[\da-f]{2}/i.test(text));
}

/** The same names where a parameter of a path begins. */
const SESSION = /;(?:(?:jsessionid|phpsessid|cfid|cftoken)(?![^=;/])|aspsessionid)[^;/]*/gi;

/** Returns a path without the parameters that hold sessions, and without the dot segments that it then has. */
export function withoutSessions(path: string): string {
  const left = path.replace(SESSION, '');
  return left === path ? path : resolveSegments(left.slice(1), 'http', '');
}

/**
 * Returns a host without its leading `www` labels: those after which at least two labels that are not empty remain, so
 * `www.com` stays.
 */
export function withoutWww(host: string): string {
  let name = host;
  while (WWW.test(name)) name = name.slice('www.'.length);
  return name;
}

const WWW = /^www\.\.*[^.]+\.+[^.]/;

/**
 * Returns a path without final slashes and index files, as far as those are folded. It becomes no shorter than `limit`,
 * which is 1 or more: its first slash stays.
 */
export function foldedPath(path: string, folds: readonly Fold[], limit: number): string {
  let end = path.length;
  for (let before = -1; before !== end; ) {
    before = end;
    if (folds.includes('slash')) while (end > limit && path[end - 1] === '/') end--;
    if (folds.includes('index')) end = withoutIndexFile(path, end, limit);
  }
  return path.slice(0, end);
}

function withoutIndexFile(path: string, end: number, limit: number): number {
  const start = path.lastIndexOf('/', end - 1) + 1;
  return start >= limit && INDEX_NAMES.includes(path.slice(start, end)) ? start : end;
}
