import { SHORTEST_PREFIX } from '../../../safe-browsing/hashes.ts';
import { HashList } from '../../../safe-browsing/lists/hash-list.ts';
import type { MessageFormat } from '../../../safe-browsing/lists/messages/message-format.ts';
import type { ListUpdate } from '../../../safe-browsing/lists/update.ts';
import { writeWholeFile } from '../../output/whole-file.ts';
import { mustNameInputOnce, ofFile, openHashList } from '../../select/open-hash-list.ts';
import { choice, group } from '../../terminal/flag.ts';
import { UsageError } from '../../terminal/usage-error.ts';
import { action } from '../command.ts';
import {
  libraryProfile,
  mustHaveOut,
  OUT_FLAG,
  SAFE_BROWSING_PROFILES,
  type SafeBrowsingProfile,
  SUFFIX_LIST_FLAG,
  suffixListIn,
} from '../safe-browsing-flags.ts';

const LEFT_BRACE = 0x7b;

const FLAGS = {
  ...OUT_FLAG,
  ...group('Expressions', {
    profile: choice('PROFILE', SAFE_BROWSING_PROFILES, undefined, 'with -, what the entries are expressions of:'),
    ...SUFFIX_LIST_FLAG,
  }),
};

/** `urlsum list apply`: a list with updates applied. */
export const APPLY = action({
  examples: [
    ['--out new.list old.list update.bin', 'the list that the update makes of another'],
    ['--out new.list - whole.bin', 'a list from an update that is whole'],
  ],
  operands: 'LIST UPDATE…',
  about: [
    'Applies updates, one after another, each a HashList of Safe Browsing v5 in protobuf or JSON, to LIST, or where ' +
      'that is - to an empty list; an UPDATE of - is standard input. Updates name neither a profile nor a Public Suffix List, so --profile and ' +
      '--suffix-list do. An update that does not fit, or whose checksum differs, is refused, and nothing is written.',
  ],
  flags: FLAGS,
  async run({ out, profile, suffixList }, [path, ...updates]) {
    if (path === undefined || updates.length === 0) throw new UsageError('list apply needs LIST and UPDATE');
    if (path !== '-' && profile !== undefined) throw new UsageError('--profile goes with an empty list, -');
    if (path !== '-' && suffixList !== undefined) throw new UsageError('--suffix-list goes with an empty list, -');
    mustNameInputOnce(updates);
    const target = mustHaveOut('list apply', out);
    const { HASH_LIST } = await import('../../../safe-browsing/lists/messages/hash-list-message.ts');
    let list = path === '-' ? await emptyList(profile, suffixList) : await openHashList(path);
    for (const each of updates) list = await ofFile(each, (bytes) => list.updated(updateIn(bytes, HASH_LIST)));
    await writeWholeFile(target, [list.toBytes()]);
  },
});

async function emptyList(named: SafeBrowsingProfile | undefined, path: string | undefined): Promise<HashList> {
  const profile = libraryProfile(named ?? 'safe-browsing');
  if (path === undefined) return HashList.empty('', profile);
  const { edition } = await suffixListIn(path, profile);
  return HashList.from(new Uint8Array(0), SHORTEST_PREFIX, {
    version: new Uint8Array(0),
    profile,
    suffixList: edition,
  });
}

/**
 * No HashList in protobuf begins with {: the first byte has a field's number and wire type, and { would start a group,
 * field 15.
 */
function updateIn(bytes: Uint8Array, format: MessageFormat<ListUpdate>): ListUpdate {
  return bytes[0] === LEFT_BRACE ? format.fromJson(JSON.parse(Buffer.from(bytes).toString())) : format.decode(bytes);
}
