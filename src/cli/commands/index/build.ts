import { dirname } from 'node:path';
import { IndexBuilder } from '../../../hash-index/index-builder.ts';
import type { Width } from '../../../kernel/kernel.ts';
import { openKernel } from '../../../kernel/open.ts';
import { IndexPages } from '../../format/index-pages.ts';
import { expectedCollisions } from '../../select/collisions.ts';
import { HASHES_TRANSFER, HashStage } from '../../stage/hashes.ts';
import { choice, group, parsed } from '../../terminal/flag.ts';
import { lineCommand } from '../command.ts';
import { COMPLAINT_FLAGS, linePlan, ROW_FLAGS, RUN_FLAGS } from '../line-flags.ts';
import { byteLengthOf, DEFAULT_MEMORY_BYTES } from '../memory.ts';
import { mustFitIndex, URL_FLAGS, urlReading } from '../url-flags.ts';
import { mustHaveOut, OUT_FLAG } from './flags.ts';

const FLAGS = {
  ...OUT_FLAG,
  ...group('Output', {
    width: choice('BYTES', { 8: '', 16: '', 32: '' }, '8', 'bytes of each SHA-256 to keep: 8 (default), 16 or 32'),
    memory: parsed('SIZE', 'memory for hashes, as 64M or 2G; default 256M', DEFAULT_MEMORY_BYTES, byteLengthOf),
  }),
  ...URL_FLAGS,
  ...ROW_FLAGS,
  ...COMPLAINT_FLAGS,
  ...group('Run', { stats: RUN_FLAGS.stats, kernel: RUN_FLAGS.kernel, jobs: RUN_FLAGS.jobs }),
};

/** `urlsum index`: the distinct hashes of all lines, sorted, in a file. */
export const INDEX = lineCommand({
  examples: [
    ['--out seen.idx crawl-1.txt.gz crawl-2.txt.gz', 'what two crawls have seen'],
    ['--out seen.idx --json url crawl.jsonl', 'URLs from JSON lines'],
    ['--merge --out all.idx a.idx b.idx', 'the union of several indexes'],
    ['--info seen.idx', 'what an index holds; checks all of it'],
  ],
  operands: '[FILE…]',
  about: [
    'Writes an index of the hashes of all lines, each once: sorted pages with a checksum each, to look hashes up ' +
      'with urlsum --against. Memory is bounded; what does not fit is sorted in files beside the index, which have ' +
      'no name and vanish with the run.',
  ],
  flags: FLAGS,
  async plan(values, operands) {
    const lines = await linePlan({ ...values, out: mustHaveOut(values.out) }, operands);
    const width = Number(values.width) as Width;
    const reading = urlReading(values);
    mustFitIndex(reading);
    return {
      ...lines,
      onError: 'skip',
      stage: new HashStage({ kernel: openKernel(), width, ...reading }, 'skip'),
      openFormat: () =>
        new IndexPages(
          new IndexBuilder({
            width,
            profile: reading.profile,
            memoryBytes: values.memory,
            folder: dirname(mustHaveOut(values.out)),
          }),
        ),
      transfer: HASHES_TRANSFER,
      facts: (count) => ({ profile: reading.profile, width, expectedCollisions: expectedCollisions(count, width) }),
    };
  },
});
