import { FOLD_HTTPS, FOLD_INDEX, FOLD_SLASH, FOLD_WWW } from '../../assembly/layout.ts';
import { hasAsciiAt } from '../bytes/ascii.ts';
import { FULL_STOP, SLASH } from '../bytes/code-points.ts';

// What the folds of docs/parameters.md do to the bytes of a canonical form, which are ASCII.

/** The folds, as the profile sorts them. */
export const FOLDS = ['https', 'index', 'slash', 'www'] as const;

/** Addresses of one page that are brought to one: `http` to `https`, without `www`, index files and final slashes. */
export type Fold = (typeof FOLDS)[number];

const BITS: Readonly<Record<Fold, number>> = {
  https: FOLD_HTTPS,
  index: FOLD_INDEX,
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
 * Returns where the host [start, end) begins without its leading `www` labels: those after which at least two labels
 * that are not empty remain, so `www.com` stays.
 */
export function startWithoutWww(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (hasAsciiAt(bytes, at, 'www.') && hasTwoLabels(bytes, at + 4, end)) at += 4;
  return at;
}

function hasTwoLabels(bytes: Uint8Array, start: number, end: number): boolean {
  let count = 0;
  for (let at = start; at < end && count < 2; at++) {
    if (bytes[at] !== FULL_STOP && (at + 1 === end || bytes[at + 1] === FULL_STOP)) count++;
  }
  return count === 2;
}

/**
 * Returns the end of the path [start, end) without final slashes and index files, as far as those are folded; it never
 * comes before `limit`, which is after the path's first slash.
 */
export function foldedPathEnd(bytes: Uint8Array, end: number, limit: number, folds: number): number {
  let to = end;
  for (let before = -1; before !== to; ) {
    before = to;
    while ((folds & FOLD_SLASH) !== 0 && to > limit && bytes[to - 1] === SLASH) to--;
    if ((folds & FOLD_INDEX) !== 0) to = withoutIndexFile(bytes, to, limit);
  }
  return to;
}

function withoutIndexFile(bytes: Uint8Array, end: number, limit: number): number {
  for (const name of INDEX_NAMES) {
    const start = end - name.length;
    if (start >= limit && bytes[start - 1] === SLASH && endsWith(bytes, end, name)) return start;
  }
  return end;
}

/** Compares from the end: file names end more alike than they begin, but most paths in none of these letters. */
function endsWith(bytes: Uint8Array, end: number, name: string): boolean {
  for (let left = 1; left <= name.length; left++) {
    if (bytes[end - left] !== name.charCodeAt(name.length - left)) return false;
  }
  return true;
}
