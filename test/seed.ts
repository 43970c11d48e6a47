import fc from 'fast-check';
import { randomFrom } from '../vectors/generate/random.ts';

/** One seed per run, printed: URLSUM_SEED=… runs the same cases again. */
export const SEED = Number(process.env['URLSUM_SEED'] ?? Date.now() % 2 ** 31);
console.log(`seed ${SEED}`);
fc.configureGlobal({ seed: SEED });

/** Bytes by which a case can be run again. */
export function randomBytes(next: ReturnType<typeof random>, byteLength: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: byteLength }, () => next(256));
}

/** Mutations by the million need no shrinking. */
export function random(seed = SEED): (below: number) => number {
  return randomFrom(seed);
}
