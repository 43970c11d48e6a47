import fc from 'fast-check';
import { randomFrom } from '../vectors/generate/random.ts';

/** One seed a run, printed: URLSUM_SEED=… runs the same cases again. */
export const SEED = Number(process.env['URLSUM_SEED'] ?? Date.now() % 2 ** 31);
console.log(`seed ${SEED}`);
fc.configureGlobal({ seed: SEED });

/** Mutations by the million need no shrinking. */
export function random(seed = SEED): (below: number) => number {
  return randomFrom(seed);
}
