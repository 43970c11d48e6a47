// A server that lies, over real HTTP and packed: each lie ends in the reason that is meant for it, and costs memory and
// processor time in proportion to the bytes that may be asked for.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import * as assert from 'uvu/assert';
import { SafeBrowsingChecker } from '../../../src/entries/safe-browsing/check.ts';
import { BATCH_GET_HASH_LISTS_RESPONSE } from '../../../src/entries/safe-browsing/lists.ts';
import { random, randomBytes, SEED } from '../../support/seed.ts';
import { message, type Wire } from '../lists/wire.ts';
import { listOf, sha256 } from './scripted-server.ts';
import { duration, fullHash, searchResponse } from './search-response.ts';

type Send = (response: ServerResponse) => void;

const EVIL = 'http://evil.example/';
const WHOLE = listOf('mw-4b', 'evil.example/').toUpdate(0);
const next = random();

const packed = (body: Uint8Array): Send => {
  const bytes = gzipSync(body);
  return (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bytes);
};
/** Packed, a thousandth of what may be asked for. */
const ZEROS = packed(Buffer.alloc(100e6));
const many = (byteLength: number, ...field: Wire) => Buffer.alloc(byteLength, message(field));
const lists = (...updates: readonly (typeof WHOLE)[]) => packed(BATCH_GET_HASH_LISTS_RESPONSE.encode(updates));

/** Ends only when the client does. */
const endless: Send = (response) => {
  const more = () => {
    while (response.write(Buffer.alloc(1 << 16))) if (response.destroyed) return;
  };
  response.writeHead(200).on('drain', more);
  more();
};

/** Answers to hashLists:batchGet, and what the report says. */
const LIST_LIES: readonly (readonly [string, () => Send, RegExp])[] = [
  ['millions of empty lists', () => packed(many(6 << 20, 1, '')), /it has more than 1 lists/],
  ['two lists', () => lists(WHOLE, WHOLE), /it has more than 1 lists/],
  ['another list', () => lists({ ...WHOLE, name: 'se-4b' }), /does not have the list in its place/],
  ['no list', () => lists(), /does not have the list in its place/],
  ['a change of nothing', () => lists({ ...WHOLE, isPartial: true }), /asked for whole/],
  ['another checksum', () => lists({ ...WHOLE, checksum: new Uint8Array(32) }), /^checksum: /],
  ['no checksum', () => lists({ ...WHOLE, checksum: undefined }), /^checksum: /],
  ['removals of nothing', () => lists({ ...WHOLE, removals: Uint32Array.of(7) }), /^removals: /],
  [
    '2^31 - 1 entries',
    () => packed(message([1, message([1, 'mw-4b'], [4, message([2, 3n], [3, 2n ** 31n - 1n])])])),
    /hold at most/,
  ],
  [
    'a time before now',
    () => packed(message([1, message([1, 'mw-4b'], [6, message([1, 2n ** 64n - 5n])])])),
    /a duration must not be negative, but is -5/,
  ],
  ['noise', () => packed(Buffer.from(randomBytes(next, 1 + next(5000)))), /./],
  ['a hundred megabytes of zeros', () => ZEROS, /more than 80000000 bytes/],
  ['no end', () => endless, /more than 80000000 bytes|did not answer within/],
];

/** Answers to hashes:search. */
const SEARCH_LIES: readonly (readonly [string, () => Send, RegExp])[] = [
  ['millions of empty hashes', () => packed(many(6 << 20, 1, '')), /malformed/],
  ['empty hashes', () => packed(many(60_000, 1, '')), /malformed/],
  [
    'hashes that nobody asked for',
    () => packed(searchResponse(Array(1000).fill(fullHash(sha256('x'), [])), duration(9))),
    /^safe, server$/,
  ],
  [
    'details that nobody knows',
    () =>
      packed(
        message([1, Buffer.concat([message([1, sha256('evil.example/')]), many(50_000, 2, '')])], [2, duration(9)]),
      ),
    /^safe, server$/,
  ],
  [
    'the same threat thousands of times',
    () => packed(searchResponse([fullHash(sha256('evil.example/'), Array(5000).fill({ threatType: 1 }))], duration(9))),
    /^unsafe, server$/,
  ],
  ['nothing, and no duration', () => packed(Buffer.alloc(0)), /malformed/],
  ['a duration below zero', () => packed(searchResponse([], message([1, 2n ** 64n - 5n]))), /malformed/],
  ['a duration without end', () => packed(searchResponse([], duration(2 ** 52))), /^safe, server$/],
  ['groups in groups', () => packed(Buffer.alloc(60_000, 0x5b)), /malformed/],
  ['a hundred megabytes of zeros', () => ZEROS, /malformed/],
  ['no end', () => endless, /malformed|time-out/],
  ['another place', () => (response) => response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(), /status/],
  ['a year to wait', () => (response) => response.writeHead(503, { 'retry-after': '31536000' }).end(), /status/],
  ['text', () => (response) => response.end('<html>'.repeat(next(100))), /malformed/],
];

const DAY = 86_400_000;
/** Bytes. Objects for six megabytes of empty lists alone would take three times as much. */
const MAX_MEMORY = 800e6;

/** @param count lies, each kind in turn */
export async function lies(count: number): Promise<string> {
  let send: Send = (response) => response.end();
  const server = createServer((_request, response) => send(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v5/`;
  const options = { server: url, whenUnsure: 'block', timeoutMs: 60_000 } as const;
  let longest = 0;
  try {
    for (let lie = 0; lie < count; lie++) {
      const isSearch = lie % 2 === 1;
      const kinds = isSearch ? SEARCH_LIES : LIST_LIES;
      const [name, make, expected] = kinds[(lie >> 1) % kinds.length]!;
      send = make();
      const before = process.cpuUsage();
      const what = `seed ${SEED}, lie ${lie}: ${name}`;
      if (isSearch) await searchFrom(new SafeBrowsingChecker({ ...options, procedure: 'no-storage' }), expected, what);
      else
        await listFrom(
          new SafeBrowsingChecker({ ...options, procedure: 'local-list', lists: ['mw-4b'] }),
          expected,
          what,
        );
      longest = Math.max(longest, process.cpuUsage(before).user / 1000);
    }
  } finally {
    server.closeAllConnections();
    server.close();
  }
  const memory = 1024 * process.resourceUsage().maxRSS;
  assert.ok(memory < MAX_MEMORY, `${memory} bytes of memory`);
  return `${count} lies, none believed; the most expensive took ${longest.toFixed(0)} ms, all of them ${(memory / 1e6).toFixed(0)} MB`;
}

async function searchFrom(checker: SafeBrowsingChecker, expected: RegExp, what: string): Promise<void> {
  const { verdict, reason, threats } = await checker.check(EVIL);
  assert.match(`${verdict}, ${reason}`, expected, what);
  assert.ok(threats.length <= 1, what);
}

async function listFrom(checker: SafeBrowsingChecker, expected: RegExp, what: string): Promise<void> {
  const [report] = await checker.update();
  assert.is(report!.status, 'failed', what);
  assert.match(report!.detail!, expected, what);
  assert.is((await checker.check('http://good.example/')).reason, 'unsure: list-missing', what);
  assert.ok(checker.nextUpdateAt <= Date.now() + DAY, what);
}
