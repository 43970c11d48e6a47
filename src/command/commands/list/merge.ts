import { HashList } from '../../../service/lists/hash-list.ts';
import { usageFault } from '../../fault.ts';
import { editionFor, openHashLists } from '../../work/open-hash-list.ts';
import { writeWholeFile } from '../../write/output.ts';
import { action } from '../command.ts';
import { mustHaveOut } from '../named-files.ts';
import { mustBeNamedFor, NAME_FLAG, OUT_FLAG } from '../safe-browsing-flags.ts';

/** `urlsum list merge`: the union of lists. */
export const MERGE = action({
  examples: [['--out all.list a.list b.list', 'every entry of either']],
  operands: 'LIST…',
  about: [
    'Writes the union of several lists of one profile. Where a prefix begins with a shorter one, the shorter one stays: ' +
      'it finds all that both find. One list may be - for standard input.',
  ],
  flags: { ...OUT_FLAG, ...NAME_FLAG },
  async run({ out, name = '' }, paths) {
    if (paths.length === 0) throw usageFault('list merge needs a list');
    const path = mustHaveOut('list merge', out);
    await writeWholeFile(path, [merged(openHashLists(paths), name).toBytes()]);
  },
});

function merged(lists: readonly HashList[], name: string): HashList {
  const edition = editionFor(lists);
  const groups = lists.flatMap((list) => list.groups);
  mustBeNamedFor(
    name,
    groups.map(({ width }) => width),
  );
  return HashList.from(groups, {
    name,
    profile: lists[0]!.profile,
    ...(edition !== undefined && { suffixList: edition }),
  });
}
