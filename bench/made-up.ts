// Lines that are made up, in the shares of real ones: for those who have no corpus beside the project.

import { KINDS } from '../test/support/kinds.ts';
import { randomFrom } from '../test/support/random.ts';

/** How many of 100,000 lines of the crawl `main` are of each kind; none of its lines is copied. */
const SHARES: readonly (readonly [kind: string, share: number])[] = [
  ['plain', 95_990],
  ['bare host', 2_960],
  ['path beyond ASCII', 583],
  ['space', 240],
  ['upper case', 108],
  ['default port', 60],
  ['one of 400 hosts beyond ASCII', 44],
  ['dot segments', 10],
  ['user', 2],
  ['IPv6', 1],
  ['opaque', 1],
];

/** The seed of the generator, which the titles of results print. */
export const MADE_UP_SEED = 20_261_128;

export function madeUpLines(count: number, seed = MADE_UP_SEED): string[] {
  const next = randomFrom(seed);
  const total = SHARES.reduce((sum, [, share]) => sum + share, 0);
  return Array.from({ length: count }, () => {
    let at = next(total);
    const [kind] = SHARES.find(([, share]) => (at -= share) < 0)!;
    return KINDS[kind]!(next);
  });
}
