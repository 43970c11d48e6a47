import fc from 'fast-check';

/** One seed a run, printed: URLSUM_SEED=… runs the same cases again. */
export const SEED = Number(process.env['URLSUM_SEED'] ?? Date.now() % 2 ** 31);
console.log(`seed ${SEED}`);
fc.configureGlobal({ seed: SEED });

/** A generator of 32-bit numbers (mulberry32): mutations by the million need no shrinking. */
export function random(seed = SEED): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
