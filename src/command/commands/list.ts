import { LEFT_BRACE } from '../../core/bytes/code-points.ts';
import { hexOfBytes } from '../../core/bytes/hex.ts';
import { type HeldList, heldList } from '../../service/check/local-lists.ts';
import { HashList } from '../../service/lists/hash-list.ts';
import type { MessageFormat } from '../../service/lists/messages/message-format.ts';
import type { ListUpdate } from '../../service/lists/update.ts';
import { SHORTEST_PREFIX } from '../../specs/safe-browsing/expressions.ts';
import { tableText } from '../arguments/diagnostics.ts';
import { choice, group, parsed, toggle } from '../arguments/flag.ts';
import { fileFault, tried, usageFault, usageFaultsFrom } from '../fault.ts';
import { wholeInput } from '../read/inputs.ts';
import { falseMatchesText } from '../work/against.ts';
import { print, writeWholeFile } from '../write/output.ts';
import { action } from './command.ts';
import { mustHaveOut } from './named-files.ts';
import {
  commandProfile,
  editionFor,
  libraryProfile,
  listIn,
  mustBeGoodList,
  mustBeNamedFor,
  mustNameInputOnce,
  NAME_FLAG,
  OUT_FLAG,
  openHashList,
  openHashLists,
  REPLACE_FLAGS,
  SAFE_BROWSING_PROFILES,
  type SafeBrowsingProfile,
  SUFFIX_LIST_FLAG,
  suffixListIn,
} from './safe-browsing-flags.ts';
import { extensionOrigins, hostNames, LISTEN_FLAGS, serveUntilEnded } from './server.ts';

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
    await print(json ? `${JSON.stringify(recordOf(described))}\n` : describeList(described));
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

const DIFF_FLAGS = {
  ...OUT_FLAG,
  ...group('Output', {
    json: toggle('write the update as JSON, not as protobuf'),
    wait: parsed('SECONDS', 'how long clients wait before they ask again; default 1800', undefined, wholeSecondsOf),
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

function wholeSecondsOf(value: string, option: string): number {
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
      'is -, it starts from an empty list, which --profile and --suffix-list describeUpdate. If UPDATE is -, it reads ' +
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

const SERVE_FLAGS = {
  ...group('Server', {
    ...LISTEN_FLAGS,
    wait: parsed('SECONDS', 'how long clients wait until they fetch the lists again; default 1800', 1800, secondsOf),
    cache: parsed('SECONDS', 'how long they may keep an answer of hashes:search; default 300', 300, secondsOf),
    shrink: parsed(
      'PERCENT',
      'how much of its entries a list may lose at once; default 50; 100 takes any',
      50,
      numberOf,
    ),
  }),
};

/** `urlsum list serve`: lists of one's own for clients of Safe Browsing v5. */
export const SERVE = action({
  examples: [
    ['mw-4b=malware.txt se-4b=phishing.txt', 'two lists'],
    ['--wait 60 mw-4b=bad.txt gc-32b=popular.txt', 'with a Global Cache'],
  ],
  operands: 'NAME=FILE…',
  about: [
    'Serves lists of URLs by the methods of Safe Browsing v5 that deal with hashes: hashLists:batchGet, hashLists, ' +
      'hashList and hashes:search. A name begins with what its URLs are, mw, se, uws, pha, or gc for likely safe, and ' +
      'ends in the bytes per prefix: mw-4b. A file has a URL per line; # begins a comment. It is read again when it has ' +
      'changed and then stayed as it is for two seconds. One that is missing, has a bad line or lost more than --shrink ' +
      'stays as it was; standard error says why, /status and /metrics since when.',
  ],
  flags: SERVE_FLAGS,
  async run({ listen, host, allowOrigin, wait, cache, shrink }, operands, { diagnostics }) {
    if (operands.length === 0) throw usageFault('no list to serve: give one as NAME=FILE, such as mw-4b=urls.txt');
    const { HostedList, ListServer } = await import('../../service/http/list-server.ts');
    const log = (message: string) => void diagnostics.tell([message]);
    const lists = operands.map((operand) => {
      const [name = '', ...path] = operand.split('=');
      if (path.length === 0) throw usageFault(`'${operand}' is not NAME=FILE`);
      return usageFaultsFrom(
        RangeError,
        () => new HostedList(name, path.join('='), { maxShrink: shrink / 100, waitMs: 1000 * wait, onTrouble: log }),
      );
    });
    const names = lists.map(({ name }) => name);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined) throw usageFault(`the list ${twice} is named twice`);
    const [hosts, origins] = [hostNames(host), extensionOrigins(allowOrigin)];
    const server = new ListServer({ lists, cacheMs: 1000 * cache, hosts, origins, log });
    await Promise.all(lists.map((list) => list.load()));
    await serveUntilEnded(server, listen);
  },
});

/** google.protobuf.Duration: 10,000 years. */
const MAX_SECONDS = 315_576_000_000;

function secondsOf(value: string, option: string): number {
  const seconds = numberOf(value, option);
  if (seconds <= MAX_SECONDS) return seconds;
  throw usageFault(`${option} must be at most ${MAX_SECONDS} seconds, not '${value}'`);
}

function numberOf(value: string, option: string): number {
  const number = Number(value);
  if (value !== '' && number >= 0 && Number.isFinite(number)) return number;
  throw usageFault(`${option} must be a number from 0 on, not '${value}'`);
}
