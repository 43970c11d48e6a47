// What a server sends is counted before objects are made of it, and JSON of any shape is refused in one way.
import { fromBinary } from '@bufbuild/protobuf';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  BATCH_GET_HASH_LISTS_RESPONSE,
  HASH_LIST,
  ListError,
  SEARCH_HASHES_RESPONSE,
  type SearchHashesResponse,
} from '../../../src/entries/safe-browsing/lists.ts';
import { decodeSearch } from '../../../src/service/check/hash-search.ts';
import { decodeLists } from '../../../src/service/lists/messages/hash-list-message.ts';
import { searchDescriptor } from '../../../src/service/lists/messages/search-responses.ts';
import { random, randomBytes } from '../../support/seed.ts';
import { errorOf } from '../../support/thrown.ts';
import { message, type Wire } from './wire.ts';

const test = suite('safe-browsing: limits of messages');
const next = random();

function refused(message: RegExp, call: () => unknown): void {
  const error = errorOf(call);
  assert.instance(error, ListError, `${error.name}: ${error.message}`);
  assert.match(error.message, message);
}

test('bytes that are not a message are refused in our words', () => {
  const ours =
    /^message: (?:not a [A-Za-z]+: (?:it ends inside a field|its bytes are not fields of protobuf)|a (?:message inside it|field that holds bytes) (?:has the wire type \d|is cut))$/;
  for (const bytes of ['0c', '07', '00', '80808080808080808080808080', '0aff01', 'f801', '0b0b0c0c0c', '1c', 'fa07'])
    for (const format of [HASH_LIST, SEARCH_HASHES_RESPONSE])
      refused(ours, () => format.decode(Buffer.from(bytes, 'hex')));
});

/** The same field over and over, each of two bytes. */
const empty = (byteLength: number, number = 1) => Buffer.alloc(byteLength, message([number, '']));

test('more lists than were asked for are refused, and no object is made of them', () => {
  const tooMany = empty(1 << 22);
  refused(/^message: it has more than 1000 lists$/, () => BATCH_GET_HASH_LISTS_RESPONSE.decode(tooMany));
  refused(/^message: it has more than 2 lists$/, () => decodeLists(tooMany, 2));
  refused(/^message: it has more than 2 lists$/, () => decodeLists(empty(6), 2));
  assert.is(decodeLists(empty(4), 2).length, 2);
  assert.is(BATCH_GET_HASH_LISTS_RESPONSE.decode(empty(2000)).length, 1000);
});

test('a list that is not bytes is refused before it is counted wrong', () => {
  refused(/an inner message has the wire type 0$/, () =>
    BATCH_GET_HASH_LISTS_RESPONSE.decode(Buffer.alloc(1 << 22, message([1, 0n]))),
  );
  refused(/an inner message is cut$/, () => BATCH_GET_HASH_LISTS_RESPONSE.decode(message([1, 'abc']).subarray(0, 3)));
});

test('hashes of no use to a check take no memory', () => {
  const before = process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
  const unasked = Buffer.concat(
    Array.from({ length: 20_000 }, () => message([1, message([1, randomBytes(next, 32)], [2, ''])])),
  );
  const details = message([1, Buffer.concat([message([1, Buffer.alloc(32)]), empty(1 << 20, 2)])]);
  const duration = message([2, message([1, 60n])]);
  const { listed } = decodeSearch(Buffer.concat([unasked, details, duration]), new Set([0, 1]));
  assert.is(listed.size, 0);
  assert.ok(process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers - before < 50e6);
  refused(/a full hash has 0 bytes, not 32$/, () => decodeSearch(empty(1 << 22), new Set([0])));
  refused(/a full hash has 0 bytes, not 32$/, () => SEARCH_HASHES_RESPONSE.decode(empty(1 << 22)));
});

test('equal details are one object, which nobody can change', () => {
  const many = message([1, Buffer.concat([message([1, Buffer.alloc(32)]), empty(1 << 20, 2)])]);
  const { details } = SEARCH_HASHES_RESPONSE.decode(many).fullHashes[0]!;
  assert.is(details.length, 1 << 19);
  assert.is(new Set(details).size, 1);
  assert.ok(Object.isFrozen(details[0]));
});

const TYPES = ['UNKNOWN', 'MALWARE', 'SOCIAL_ENGINEERING', 'UNWANTED_SOFTWARE', 'POTENTIALLY_HARMFUL_APPLICATION'];
const ATTRIBUTES = ['UNKNOWN', 'CANARY', 'FRAME_ONLY'];

/** Reads the same bytes by the library. */
function byLibrary(bytes: Uint8Array): unknown {
  const { fullHashes, cacheDuration } = fromBinary(searchDescriptor('SearchHashesResponse'), bytes) as never as {
    fullHashes: { fullHash: Uint8Array; fullHashDetails: { threatType: number; attributes: number[] }[] }[];
    cacheDuration?: { seconds: bigint; nanos: number };
  };
  return {
    fullHashes: fullHashes.map(({ fullHash, fullHashDetails }) => ({
      hash: Uint8Array.from(fullHash),
      details: fullHashDetails.map(({ threatType, attributes }) => ({
        threatType: TYPES[threatType] ?? 'UNKNOWN',
        attributes: attributes.map((attribute) => ATTRIBUTES[attribute] ?? 'UNKNOWN'),
      })),
    })),
    cacheMs: cacheDuration && Number(cacheDuration.seconds) * 1e3 + cacheDuration.nanos / 1e6,
  };
}

test('SearchHashesResponse reads as the library reads it, with fields in any order, again and unknown', () => {
  const shuffled = (fields: readonly Wire[]) => message(...[...fields].sort(() => next(3) - 1));
  const some = (most: number, make: () => Wire) => Array.from({ length: next(most) }, make);
  const unknown = (): Wire => [30 + next(5), next(2) === 0 ? BigInt(next(300)) : 'x'];
  const number = () => BigInt(next(10) === 0 ? 2 ** 31 + next(9) : next(7));
  const detail = (): Wire => [
    2,
    shuffled([
      ...some(3, () => [1, number()]),
      ...some(3, () => [2, number()]),
      ...some(2, () => [2, Buffer.from(Array.from({ length: next(4) }, () => next(5)))]),
      ...some(2, unknown),
    ]),
  ];
  const hash = (): Wire => [1, randomBytes(next, 32)];
  const duration = (): Wire => [
    2,
    shuffled([...some(2, () => [1, BigInt(next(9))]), ...some(2, () => [2, BigInt(next(9))])]),
  ];
  let sizes = 0;
  for (let round = 0; round < 2000; round++) {
    const full = (): Wire => [1, shuffled([hash(), ...some(2, hash), ...some(5, detail), ...some(2, unknown)])];
    const bytes = shuffled([...some(4, full), ...some(3, duration), ...some(2, unknown)]);
    const response: SearchHashesResponse = SEARCH_HASHES_RESPONSE.decode(bytes);
    assert.equal(response, byLibrary(bytes), `round ${round}: ${bytes.toString('hex')}`);
    sizes += response.fullHashes.length;
  }
  assert.ok(sizes > 1000);
});

const circular: { self?: unknown } = {};
circular.self = circular;
const getter = {
  get cacheDuration() {
    throw null;
  },
};
let deep: unknown = {};
for (let depth = 0; depth < 100_000; depth++) deep = [deep];

test('JSON that is deep, circular or not JSON is a ListError, or passed over where no field is meant', () => {
  for (const format of [HASH_LIST, BATCH_GET_HASH_LISTS_RESPONSE, SEARCH_HASHES_RESPONSE]) {
    for (const json of [deep, 1n, Symbol('x'), () => 1, [circular], 'x', 5, true])
      refused(/^message: not a [A-Za-z]+: /, () => format.fromJson(json));
    for (const json of [circular, { other: deep }, { other: 1n }]) format.fromJson(json);
  }
  for (const value of [deep, circular, 1n, Symbol('x'), () => 1]) {
    refused(/^message: not a /, () => SEARCH_HASHES_RESPONSE.fromJson({ fullHashes: value }));
    refused(/^message: not a /, () => SEARCH_HASHES_RESPONSE.fromJson({ fullHashes: [{ fullHashDetails: value }] }));
    refused(/^message: not a /, () =>
      SEARCH_HASHES_RESPONSE.fromJson({ fullHashes: [{ fullHashDetails: [{ attributes: [value] }] }] }),
    );
    // an object without a field that is known is an empty message
    if (value !== circular) refused(/^message: not a /, () => HASH_LIST.fromJson({ additionsFourBytes: value }));
  }
  refused(/^message: not a /, () => SEARCH_HASHES_RESPONSE.fromJson(getter));
  refused(/firstValue must be a number of at most \d+ characters, but has 1000000/, () =>
    HASH_LIST.fromJson({ additionsEightBytes: { firstValue: '9'.repeat(1e6) } }),
  );
});

test('the error is of a length to read, whatever it is about', () => {
  const error = errorOf(() => HASH_LIST.fromJson({ partialUpdate: 'x'.repeat(1e6) }));
  assert.ok(error.message.length < 300, `${error.message.length} characters`);
});

test.run();
