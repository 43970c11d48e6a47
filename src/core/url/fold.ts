import { FOLD_HTTPS, FOLD_INDEX, FOLD_SLASH, FOLD_WWW } from '../../../assembly/layout.ts';

// What the folds of docs/parameters.md do to the parts of a canonical form.

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
