// What the command imports from src/pool: threads of any program, and the ranges of a file that they read.

export { answerEach } from './answers.ts';
export { type Range, RangeReader, rangesOf } from './range.ts';
export { Workers } from './workers.ts';
