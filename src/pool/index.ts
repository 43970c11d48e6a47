// What the command imports from src/pool: threads of any program, and the ranges of a file that they read.

export { type Range, RangeReader, rangesOf } from './range.ts';
export { answerEach, Workers } from './workers.ts';
