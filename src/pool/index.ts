// The door of src/pool for the command: threads of any program, and the ranges of a file that they read.

export { answerEach } from './answers.ts';
export { type Range, RangeReader, rangesOf } from './range.ts';
export { Workers } from './workers.ts';
