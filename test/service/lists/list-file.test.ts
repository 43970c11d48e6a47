import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { HashList, ListError } from '../../../src/entries/safe-browsing/lists.ts';
import { random, randomBytes } from '../../support/seed.ts';
import { errorOf } from '../../support/thrown.ts';

const test = suite('safe-browsing: lists as files');
const next = random();

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const reasonOf = (work: () => unknown) => {
  const error = errorOf(work);
  assert.instance(error, ListError, String(error));
  return `${(error as ListError).place} ${(error as ListError).reason}`;
};

const STORED = HashList.from(
  [4, 6].map((width) => ({ width, prefixes: randomBytes(next, 15 * width) })),
  { name: 'ours', profile: 'web-risk' },
);

test('a file holds the list as it is', () => {
  for (const list of [
    STORED,
    HashList.empty(),
    HashList.from(randomBytes(next, 3200), 32, { name: 'ü"\\' }),
    HashList.from(randomBytes(next, 40), 4, { suffixList: 'psl/2026-01-02' }),
  ]) {
    const read = HashList.fromBytes(list.toBytes());
    assert.equal(read.toBytes(), list.toBytes());
    assert.equal(
      [read.name, read.version, read.profile, read.suffixList, read.checksum],
      [list.name, list.version, list.profile, list.suffixList, list.checksum],
    );
    assert.equal(read.groups, list.groups);
  }
});

test('a file is refused after any cut, any changed bit and an added byte', () => {
  const bytes = STORED.toBytes();
  for (let length = 0; length < bytes.length; length++)
    assert.instance(
      errorOf(() => HashList.fromBytes(bytes.subarray(0, length))),
      ListError,
      `${length} bytes`,
    );
  for (let bit = 0; bit < 8 * bytes.length; bit++) {
    const damaged = bytes.slice();
    damaged[bit >> 3]! ^= 1 << (bit & 7);
    assert.instance(
      errorOf(() => HashList.fromBytes(damaged)),
      ListError,
      `bit ${bit}`,
    );
  }
  assert.is(
    reasonOf(() => HashList.fromBytes(Buffer.concat([bytes, Buffer.alloc(1)]))),
    'file wrong-size',
  );
});

test('a file with right checksums and a wrong header is refused', () => {
  const withHeader = (header: unknown) => {
    const text = Buffer.from(typeof header === 'string' ? header : JSON.stringify(header));
    const start = Buffer.from('urlsumHL\x01\0\0\0\0\0\0\0');
    start.writeUInt32LE(text.length, 12);
    return Buffer.concat([start, Buffer.from(sha256(text), 'hex'), text, Buffer.alloc(8)]);
  };
  const good = {
    name: '',
    version: '',
    profile: 'v5',
    groups: [{ length: 8, count: 1 }],
    checksum: sha256(Buffer.alloc(8)),
  };
  assert.is(HashList.fromBytes(withHeader(good)).size, 1);
  for (const [header, expected] of [
    ['null', 'file not-a-list'],
    ['{', 'file not-a-list'],
    [[], 'file not-a-list'],
    [{ ...good, name: 5 }, 'file not-a-list'],
    [{ ...good, version: '0' }, 'file not-a-list'],
    [{ ...good, suffixList: 5 }, 'file not-a-list'],
    [{ ...good, groups: [{ length: 8, count: -1 }] }, 'file not-a-list'],
    [{ ...good, groups: [{ length: 8, count: 1e300 }] }, 'file not-a-list'],
    [{ ...good, groups: [null] }, 'file not-a-list'],
    [
      {
        ...good,
        groups: [
          { length: 4, count: 1 },
          { length: 4, count: 1 },
        ],
      },
      'file not-a-list',
    ],
    [{ ...good, groups: [{ length: 4, count: 2 }] }, 'file repeated-entry'],
    [{ ...good, groups: [{ length: 2, count: 4 }] }, 'file prefix-length'],
    [{ ...good, groups: [{ length: 8, count: 2 ** 40 }] }, 'file wrong-size'],
    [{ ...good, groups: [] }, 'file wrong-size'],
    [{ ...good, profile: 'v6' }, 'file unknown-version'],
    [{ ...good, checksum: sha256(Buffer.alloc(9)) }, 'file checksum'],
  ] as const)
    assert.is(
      reasonOf(() => HashList.fromBytes(withHeader(header))),
      expected,
      JSON.stringify(header),
    );
});

test.run();
