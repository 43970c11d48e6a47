import { HashIndexError } from '../../../hash-index/error.ts';
import type { HashIndex } from '../../../hash-index/hash-index.ts';
import { mergedIndex } from '../../../hash-index/merge.ts';
import { writeWholeFile } from '../../output/whole-file.ts';
import { openIndexFile } from '../../select/open-index-file.ts';
import { UsageError } from '../../terminal/usage-error.ts';
import { action } from '../command.ts';
import { mustNotReplace } from '../named-files.ts';
import { mustHaveOut, OUT_FLAG } from './flags.ts';

/** `urlsum index --merge`: the union of indexes. */
export const MERGE = action({
  examples: [['--out all.idx a.idx b.idx', 'every hash of either']],
  operands: 'INDEX…',
  about: ['Writes an index of the hashes of several. They must have one width and one profile.'],
  flags: OUT_FLAG,
  async run(values, operands) {
    if (operands.length === 0) throw new UsageError('index --merge needs an index');
    const path = mustHaveOut(values.out);
    for (const each of operands) mustNotReplace(path, each, `the index ${each}`);
    const sources = operands.map((each) => openIndexFile(each, 0));
    const [first] = sources as [HashIndex];
    for (const [at, source] of sources.entries()) mustAgree(operands[at]!, source, first);
    await writeWholeFile(path, mergedIndex(first, sources));
  },
});

function mustAgree(path: string, { width, profile }: HashIndex, first: HashIndex): void {
  if (width !== first.width)
    throw new HashIndexError(path, 'other-width', `its hashes have ${width} bytes, those of the first ${first.width}`);
  if (profile !== first.profile)
    throw new HashIndexError(path, 'other-profile', `its profile is ${profile}, that of the first ${first.profile}`);
}
