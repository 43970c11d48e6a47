// A message of every kind, at n and at 4n bytes.
import * as assert from 'uvu/assert';
import {
  BATCH_GET_HASH_LISTS_RESPONSE,
  HASH_LIST,
  HashList,
  ListError,
  type MessageFormat,
  SEARCH_HASHES_RESPONSE,
} from '../../../src/entries/safe-browsing/lists.ts';
import { decodeSearch } from '../../../src/service/check/hash-search.ts';
import { mustBeLinear } from '../../support/linear.ts';
import { random, randomBytes, SEED } from '../../support/seed.ts';
import { message, type Wire } from './wire.ts';

/** Gives a message of about so many bytes, and what reads it. */
type Growing = (byteLength: number) => () => unknown;

const next = random();
const NAME = 'mw';

function listOf(byteLength: number, length: number): HashList {
  const count = Math.ceil(byteLength / length);
  return HashList.from(randomBytes(next, count * length), length, { name: NAME });
}

const times = (count: number, field: Wire): Buffer => Buffer.concat(Array(Math.ceil(count)).fill(message(field)));

function decoding<T>(format: MessageFormat<T>, make: (byteLength: number) => Uint8Array): Growing {
  return (byteLength) => {
    const bytes = make(byteLength);
    return () => format.decode(bytes);
  };
}

function reading<T>(format: MessageFormat<T>, make: (byteLength: number) => unknown): Growing {
  return (byteLength) => {
    const json = make(byteLength);
    return () => format.fromJson(json);
  };
}

/** Makes a message in bytes and in JSON. */
function both<T>(name: string, format: MessageFormat<T>, make: (byteLength: number) => T): [string, Growing][] {
  return [
    [name, decoding(format, (byteLength) => format.encode(make(byteLength)))],
    [`${name}, JSON`, reading(format, (byteLength) => format.toJson(make(byteLength)))],
  ];
}

const fullHash = (details: Buffer): Buffer =>
  message([1, Buffer.concat([message([1, randomBytes(next, 32)]), details])]);
const search = (hashes: readonly Buffer[]): Buffer => Buffer.concat([...hashes, message([2, message([1, 9n])])]);
const DETAIL: Wire = [2, message([1, 1n], [2, Buffer.of(2)])];
const noise = (byteLength: number): Buffer => times(byteLength / 4, [50, Buffer.of(1)]);

const SEARCHES: readonly [string, (byteLength: number) => Buffer][] = [
  ['many hashes', (byteLength) => search(Array.from({ length: byteLength / 42 }, () => fullHash(message(DETAIL))))],
  ['many details', (byteLength) => search([fullHash(times(byteLength / 7, DETAIL))])],
  ['many attributes', (byteLength) => search([fullHash(message([2, message([2, Buffer.alloc(byteLength, 2)])]))])],
  ['many durations', (byteLength) => times(byteLength / 4, [2, message([1, 9n])])],
  ['empty hashes', (byteLength) => times(byteLength / 2, [1, ''])],
  ['unknown fields', (byteLength) => Buffer.concat([noise(byteLength), search([])])],
];

const KINDS: readonly (readonly [string, Growing])[] = [
  ...[4, 8, 16, 32].flatMap((length) =>
    both(`HashList of ${length} bytes`, HASH_LIST, (byteLength) => listOf(byteLength, length).toUpdate()),
  ),
  ...both('HashList with removals', HASH_LIST, (byteLength) => ({
    ...listOf(byteLength / 2, 4).toUpdate(),
    isPartial: true,
    removals: Uint32Array.from({ length: byteLength / 2 }, (_, index) => 3 * index),
  })),
  [
    'HashList, a field again and again',
    decoding(HASH_LIST, (byteLength) => times(byteLength / 4, [4, message([1, 1n])])),
  ],
  ['HashList, unknown fields', decoding(HASH_LIST, noise)],
  ['HashList, a long name', decoding(HASH_LIST, (byteLength) => message([1, 'n'.repeat(byteLength)]))],
  [
    'HashList, a long number in JSON',
    reading(HASH_LIST, (byteLength) => ({ additionsEightBytes: { firstValue: '9'.repeat(byteLength) } })),
  ],
  [
    'HashList, a long duration in JSON',
    reading(HASH_LIST, (byteLength) => ({ minimumWaitDuration: `1.${'9'.repeat(byteLength)}` })),
  ],
  ...both('BatchGetHashListsResponse', BATCH_GET_HASH_LISTS_RESPONSE, (byteLength) =>
    Array.from({ length: 100 }, () => listOf(byteLength / 100, 4).toUpdate()),
  ),
  [
    'BatchGetHashListsResponse, empty lists',
    decoding(BATCH_GET_HASH_LISTS_RESPONSE, (byteLength) => times(byteLength / 2, [1, ''])),
  ],
  ...both('SearchHashesResponse', SEARCH_HASHES_RESPONSE, (byteLength) => ({
    fullHashes: Array.from({ length: byteLength / 42 }, () => ({
      hash: randomBytes(next, 32),
      details: [{ threatType: 'MALWARE', attributes: ['FRAME_ONLY'] }] as const,
    })),
    cacheMs: 300_000,
  })),
  ...SEARCHES.flatMap(([name, make]): [string, Growing][] => [
    [`SearchHashesResponse, ${name}`, decoding(SEARCH_HASHES_RESPONSE, make)],
    [
      `SearchHashesResponse in a check, ${name}`,
      (byteLength) => {
        const bytes = make(byteLength);
        return () => decodeSearch(bytes, new Set([1]));
      },
    ],
  ]),
];

/** @returns a sentence on what was seen */
export function linearGrowth(byteLength: number): string {
  const growths = KINDS.map(([name, make]) => ({
    name,
    growth: mustBeLinear(`${name} (seed ${SEED})`, make, read, byteLength),
  }));
  const worst = growths.reduce((one, other) => (one.growth > other.growth ? one : other));
  return `${KINDS.length} kinds, of which the steepest takes ${worst.growth.toFixed(1)} times as long: ${worst.name}`;
}

/** Reads a message: one that is refused counts as well. */
function read(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    assert.instance(error, ListError);
  }
}
