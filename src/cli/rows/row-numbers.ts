import type { Rows } from './framing.ts';

/** The number in its block, from 0, of each row asked for; rows must be asked for in ascending order. */
export function numbersIn({ skipped }: Rows): (row: number) => number {
  let passed = 0;
  return (row) => {
    while (passed < skipped.length && skipped[passed]! <= row + passed) passed++;
    return row + passed;
  };
}
