import { hexOfBytes } from '../../../bytes/hex.ts';
import type { HashList } from '../../../safe-browsing/lists/index.ts';
import { StandardOutput } from '../../output/output.ts';
import { falseMatchesText } from '../../select/collisions.ts';
import { openHashList } from '../../select/open-hash-list.ts';
import { tableText } from '../../terminal/explanation.ts';
import { UsageError } from '../../terminal/usage-error.ts';
import { action } from '../command.ts';
import { commandProfile } from '../safe-browsing-flags.ts';

/** `urlsum list info`: the contents of a list. All of it is read and checked. */
export const INFO = action({
  examples: [['bad.list', 'name, version, profile, prefixes and checksum']],
  operands: 'LIST',
  about: [
    'Reads a list, verifies its checksums and its order, and prints what it holds. If LIST is -, it reads standard input.',
  ],
  flags: {},
  async run(_values, operands) {
    if (operands.length !== 1) throw new UsageError('list info needs one list');
    await new StandardOutput().write(Buffer.from(describe(await openHashList(operands[0]!))));
  },
});

function describe(list: HashList): string {
  const sets = list.groups.map(({ width, prefixes }) => ({ size: prefixes.length / width, width }));
  return tableText([
    ['name', list.name],
    ['version', hexOfBytes(list.version, 0, list.version.length)],
    ['profile', commandProfile(list.profile)],
    ...(list.suffixList === undefined ? [] : [['suffix list', list.suffixList] as const]),
    ['prefixes', String(list.size)],
    ['prefix length', list.groups.map(({ width }) => `${width} bytes`).join(', ') || 'none'],
    ['checksum', hexOfBytes(list.checksum, 0, list.checksum.length)],
    ['false matches', `${falseMatchesText(sets)} of expressions`],
  ]);
}
