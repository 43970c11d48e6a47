import * as assert from 'uvu/assert';
import {
  BATCH_GET_HASH_LISTS_RESPONSE,
  HASH_LIST,
  HashList,
  ListError,
  type ListUpdate,
  type MessageFormat,
} from '../../../src/entries/safe-browsing/lists.ts';
import { random, randomBytes, SEED } from '../../support/seed.ts';

type Random = ReturnType<typeof random>;

/** A message in bytes, that makes a list of another one. */
interface Sample {
  readonly older: HashList;
  readonly newer: HashList;
  readonly bytes: Uint8Array;
  read(bytes: Uint8Array): ListUpdate | undefined;
}

const NAME = 'mw';
const JSON_CHARACTERS = '"{}[]:,0123456789abAB=+-/ \\eE.';

/** Lists of every length, in every format, whole and as changes. */
function samples(next: Random): Sample[] {
  return [4, 8, 16, 32].flatMap((length) => {
    const shared = randomBytes(next, 30 * length);
    const older = listOf(Buffer.concat([shared, randomBytes(next, 10 * length)]), length);
    const newer = listOf(Buffer.concat([shared, randomBytes(next, 10 * length)]), length);
    return [older.updateTo(newer), newer.toUpdate()].flatMap((update) => samplesOf(older, newer, update));
  });
}

function listOf(prefixes: Uint8Array, length: number): HashList {
  return HashList.from(prefixes, length, { name: NAME });
}

function samplesOf(older: HashList, newer: HashList, update: ListUpdate): Sample[] {
  const of = <T>(format: MessageFormat<T>, value: T, first: (value: T) => ListUpdate | undefined): Sample[] => [
    { older, newer, bytes: format.encode(value), read: (bytes) => first(format.decode(bytes)) },
    {
      older,
      newer,
      bytes: Buffer.from(JSON.stringify(format.toJson(value))),
      read: (bytes) => first(format.fromJson(jsonIn(bytes))),
    },
  ];
  return [
    ...of(HASH_LIST, update, (read) => read),
    ...of<readonly ListUpdate[]>(BATCH_GET_HASH_LISTS_RESPONSE, [update], ([read]) => read),
  ];
}

/** Parses JSON: other bytes are refused here, before they come to the messages. */
function jsonIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString());
  } catch {
    throw new ListError('message', 'message', 'not JSON');
  }
}

function damaged(bytes: Uint8Array, next: Random): Buffer {
  const damage = Buffer.from(bytes);
  for (let edits = 1 + Math.max(0, next(5) - 2); edits > 0; edits--) {
    const at = next(damage.length);
    const kind = next(4);
    if (kind === 0) damage[at]! ^= 1 << next(8);
    else if (kind === 1) damage[at] = next(256);
    else if (kind === 2) damage[at] = JSON_CHARACTERS.charCodeAt(next(JSON_CHARACTERS.length));
    else damage.copyWithin(at, next(damage.length), damage.length);
  }
  return next(4) === 0 ? damage.subarray(0, next(damage.length)) : damage;
}

/**
 * Damaged messages: each gives a typed error, or the list that was meant, or leaves the list as it was; never another
 * list, another error, or a long wait.
 */
export function damagedMessages(count: number): string {
  const next = random();
  let all = samples(next);
  const outcomes = { refused: 0, right: 0, unchanged: 0 };
  let longest = 0;
  for (let round = 0; round < count; round++) {
    if (round % 10_000 === 9_999) all = samples(next);
    const sample = all[next(all.length)]!;
    const bytes = damaged(sample.bytes, next);
    const before = process.cpuUsage();
    outcomes[outcomeOf(sample, bytes, `seed ${SEED}, round ${round}: ${bytes.toString('hex')}`)]++;
    longest = Math.max(longest, process.cpuUsage(before).user / 1000); // other processes do not count
  }
  assert.ok(outcomes.refused > count / 3 && outcomes.right > 0, JSON.stringify(outcomes));
  assert.ok(longest < 1000, `${longest} ms of a processor for one message`);
  const { refused, right, unchanged } = outcomes;
  return `${count} messages: ${refused} refused, ${right} read as they were meant, ${unchanged} without effect`;
}

function outcomeOf({ older, newer, read }: Sample, bytes: Uint8Array, what: string): 'refused' | 'right' | 'unchanged' {
  try {
    const update = read(bytes);
    const list = update === undefined ? older : older.updated(update);
    if (list === older) return 'unchanged';
    assert.equal(list.checksum, newer.checksum, `${what}: ${list.size} of ${newer.size} prefixes`);
    assert.equal(list.groups, newer.groups, what);
    return 'right';
  } catch (error) {
    assert.instance(error, ListError, `${what}: ${String(error)}`);
    return 'refused';
  }
}
