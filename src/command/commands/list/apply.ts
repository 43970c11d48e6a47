import { LEFT_BRACE } from '../../../core/bytes/code-points.ts';
import { hexOfBytes } from '../../../core/bytes/hex.ts';
import { HashList } from '../../../service/lists/hash-list.ts';
import type { MessageFormat } from '../../../service/lists/messages/index.ts';
import type { ListUpdate } from '../../../service/lists/update.ts';
import { SHORTEST_PREFIX } from '../../../specs/safe-browsing/hashes.ts';
import { choice, group } from '../../arguments/flag.ts';
import { tried, usageFault } from '../../fault.ts';
import { wholeInput } from '../../read/inputs.ts';
import { mustNameInputOnce, openHashList } from '../../work/open-hash-list.ts';
import { writeWholeFile } from '../../write/output.ts';
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

const FLAGS = {
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
  flags: FLAGS,
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
