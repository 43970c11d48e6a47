import { LEFT_BRACE } from '../../core/bytes/code-points.ts';
import { hexOfBytes } from '../../core/bytes/hex.ts';
import { HashList } from '../../service/lists/hash-list.ts';
import type { MessageFormat } from '../../service/lists/messages/message-format.ts';
import type { ListUpdate } from '../../service/lists/update.ts';
import { SHORTEST_PREFIX } from '../../specs/safe-browsing/hash-prefix.ts';
import { tableText, timeText } from '../arguments/diagnostics.ts';
import { choice, group, parsed, text, toggle } from '../arguments/flag.ts';
import { NUMBER } from '../arguments/numbers.ts';
import { fileFault, tried, usageFault } from '../fault.ts';
import { OptionFile, wholeInput } from '../read/inputs.ts';
import { falseMatchesText } from '../work/chances.ts';
import { print, writeWholeFile } from '../write/output.ts';
import { action } from './command.ts';
import {
  type Described,
  editionFor,
  mustBeNamedFor,
  mustNameInputOnce,
  openList,
  openLists,
  writeList,
} from './list-files.ts';
import { mustHaveOut } from './named-files.ts';
import {
  commandProfile,
  libraryProfile,
  SAFE_BROWSING_PROFILES,
  type SafeBrowsingProfile,
  SUFFIX_LIST_FLAG,
  suffixListIn,
} from './safe-browsing-flags.ts';

export const OUT_FLAG = group('Output', {
  out: text('FILE', 'write to FILE, which appears when it is complete; - is standard output', {
    short: 'o',
    isPath: true,
  }),
});

export const NAME_FLAG = group('Output', {
  name: text('NAME', 'the name of the list; default none'),
});

export const REPLACE_FLAGS = group('Output', {
  allowEmpty: toggle('write a list even if it has no entries'),
  allowShrink: toggle('write a list even if it has less than half of the entries of the one that it replaces'),
});

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
    const described = openList(new OptionFile(path));
    await print(json ? `${JSON.stringify(recordOf(described))}\n` : describeList(described));
  },
});

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

function describeList({ list, updatedAt, nextUpdateAt }: Described): string {
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
    [
      'up to date at',
      nextUpdateAt === undefined ? undefined : (timeText(updatedAt) ?? 'not known: the clock was set back'),
    ],
    ['next update', timeText(nextUpdateAt)],
  ]);
}

/** `urlsum list merge`: the union of lists. */
export const MERGE = action({
  examples: [['--out all.list a.list b.list', 'every entry of either']],
  operands: 'LIST…',
  about: [
    'Writes the union of several lists of one profile. Where a prefix begins with a shorter one, the shorter one stays: ' +
      'it finds all that both find. One list may be - for standard input. If the union has no entries, or less than ' +
      'half of those of the list in FILE, it writes nothing.',
  ],
  flags: { ...OUT_FLAG, ...NAME_FLAG, ...REPLACE_FLAGS },
  async run({ out, name = '', ...allowed }, paths) {
    if (paths.length === 0) throw usageFault('list merge needs a list');
    await writeList(
      mustHaveOut('list merge', out),
      merged(openLists(paths.map((path) => new OptionFile(path))), name),
      allowed,
    );
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

const AN_OUTPUT = { out: ' FILE' };

const DIFF_FLAGS = {
  ...OUT_FLAG,
  ...group('Output', {
    json: toggle('write the update as JSON, not as protobuf', { needs: AN_OUTPUT }),
    wait: parsed(
      'SECONDS',
      'how long clients wait before they ask again; default 1800',
      undefined,
      NUMBER.wholeSeconds,
      { needs: AN_OUTPUT },
    ),
  }),
};

/** `urlsum list diff`: the update from one version of a list to another. */
export const DIFF = action({
  examples: [
    ['old.list new.list', 'count the entries that come and go'],
    ['--out update.bin old.list new.list', 'for clients that have old.list'],
    ['--out whole.bin new.list', 'all of it, for clients that have none'],
  ],
  operands: '[OLD] NEW',
  about: [
    'Writes an update from OLD to NEW as a HashList of Safe Browsing v5, for any static file server. Clients apply it ' +
      'with urlsum list apply or HashList.updated, which compare checksums. Without --out, it only counts the ' +
      'changes. OLD or NEW may be - for standard input.',
  ],
  flags: DIFF_FLAGS,
  async run({ out, json, wait }, paths) {
    if (paths.length < 1 || paths.length > 2) throw usageFault('list diff needs OLD and NEW, or NEW alone');
    if (out !== undefined && !json) mustHaveOut('list diff', out);
    const lists = openLists(paths.map((path) => new OptionFile(path)));
    const [newer, older] = lists.reverse() as [HashList, HashList?];
    const waitMs = wait === undefined ? wait : 1000 * wait;
    const update = older === undefined ? newer.toUpdate(waitMs) : updateTo(newer, older, waitMs, paths[1]!);
    if (out !== undefined) await writeWholeFile(out, [await messageOf(update, json)]);
    else await print(describeUpdate(older, update));
  },
});

/** @throws {Fault} where they are not two versions of one list */
function updateTo(newer: HashList, older: HashList, waitMs: number | undefined, path: string): ListUpdate {
  try {
    return older.updateTo(newer, waitMs);
  } catch (error) {
    throw fileFault(path, (error as Error).message);
  }
}

async function messageOf(update: ListUpdate, isJson: boolean): Promise<Uint8Array> {
  const { HASH_LIST } = await import('../../service/lists/messages/hash-list-message.ts');
  return isJson ? Buffer.from(`${JSON.stringify(HASH_LIST.toJson(update))}\n`) : HASH_LIST.encode(update);
}

function describeUpdate(older: HashList | undefined, { version, additions, removals }: ListUpdate): string {
  const added = additions.reduce((sum, { prefixes, width }) => sum + prefixes.length / width, 0);
  return tableText([
    ['from', older === undefined ? 'none' : hexOfBytes(older.version)],
    ['to', hexOfBytes(version)],
    ['removed', String(removals.length)],
    ['added', String(added)],
  ]);
}

const APPLY_FLAGS = {
  ...OUT_FLAG,
  ...REPLACE_FLAGS,
  ...group('Expressions', {
    profile: choice('PROFILE', SAFE_BROWSING_PROFILES, undefined, 'with -, what the entries are expressions of:'),
    ...SUFFIX_LIST_FLAG,
  }),
};

/** `urlsum list apply`: a list with updates applied. */
export const APPLY = action({
  examples: [
    ['--out new.list old.list update.bin', 'update a list'],
    ['--out new.list - whole.bin', 'make a list from a whole update'],
  ],
  operands: 'LIST UPDATE…',
  about: [
    'Applies updates to LIST, one after another: each a HashList of Safe Browsing v5, in protobuf or JSON. If LIST ' +
      'is -, it starts from an empty list, which --profile and --suffix-list describe. If UPDATE is -, it reads ' +
      'standard input. If an update does not fit, its checksum differs, or it leaves no entries or less than half of ' +
      'them, it writes nothing. One that was applied before changes nothing.',
  ],
  flags: APPLY_FLAGS,
  async run({ out, profile, suffixList, ...allowed }, [path, ...updates], { diagnostics }) {
    if (path === undefined || updates.length === 0) throw usageFault('list apply needs LIST and UPDATE');
    if (path !== '-' && profile !== undefined) throw usageFault('--profile needs an empty list, -');
    if (path !== '-' && suffixList !== undefined) throw usageFault('--suffix-list needs an empty list, -');
    mustNameInputOnce(updates);
    const target = mustHaveOut('list apply', out);
    const { HASH_LIST } = await import('../../service/lists/messages/hash-list-message.ts');
    const older = path === '-' ? emptyList(profile, suffixList) : openList(new OptionFile(path)).list;
    let list = older;
    for (const each of updates) {
      const newer = tried(each, () => list.updated(updateIn(wholeInput(each), HASH_LIST)));
      const version = hexOfBytes(newer.version);
      if (version === hexOfBytes(list.version)) await diagnostics.tell([`${each}: already at version ${version}`]);
      list = newer;
    }
    await writeList(target, list, allowed, older);
  },
});

function emptyList(named: SafeBrowsingProfile | undefined, suffixFile: OptionFile | undefined): HashList {
  const profile = libraryProfile(named ?? 'safe-browsing');
  if (suffixFile === undefined) return HashList.empty('', profile);
  const { edition } = suffixListIn(suffixFile, profile);
  return HashList.from(new Uint8Array(0), SHORTEST_PREFIX, {
    version: new Uint8Array(0),
    profile,
    suffixList: edition,
  });
}

/**
 * A HashList in protobuf never begins with {: its first byte is a field number and a wire type, and { would start a
 * group, field 15.
 */
function updateIn(bytes: Uint8Array, format: MessageFormat<ListUpdate>): ListUpdate {
  return bytes[0] === LEFT_BRACE ? format.fromJson(Buffer.from(bytes).toString()) : format.decode(bytes);
}
