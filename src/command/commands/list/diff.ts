import { hexOfBytes } from '../../../core/bytes/hex.ts';
import type { HashList } from '../../../service/lists/hash-list.ts';
import type { ListUpdate } from '../../../service/lists/update.ts';
import { tableText } from '../../arguments/diagnostics.ts';
import { group, parsed, toggle } from '../../arguments/flag.ts';
import { fileFault, usageFault } from '../../fault.ts';
import { openHashLists } from '../../work/open-hash-list.ts';
import { print, writeWholeFile } from '../../write/output.ts';
import { action } from '../command.ts';
import { mustHaveOut } from '../named-files.ts';
import { OUT_FLAG } from '../safe-browsing-flags.ts';

const FLAGS = {
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
  flags: FLAGS,
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
