import * as assert from 'uvu/assert';
import { SCALE } from './seed.ts';

/** Longer than every limit below which an input takes another way. */
const LENGTH = SCALE >= 10 ? 1 << 18 : 1 << 15;
/** Under a millisecond nothing can be told. */
const LEAST_MICROSECONDS = 1000;
const ATTEMPTS = 30;

/**
 * Fails where four times the input takes eight times the processor time: linear work takes four times, quadratic 16.
 * Compiling and collecting garbage only add to a time, so the least of several attempts counts.
 */
export function mustBeLinear<T>(what: string, input: (length: number) => T, work: (input: T) => unknown): void {
  const [small, large] = [input(LENGTH), input(4 * LENGTH)];
  let rounds = 1;
  while (microseconds(small, work, rounds) < LEAST_MICROSECONDS) rounds *= 2;
  let [least, most] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let attempt = 0; attempt < ATTEMPTS && (attempt < 3 || most >= 8 * least); attempt++) {
    least = Math.min(least, microseconds(small, work, rounds));
    most = Math.min(most, microseconds(large, work, rounds));
  }
  assert.ok(most < 8 * least, `${what}: 4 times the input took ${(most / least).toFixed(1)} times as long`);
}

/** Of this process: what others do does not count. */
function microseconds<T>(input: T, work: (input: T) => unknown, rounds: number): number {
  const start = process.cpuUsage();
  for (let round = 0; round < rounds; round++) work(input);
  const { user, system } = process.cpuUsage(start);
  return user + system;
}
