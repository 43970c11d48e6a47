import * as assert from 'uvu/assert';
import { SCALE } from './seed.ts';

/** Longer than every limit below which an input takes another way. */
const LENGTH = SCALE >= 10 ? 1 << 18 : 1 << 15;
/** Under this nothing can be told. */
const LEAST_MICROSECONDS = 100;
const ATTEMPTS = 30;
const LINEAR_ATTEMPTS = 5;
const LIMIT = 10;
/** So far from the limit that no further attempt is needed. */
const CLEAR = 6;

/**
 * Fails where four times the input takes over ten times the processor time: linear work takes four times, quadratic 16.
 * Compiling and collecting garbage only add to a time, so the least of five attempts counts; the edge of a cache, or of V8's room for small objects, adds to the time of one length, so a
 * ratio that is too large is measured at others. Returns how many times as long it took.
 */
export function mustBeLinear<T>(
  what: string,
  input: (length: number) => T,
  work: (input: T) => unknown,
  firstLength = LENGTH,
): number {
  const ratios: number[] = [];
  for (const length of [firstLength, firstLength / 2, 2 * firstLength]) {
    const found = ratio(input(length), input(4 * length), work);
    if (found <= LIMIT) return found;
    ratios.push(found);
  }
  const times = ratios.map((each) => each.toFixed(1)).join(', ');
  throw new Error(`${what}: 4 times the input took ${times} times as long`);
}

function ratio<T>(small: T, large: T, work: (input: T) => unknown): number {
  let rounds = 1;
  while (microseconds(small, work, rounds) < LEAST_MICROSECONDS) rounds *= 2;
  let [least, most] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let attempt = 0; attempt < LINEAR_ATTEMPTS; attempt++) {
    least = Math.min(least, microseconds(small, work, rounds));
    most = Math.min(most, microseconds(large, work, rounds));
    if (most <= CLEAR * least) break;
  }
  return most / least;
}

/** Measures this process: what others do does not count. */
function microseconds<T>(input: T, work: (input: T) => unknown, rounds: number): number {
  const start = process.cpuUsage();
  for (let round = 0; round < rounds; round++) work(input);
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

/** Fails where `work` takes more than `factor` times the processor time of `reference`, which reads the same input. */
export function mustTakeAtMost<T>(
  factor: number,
  what: string,
  input: T,
  work: (input: T) => unknown,
  reference: (input: T) => unknown,
): void {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let attempt = 0; attempt < ATTEMPTS && (attempt < 3 || most > factor * least); attempt++) {
    least = Math.min(least, microseconds(input, reference, 1));
    most = Math.min(most, microseconds(input, work, 1));
  }
  if (most > factor * least) assert.unreachable(`${what}: ${(most / least).toFixed(1)} times as long as the other way`);
}
