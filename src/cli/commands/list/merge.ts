import { concatBytes } from '../../../bytes/concat.ts';
import { HashList } from '../../../safe-browsing/lists/index.ts';
import { FileError } from '../../input/system-error.ts';
import { writeWholeFile } from '../../output/open-output.ts';
import { editionFor, openHashLists } from '../../select/open-hash-list.ts';
import { UsageError } from '../../terminal/usage-error.ts';
import { action } from '../command.ts';
import { mustHaveOut } from '../named-files.ts';
import { NAME_FLAG, OUT_FLAG } from '../safe-browsing-flags.ts';

/** `urlsum list merge`: the union of lists. */
export const MERGE = action({
  examples: [['--out all.list a.list b.list', 'every entry of either']],
  operands: 'LIST…',
  about: ['Writes the union of several lists of one profile and one prefix length. One may be - for standard input.'],
  flags: { ...OUT_FLAG, ...NAME_FLAG },
  async run({ out, name = '' }, paths) {
    if (paths.length === 0) throw new UsageError('list merge needs a list');
    const path = mustHaveOut('list merge', out);
    await writeWholeFile(path, [merged(paths, await openHashLists(paths), name).toBytes()]);
  },
});

function merged(paths: readonly string[], lists: readonly HashList[], name: string): HashList {
  const edition = editionFor(lists);
  const options = { name, profile: lists[0]!.profile, ...(edition !== undefined && { suffixList: edition }) };
  const groups = lists.flatMap((list, at) => list.groups.map((group) => ({ ...group, path: paths[at]! })));
  const [first] = groups;
  if (first === undefined) return HashList.from(new Uint8Array(0), 4, options);
  for (const { width, path } of groups)
    if (width !== first.width)
      throw new FileError(path, `its prefixes have ${width} bytes; the first list has ${first.width}`);
  return HashList.from(concatBytes(groups.map(({ prefixes }) => prefixes)), first.width, options);
}
