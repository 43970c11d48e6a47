import { hexOfBytes } from '../../../core/bytes/hex.ts';
import { type HeldList, heldList } from '../../../service/check/local-lists.ts';
import { HashList } from '../../../service/lists/hash-list.ts';
import { tableText } from '../../arguments/diagnostics.ts';
import { toggle } from '../../arguments/flag.ts';
import { tried, usageFault } from '../../fault.ts';
import { wholeInput } from '../../read/inputs.ts';
import { falseMatchesText } from '../../work/against.ts';
import { editionFor, listIn, openHashLists } from '../../work/open-hash-list.ts';
import { print, writeWholeFile } from '../../write/output.ts';
import { action } from '../command.ts';
import { mustHaveOut } from '../named-files.ts';
import { commandProfile, mustBeNamedFor, NAME_FLAG, OUT_FLAG } from '../safe-browsing-flags.ts';

/** A list, and its times if a checker keeps it. */
type Described = { readonly list: HashList } & Partial<HeldList>;

/** `urlsum list info`: the contents of a list. All of it is read and checked. */
export const INFO = action({
  examples: [
    ['bad.list', 'name, version, profile, prefixes and checksum'],
    ['--json lists/mw-4b.list', 'the same as JSON, of a list of safe-browsing update'],
  ],
  operands: 'LIST',
  about: [
    'Reads a list, verifies its checksums and its order, and prints what it holds. LIST is a file of urlsum list build, ' +
      'or of a folder of urlsum safe-browsing update, which also says when it was last up to date. If LIST is -, it ' +
      'reads standard input.',
  ],
  flags: { json: toggle('print a JSON object') },
  async run({ json }, [path, ...rest]) {
    if (path === undefined || rest.length > 0) throw usageFault('list info needs one list');
    const described = tried(path, () => describedIn(wholeInput(path), path));
    await print(json ? `${JSON.stringify(recordOf(described))}\n` : describe(described));
  },
});

/** A file that a checker keeps begins with the SHA-256 of the rest: no other file does. @throws where it is neither */
function describedIn(bytes: Uint8Array, path: string): Described {
  try {
    return heldList(bytes);
  } catch {
    return { list: listIn(bytes, path) };
  }
}

function recordOf({ list, updatedAt, nextUpdateAt }: Described): object {
  return {
    name: list.name,
    version: hexOfBytes(list.version),
    profile: commandProfile(list.profile),
    suffixList: list.suffixList,
    prefixes: list.size,
    prefixLengths: list.groups.map(({ width }) => width),
    checksum: hexOfBytes(list.checksum),
    updatedAt: timeText(updatedAt),
    nextUpdateAt: timeText(nextUpdateAt),
    ageSeconds: updatedAt === undefined ? undefined : Math.round((Date.now() - updatedAt) / 1000),
  };
}

function describe({ list, updatedAt, nextUpdateAt }: Described): string {
  const sets = list.groups.map(({ width, prefixes }) => ({ size: prefixes.length / width, width }));
  return tableText([
    ['name', list.name],
    ['version', hexOfBytes(list.version)],
    ['profile', commandProfile(list.profile)],
    ['suffix list', list.suffixList],
    ['prefixes', String(list.size)],
    ['prefix length', list.groups.map(({ width }) => `${width} bytes`).join(', ') || 'none'],
    ['checksum', hexOfBytes(list.checksum)],
    ['false matches', `${falseMatchesText(sets)} of expressions`],
    ['up to date at', timeText(updatedAt)],
    ['next update', timeText(nextUpdateAt)],
  ]);
}

function timeText(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString();
}

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
