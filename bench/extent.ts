import { LINE_KIND } from './corpus.ts';

/** --smoke: a few lines and one round, to see that a benchmark runs. */
export const isSmoke = process.argv.includes('--smoke');
/** --publish: the results go to bench/results/, which the documents show. */
export const isPublished = process.argv.includes('--publish');
if (isPublished && LINE_KIND !== 'real')
  throw new Error('only results on real URLs are published, and ../shared/data/corpus is not beside the project');

export const LINE_COUNT = isSmoke ? 2000 : 200_000;
export const ROUNDS = isSmoke ? 1 : 9;
