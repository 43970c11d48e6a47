import { StandardOutput } from '../../output/output.ts';
import { openIndexFile } from '../../select/open-index-file.ts';
import { UsageError } from '../../terminal/usage-error.ts';
import { action } from '../command.ts';
import { describe } from './flags.ts';

/** `urlsum index --info`: what an index holds. Every page is read and checked. */
export const INFO = action({
  examples: [['seen.idx', 'rows, width and profile']],
  operands: 'INDEX',
  about: ['Reads a whole index, checks every page and its order, and prints what it holds.'],
  flags: {},
  async run(_values, operands) {
    if (operands.length !== 1) throw new UsageError('index --info needs one index');
    const index = openIndexFile(operands[0]!, 0);
    index.mustBeIntact();
    await new StandardOutput().write(Buffer.from(describe(index)));
    index.close();
  },
});
