import { LEFT_BRACE } from '../../../core/bytes/code-points.ts';
import { hexOfBytes } from '../../../core/bytes/hex.ts';
import { HashList } from '../../../service/lists/hash-list.ts';
import type { MessageFormat } from '../../../service/lists/messages/index.ts';
import type { ListUpdate } from '../../../service/lists/update.ts';
import { SHORTEST_PREFIX } from '../../../specs/safe-browsing/hashes.ts';
import { tableText } from '../../arguments/diagnostics.ts';
import { choice, group, parsed, toggle } from '../../arguments/flag.ts';
import { fileFault, tried, usageFault } from '../../fault.ts';
import { wholeInput } from '../../read/inputs.ts';
import { mustNameInputOnce, openHashList, openHashLists } from '../../work/open-hash-list.ts';
import { print, writeWholeFile } from '../../write/output.ts';
import { action } from '../command.ts';
import { mustHaveOut } from '../named-files.ts';
import {
  libraryProfile,
  OUT_FLAG,
  SAFE_BROWSING_PROFILES,
  type SafeBrowsingProfile,
  SUFFIX_LIST_FLAG,
  suffixListIn,
} from '../safe-browsing-flags.ts';
import { mustBeGoodList, REPLACE_FLAGS } from './replaced-list.ts';

const DIFF_FLAGS = {
  ...OUT_FLAG,
  ...group('Output', {
    json: toggle('write the update as JSON, not as protobuf'),
    wait: parsed('SECONDS', 'how long clients wait before they ask again; default 1800', undefined, secondsOf),
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
    if (out === undefined && json) throw usageFault('--json needs --out FILE');
    if (out === undefined && wait !== undefined) throw usageFault('--wait needs --out FILE');
    if (out !== undefined && !json) mustHaveOut('list diff', out);
    const lists = openHashLists(paths);
    const [newer, older] = lists.reverse() as [HashList, HashList?];
    const waitMs = wait === undefined ? wait : 1000 * wait;
    const update = older === undefined ? newer.toUpdate(waitMs) : updateTo(newer, older, waitMs, paths[1]!);
    if (out !== undefined) await writeWholeFile(out, [await messageOf(update, json)]);
    else await print(describe(older, update));
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
  const { HASH_LIST } = await import('../../../service/lists/messages/index.ts');
  return isJson ? Buffer.from(`${JSON.stringify(HASH_LIST.toJson(update))}\n`) : HASH_LIST.encode(update);
}

function describe(older: HashList | undefined, { version, additions, removals }: ListUpdate): string {
  const added = additions.reduce((sum, { prefixes, width }) => sum + prefixes.length / width, 0);
  return tableText([
    ['from', older === undefined ? 'none' : hexOfBytes(older.version)],
    ['to', hexOfBytes(version)],
    ['removed', String(removals.length)],
    ['added', String(added)],
  ]);
}

function secondsOf(value: string, option: string): number {
  if (/^\d{1,9}$/.test(value)) return Number(value);
  throw usageFault(`${option} must be a number of seconds, not '${value}'`);
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
    const { HASH_LIST } = await import('../../../service/lists/messages/index.ts');
    const older = path === '-' ? emptyList(profile, suffixList) : openHashList(path);
    let list = older;
    for (const each of updates) {
      const newer = tried(each, () => list.updated(updateIn(wholeInput(each), HASH_LIST)));
      const version = hexOfBytes(newer.version);
      if (version === hexOfBytes(list.version)) await diagnostics.tell([`${each}: already at version ${version}`]);
      list = newer;
    }
    mustBeGoodList(list, target, allowed, older);
    await writeWholeFile(target, [list.toBytes()]);
  },
});

function emptyList(named: SafeBrowsingProfile | undefined, path: string | undefined): HashList {
  const profile = libraryProfile(named ?? 'safe-browsing');
  if (path === undefined) return HashList.empty('', profile);
  const { edition } = suffixListIn(path, profile);
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
