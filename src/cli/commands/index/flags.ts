import type { HashIndex } from '../../../hash-index/hash-index.ts';
import { expectedFalseMatches } from '../../select/collisions.ts';
import { group, text } from '../../terminal/flag.ts';
import { UsageError } from '../../terminal/usage-error.ts';

export const OUT_FLAG = group('Output', {
  out: text('FILE', 'the index: it appears when it is whole, and not at all if the run fails', {
    short: 'o',
    isPath: true,
  }),
});

export function mustHaveOut(out: string | undefined): string {
  if (out !== undefined) return out;
  throw new UsageError('index needs --out FILE');
}

/** Of hashes that were not seen: what --info counts false matches in. */
const LOOKUP_COUNT = 1e9;

/** What is in an index, all of whose pages have been checked. */
export function describe(index: HashIndex): string {
  const rows = [
    ['hashes', String(index.size)],
    ['width', `${index.width} bytes`],
    ['profile', index.profile],
    ['checksums', `of ${index.pageCount} pages, all right`],
    ['false matches', `${expectedFalseMatches(index, LOOKUP_COUNT).toPrecision(3)} expected in 10^9 look-ups`],
  ];
  return rows.map(([name, value]) => `${name!.padEnd(15)}${value}\n`).join('');
}
