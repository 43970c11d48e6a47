import { HashList } from '../../../safe-browsing/lists/hash-list.ts';
import type { MessageFormat } from '../../../safe-browsing/lists/messages/message-format.ts';
import type { ListUpdate } from '../../../safe-browsing/lists/update.ts';
import { writeWholeFile } from '../../output/whole-file.ts';
import { ofFile } from '../../select/open-hash-list.ts';
import { choice, group } from '../../terminal/flag.ts';
import { UsageError } from '../../terminal/usage-error.ts';
import { action } from '../command.ts';
import { libraryProfile, SAFE_BROWSING_PROFILES } from '../safe-browsing-flags.ts';
import { mustHaveOut, OUT_FLAG } from './flags.ts';

const LEFT_BRACE = 0x7b;

const FLAGS = {
  ...OUT_FLAG,
  ...group('Expressions', {
    profile: choice('PROFILE', SAFE_BROWSING_PROFILES, undefined, 'with -, what the entries are expressions of:'),
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
    'Applies updates, one after another, each a HashList of Safe Browsing v5 in protobuf or JSON, to LIST, or to an ' +
      'empty list where that is -, whose profile is --profile: updates do not name one. One that does not fit, or whose checksum differs, is refused, and nothing is written.',
  ],
  flags: FLAGS,
  async run({ out, profile }, [path, ...updates]) {
    if (path === undefined || updates.length === 0) throw new UsageError('list apply needs LIST and UPDATE');
    const target = mustHaveOut('list apply', out);
    const { HASH_LIST } = await import('../../../safe-browsing/lists/messages/hash-list-message.ts');
    if (profile !== undefined && path !== '-') throw new UsageError('--profile goes with an empty list, -');
    const empty = HashList.empty('', libraryProfile(profile ?? 'safe-browsing'));
    const older = path === '-' ? empty : ofFile(path, (bytes) => HashList.fromBytes(bytes));
    const list = updates.reduce(
      (made, each) => ofFile(each, (bytes) => made.updated(updateIn(bytes, HASH_LIST))),
      older,
    );
    await writeWholeFile(target, [list.toBytes()]);
  },
});

/** A message in protobuf begins with a field's number and kind: { would be field 15, of a kind that is no more. */
function updateIn(bytes: Uint8Array, format: MessageFormat<ListUpdate>): ListUpdate {
  return bytes[0] === LEFT_BRACE ? format.fromJson(JSON.parse(Buffer.from(bytes).toString())) : format.decode(bytes);
}
