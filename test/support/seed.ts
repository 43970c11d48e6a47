import fc from 'fast-check';
import { randomFrom } from './random.ts';

/** The same cases on every run, so that a red run is a mistake of the change it tests. */
const USUAL_SEED = 20_261_122;

/** URLSUM_SEED=… tries other cases; `npm run test:long` takes a new one each time and prints it. */
export const SEED = Number(process.env['URLSUM_SEED'] ?? USUAL_SEED);

/** URLSUM_TEST_SCALE=… multiplies the number of random cases: 1 finds a mistake within seconds, 10 is a long run. */
export const SCALE = Number(process.env['URLSUM_TEST_SCALE'] ?? 1);
if (!Number.isFinite(SEED) || !(SCALE > 0)) throw new Error('URLSUM_SEED and URLSUM_TEST_SCALE are numbers');

const PROPERTY_RUNS = 100;
console.log(`seed ${SEED}`);
fc.configureGlobal({ seed: SEED, numRuns: cases(PROPERTY_RUNS) });

/** How many random cases to try, where `count` are tried at scale 1. */
export function cases(count: number): number {
  return Math.ceil(count * SCALE);
}

/** Returns what `cases` does; a short run tries half of them, since the other half shows little more. */
export function halvedCases(count: number): number {
  return cases(SCALE > 1 ? count : count / 2);
}

/** Bytes by which a case can be run again. */
export function randomBytes(next: ReturnType<typeof random>, byteLength: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: byteLength }, () => next(256));
}

/** Mutations by the million need no shrinking. */
export function random(seed = SEED): (below: number) => number {
  return randomFrom(seed);
}
