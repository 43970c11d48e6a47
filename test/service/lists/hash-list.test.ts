import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { HASH_LIST, HashList, ListError, type ListUpdate } from '../../../src/entries/safe-browsing/lists.ts';
import { ExpressionHasher, hashes, SuffixList } from '../../../src/entries/safe-browsing.ts';
import { random, randomBytes } from '../../support/seed.ts';
import { errorOf, mustRefuse } from '../../support/thrown.ts';

const test = suite('safe-browsing: HashList');
const next = random();

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const packed = (entries: Iterable<string>) => new Uint8Array(Buffer.from([...entries].join(''), 'hex'));
const reasonOf = (work: () => unknown) => {
  const error = errorOf(work);
  assert.instance(error, ListError, String(error));
  return `${(error as ListError).place} ${(error as ListError).reason}`;
};

/** The oracle: a list is a set of hex strings. */
type Entries = ReadonlySet<string>;

/** Sorts entries as lists do: the shorter before the longer, those of one length by their bytes. */
function sorted(entries: Iterable<string>): string[] {
  return [...entries].sort((one, other) => one.length - other.length || (one < other ? -1 : 1));
}

function entriesOf(list: HashList): string[] {
  return list.groups.flatMap(({ prefixes, width }) => hexOf(prefixes).match(new RegExp(`.{${2 * width}}`, 'g')) ?? []);
}

function randomEntries(count: number, lengths: readonly number[]): Set<string> {
  return new Set(Array.from({ length: count }, () => hexOf(randomBytes(next, lengths[next(lengths.length)]!))));
}

/** Returns what changes one set into the other, made without the code under test. */
function updateBetween(older: Entries, newer: Entries): ListUpdate {
  const widths = [...new Set([...newer].map((entry) => entry.length / 2))].sort((one, other) => one - other);
  const added = [...newer].filter((entry) => !older.has(entry)).sort();
  return {
    name: '',
    version: Uint8Array.of(next(256), next(256)),
    isPartial: true,
    additions: widths.map((width) => ({
      width,
      prefixes: packed(added.filter((entry) => entry.length === 2 * width)),
    })),
    removals: Uint32Array.from(sorted(older).flatMap((entry, index) => (newer.has(entry) ? [] : [index]))),
    checksum: Buffer.from(sha256(packed(sorted(newer))), 'hex'),
    minimumWaitMs: 0,
  };
}

for (const lengths of [[4], [8], [16], [32], [4, 5, 32]]) {
  test(`lengths ${lengths}: a chain of updates keeps the list that a set keeps`, () => {
    let entries: Entries = new Set();
    let list = HashList.empty('chain');
    for (let round = 0; round < 30; round++) {
      const kept = [...entries].filter(() => next(4) !== 0);
      const newer = new Set([...kept, ...randomEntries(next(60), lengths)]);
      const update = updateBetween(entries, newer);
      const before = hexOf(list.toBytes());
      const updated = list.updated(update);
      assert.is(hexOf(list.toBytes()), before);
      assert.equal(entriesOf(updated), sorted(newer));
      assert.is(hexOf(updated.checksum), sha256(packed(sorted(newer))));
      assert.equal(updated.version, update.version);
      assert.is(updated.size, newer.size);
      const own = list.updateTo(updated);
      assert.equal(own.removals, update.removals);
      assert.equal(entriesOf(list.updated(own)), entriesOf(updated));
      if (lengths.length === 1)
        assert.equal(entriesOf(list.updated(HASH_LIST.decode(HASH_LIST.encode(own)))), entriesOf(updated));
      assert.equal(entriesOf(HashList.empty().updated(updated.toUpdate())), entriesOf(updated));
      [entries, list] = [newer, updated];
    }
  });
}

test('known answers of checksums: google/safebrowsing, hash_test.go', () => {
  const ofText = (text: string) => hexOf(HashList.from(Buffer.from(text), 4).checksum);
  assert.is(ofText('zzzzxxxxyyyy'), '20ffb2c3e9532153b96b956845381adc06095f8342fa2db1aafba6b0e9594d68');
  assert.is(ofText('aaaabbbbccccdddd'), '147eb9dcde0e090429c01dbf634fd9b69a7f141f005c387a9c00498908499dde');
  assert.is(hexOf(HashList.empty().checksum), 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
});

test('what cannot be an update of this list is refused, and the list is as it was', () => {
  const entries = new Set(['00000001', '00000002', '00000003']);
  const list = HashList.from(packed(entries), 4, { name: 'ours' });
  const good = updateBetween(entries, new Set(['00000001', '00000003', '00000004']));
  const before = list.toBytes();
  const refused = (changed: Partial<ListUpdate>) => reasonOf(() => list.updated({ ...good, ...changed }));
  assert.is(refused({ name: 'theirs' }), 'name other-list');
  assert.is(refused({ removals: Uint32Array.of(3) }), 'removals removal-index');
  assert.is(refused({ removals: Uint32Array.of(1, 1) }), 'removals removal-index');
  assert.is(refused({ removals: Uint32Array.of(2, 1) }), 'removals removal-index');
  assert.is(refused({ removals: Uint32Array.of(0) }), 'checksum checksum');
  assert.is(refused({ additions: [{ width: 4, prefixes: packed(['00000003']) }] }), 'additions repeated-entry');
  assert.is(
    refused({ additions: [{ width: 4, prefixes: packed(['00000005', '00000004']) }] }),
    'additions repeated-entry',
  );
  assert.is(refused({ additions: [{ width: 4, prefixes: new Uint8Array(5) }] }), 'additions wrong-size');
  assert.is(refused({ additions: [{ width: 33, prefixes: new Uint8Array(33) }] }), 'additions prefix-length');
  assert.is(refused({ additions: [] }), 'checksum checksum');
  assert.is(refused({ checksum: undefined }), 'checksum checksum-missing');
  assert.is(refused({ isPartial: false }), 'removals removal-index');
  assert.is(refused({ isPartial: false, removals: new Uint32Array(0) }), 'checksum checksum');
  assert.equal(list.toBytes(), before);
  assert.equal(entriesOf(list.updated({ ...good, name: 'ours' })), ['00000001', '00000003', '00000004']);
});

test('a whole list of other lengths is refused: its checksum does not cover lengths', () => {
  const list = HashList.from(packed(['11'.repeat(16), '22'.repeat(16)]), 16);
  const longer = HashList.from(packed(['11'.repeat(16) + '22'.repeat(16)]), 32);
  assert.equal(list.checksum, longer.checksum);
  assert.is(
    reasonOf(() => list.updated(longer.toUpdate())),
    'additions prefix-length',
  );
  assert.equal(entriesOf(HashList.empty().updated(longer.toUpdate())), entriesOf(longer));
  const both = updateBetween(new Set(), new Set(['33'.repeat(16), '44'.repeat(4)]));
  assert.is(list.updated({ ...both, isPartial: false }).size, 2);
});

/** The entries that begin with no other, by comparing each with each. */
const shortest = (entries: Entries) =>
  [...entries].filter((entry) => ![...entries].some((other) => other !== entry && entry.startsWith(other)));

test('from: a prefix that begins with another is merged into it, and counted; look-ups are the same', () => {
  for (let trial = 0; trial < 60; trial++) {
    const hashesGiven = Array.from({ length: 1 + next(8) }, () => hexOf(randomBytes(next, 32)));
    const given = Array.from({ length: next(60) }, () => {
      return hashesGiven[next(hashesGiven.length)]!.slice(0, 2 * [4, 5, 8, 32][next(4)]!);
    });
    const groups = Array.from({ length: 1 + next(12) }, (_, part) => ({ part, width: [4, 5, 8, 32][next(4)]! })).map(
      ({ part, width }) => ({
        width,
        prefixes: packed(given.filter((entry, at) => entry.length === 2 * width && at % 3 === part % 3)),
      }),
    );
    const all = groups.flatMap(
      ({ prefixes, width }) => hexOf(prefixes).match(new RegExp(`.{${2 * width}}`, 'g')) ?? [],
    );
    const list = HashList.from(groups, { name: 'mixed' });
    assert.equal(entriesOf(list), sorted(shortest(new Set(all))));
    assert.is(list.mergedCount, all.length - list.size);
    assert.is(hexOf(list.checksum), sha256(packed(entriesOf(list))));
    for (const hash of hashesGiven)
      assert.is(
        list.has(Buffer.from(hash, 'hex')),
        all.some((entry) => hash.startsWith(entry)),
      );
    assert.equal(entriesOf(HashList.fromBytes(list.toBytes())), entriesOf(list));
  }
  assert.is(HashList.from(packed(['00000001', '00000001']), 4).mergedCount, 1);
  assert.is(HashList.from([]).size, 0);
});

test('updated: what the checksum covers is taken as it is, and indices of removals count all of it', () => {
  const entries = new Set(['00000001', '0000000102030405', '00000002', '00000002ff', '00000003']);
  const list = HashList.empty().updated(updateBetween(new Set(), entries));
  assert.equal(entriesOf(list), sorted(entries));
  assert.is(list.mergedCount, 0);
  const newer = new Set(['0000000102030405', '00000002', '00000003', '000000030405']);
  const update = updateBetween(entries, newer);
  assert.equal([...update.removals], [0, 3]);
  assert.equal(entriesOf(list.updated(update)), sorted(newer));
  assert.equal(entriesOf(HashList.fromBytes(list.toBytes()).updated(update)), sorted(newer));
});

test('a list for one Public Suffix List refuses columns of another', () => {
  const urls = ['http://a.evil.example/', 'http://evil.example/'];
  const [meant, other] = ['// VERSION: 1\nexample\n', '// VERSION: 11\nevil.example\n'].map((text) =>
    SuffixList.parse(text),
  );
  const entry = hashes('http://evil.example/')[0]!;
  const list = HashList.from(entry, 32, { suffixList: meant!.edition });
  const column = new ExpressionHasher({ suffixList: meant! }).hashMany(urls);
  assert.equal([[...list.matches(column)], list.matchesOf(0, column)], [[0, 1], [1]]);
  for (const wrong of [{ suffixList: other! }, {}]) {
    const refused = new ExpressionHasher(wrong).hashMany(urls);
    for (const work of [() => list.matches(refused), () => list.matchesOf(0, refused)])
      assert.match(
        String(errorOf(work)),
        /^RangeError: the list is for edition psl\/1 of the Public Suffix List, not for /,
      );
  }
  assert.equal([...HashList.from(entry, 32).matches(new ExpressionHasher({ suffixList: other! }).hashMany(urls))], [1]);
});

test('a list of one profile refuses columns of another, which name the same URL differently', () => {
  const entry = hashes('http://[2001:db8::1]/')[0]!;
  for (const [profile, other, name] of [
    ['v5', 'web-risk', 'web-risk/1'],
    ['web-risk', 'v5', 'v5/1'],
  ] as const) {
    const list = HashList.from(entry, 32, { profile });
    const refused = new ExpressionHasher({ profile: other }).hashMany(['http://[2001:0db8::1]/x']);
    for (const work of [() => list.matches(refused), () => list.matchesOf(0, refused)]) {
      const message = String(errorOf(work));
      assert.ok(
        message.startsWith(`RangeError: the profile of the list is ${profile}, that of the column ${name}`),
        message,
      );
    }
  }
});

test('an updated list is for the same Public Suffix List', () => {
  const options = { suffixList: 'psl/2026-01-02' };
  const [older, newer] = ['00000001', '00000002'].map((entry) => HashList.from(packed([entry]), 4, options));
  assert.equal(older!.updated(older!.updateTo(newer!)).toBytes(), newer!.toBytes());
});

test('an empty message is not an empty list', () => {
  const list = HashList.from(packed(['00000001']), 4);
  assert.is(
    reasonOf(() => list.updated(HASH_LIST.decode(new Uint8Array(0)))),
    'checksum checksum-missing',
  );
  const cleared = list.updated(HashList.empty().toUpdate());
  assert.is(cleared.size, 0);
});

test('an update that changes nothing sets the version if it has a checksum, and does nothing otherwise', () => {
  const list = HashList.from(packed(['00000001']), 4);
  const update = { ...list.updateTo(list), version: Uint8Array.of(7) };
  const updated = list.updated(update);
  assert.equal([entriesOf(updated), updated.version], [['00000001'], Uint8Array.of(7)]);
  assert.is(list.updated({ ...update, checksum: undefined }), list);
  const other = HashList.from(packed(['00000002']), 4);
  assert.is(
    reasonOf(() => list.updated({ ...update, checksum: other.checksum })),
    'checksum checksum',
  );
});

test('looks up what its sets hold, of several lengths too', () => {
  const [first, second] = ['http://a.example/', 'http://b.example/x'].map((url) => hashes(url));
  const entries = [hexOf(first![0]!).slice(0, 8), hexOf(second![0]!).slice(0, 24)];
  const update = updateBetween(new Set(), new Set(entries));
  const list = HashList.empty().updated(update);
  const column = new ExpressionHasher().hashMany([
    'http://b.example/x/y',
    'http://b.example/x',
    'http://a.example/z',
    '',
  ]);
  assert.equal([...list.matches(column)], [1, 2]);
  assert.equal([list.matchesOf(1, column), list.matchesOf(2, column), list.matchesOf(0, column)], [[0], [1], []]);
  assert.ok(list.has(first![0]!) && list.has(second![0]!) && !list.has(second![1]!));
  assert.instance(
    errorOf(() => list.has(new Uint8Array(4))),
    RangeError,
  );
  assert.equal([...HashList.empty().matches(column)], []);
});

test('the version of a list that is given none follows from its entries', () => {
  const list = HashList.from(packed(['00000002', '00000001', '00000002']), 4);
  assert.is(list.size, 2);
  assert.is(hexOf(list.version), sha256(packed(['00000001', '00000002'])).slice(0, 32));
  assert.equal(HashList.from(packed(['00000001', '00000002']), 4).version, list.version);
});

test('arguments are checked', async () => {
  const any = (value: unknown) => value as never;
  const [four, eight] = [new Uint8Array(4), new Uint8Array(8)];
  const list = HashList.from(four, 4);
  const edition = HashList.from(four, 4, { suffixList: 'psl/1' });
  await mustRefuse([
    [() => HashList.from(new Uint8Array(5), 4), 'RangeError: prefixes must be whole: 5 bytes are not a multiple of 4'],
    [
      () => HashList.from(new Uint8Array(3), 3),
      'RangeError: width must be a whole number of bytes from 4 to 32, got 3',
    ],
    [() => HashList.from(any('x'), 4), 'TypeError: prefixes must be a Uint8Array, got string'],
    [() => HashList.from(any(null), 4), 'TypeError: prefixes must be a Uint8Array, got null'],
    [() => HashList.from([any(null)]), 'TypeError: groups[0] must be an object, got null'],
    [
      () => HashList.from([{ prefixes: four, width: 4 }, any({ width: 4 })]),
      'TypeError: groups[1].prefixes must be a Uint8Array, got undefined',
    ],
    [
      () => HashList.from([{ prefixes: four, width: any('4') }]),
      'TypeError: groups[0].width must be a number, got string',
    ],
    [() => HashList.from(four, 4, any(null)), 'TypeError: options must be an object, got null'],
    [() => HashList.from([], any(5)), 'TypeError: options must be an object, got number'],
    [
      () => HashList.from(four, 4, any({ nme: 'x' })),
      'RangeError: options has no "nme", only name, version, profile, suffixList',
    ],
    [() => HashList.from(four, 4, { name: any(5) }), 'TypeError: name must be a string, got number'],
    [() => HashList.from(four, 4, { suffixList: any(5) }), 'TypeError: suffixList must be a string, got number'],
    [() => HashList.from(four, 4, { profile: any('x') }), 'RangeError: profile must be one of web-risk, v5, got "x"'],
    [
      () => HashList.from(four, 4, { profile: 'web-risk', suffixList: 'psl/1' }),
      'RangeError: suffixList goes with the profile v5, not with web-risk',
    ],
    [
      () => HashList.from(eight, 8, { name: 'mw-4b' }),
      'RangeError: the name "mw-4b" says that prefixes have 4 bytes, but some have 8',
    ],
    [
      () => HashList.from([{ prefixes: eight, width: 8 }], { name: 'mw-4b' }),
      'RangeError: the name "mw-4b" says that prefixes have 4 bytes, but some have 8',
    ],
    [() => HashList.empty('', any('x')), 'RangeError: profile must be one of web-risk, v5, got "x"'],
    [() => HashList.fromBytes(any('x')), 'TypeError: bytes must be a Uint8Array, got string'],
    [() => list.toUpdate(any('1800')), 'TypeError: minimumWaitMs must be a number, got string'],
    [() => list.updateTo(list, any(null)), 'TypeError: minimumWaitMs must be a number, got null'],
    ...[undefined, null, {}, list.toUpdate(), 'MALWARE'].map((newer) => {
      return [() => list.updateTo(newer as never), 'TypeError: newer must be a HashList, got …'] as const;
    }),
    [() => list.updateTo(HashList.empty('', 'web-risk')), 'RangeError: the newer list has profile web-risk, not v5'],
    [
      () => edition.updateTo(HashList.empty()),
      'RangeError: the newer list is for any edition of the Public Suffix List, not edition psl/1',
    ],
    [() => HashList.empty('a').updateTo(HashList.empty('b')), 'ListError: name: the newer list is "b", not "a"'],
  ]);
});

test('a name may say a width, and an empty list has any', () => {
  for (const [name, width] of [
    ['mw-4b', 4],
    ['gc-32b', 32],
    ['ours-5b', 5],
    ['ours', 8],
    ['mw-4b-old', 8],
  ] as const)
    assert.is(HashList.from(new Uint8Array(width), width, { name }).name, name);
  assert.is(HashList.from(new Uint8Array(0), 8, { name: 'mw-4b' }).size, 0);
});

test('a partial update that was applied before changes nothing, and one of the same version with other entries fails', () => {
  for (let trial = 0; trial < 100; trial++) {
    const [older, newer] = [0, 1].map(() => {
      const entries = randomEntries(1 + next(20), [4]);
      return HashList.from(packed(entries), 4, { version: Uint8Array.of(trial, next(256), next(256)) });
    }) as [HashList, HashList];
    const update = older.updateTo(newer);
    assert.is(newer.updated(update), newer);
    assert.equal(entriesOf(older.updated(update).updated(update)), entriesOf(newer));
    const other = HashList.from(randomBytes(next, 16), 4, { version: newer.version });
    if (other.checksum.every((byte, at) => byte === newer.checksum[at])) continue;
    reasonOf(() => other.updated({ ...update, removals: new Uint32Array(0) }));
  }
});

test.run();
