import { fromBinary } from '@bufbuild/protobuf';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SEARCH_HASHES_RESPONSE, type SearchHashesResponse } from '../../../../src/entries/safe-browsing/lists.ts';
import { decodeSearch } from '../../../../src/service/check/hash-search.ts';
import { searchDescriptor } from '../../../../src/service/lists/messages/search-responses.ts';
import { random, randomBytes } from '../../../support/seed.ts';
import { mustRefuse } from '../../../support/thrown.ts';
import { message, repeated, type Wire } from '../wire.ts';

const test = suite('safe-browsing: messages of searches');
const next = random();

const HASH = '1d32c5084a360e58f1b87109637a6810acad97a861a7769e8f1841410d2a960c';
const FIRST = Uint8Array.from(Buffer.from(HASH, 'hex'));

test('SearchHashesResponse: hashes with their threats, and how long they hold', async () => {
  const details = [
    message([1, 2n], [2, Buffer.of(1, 2)]),
    message([1, 1n]),
    message([1, 99n]),
    message([1, 1n], [2, 7n]),
  ];
  const full = message([1, FIRST], ...details.map((detail): Wire => [2, detail]));
  const response = SEARCH_HASHES_RESPONSE.decode(message([1, full], [2, message([1, 300n])]));
  assert.equal(response, {
    fullHashes: [
      {
        hash: FIRST,
        details: [
          { threatType: 'SOCIAL_ENGINEERING', attributes: ['CANARY', 'FRAME_ONLY'] },
          { threatType: 'MALWARE', attributes: [] },
          { threatType: 'UNKNOWN', attributes: [] },
          { threatType: 'MALWARE', attributes: ['UNKNOWN'] },
        ],
      },
    ],
    cacheMs: 300_000,
  });
  assert.equal(SEARCH_HASHES_RESPONSE.decode(SEARCH_HASHES_RESPONSE.encode(response)), response);
  for (const cacheMs of [0, undefined]) {
    const bytes = SEARCH_HASHES_RESPONSE.encode({ fullHashes: [], cacheMs });
    assert.equal(bytes.length, cacheMs === undefined ? 0 : 2);
    assert.equal(SEARCH_HASHES_RESPONSE.decode(bytes), { fullHashes: [], cacheMs });
  }
  const short = message([1, message([1, Buffer.of(0)])]);
  await mustRefuse([
    [() => SEARCH_HASHES_RESPONSE.decode(short), 'ListError: message: a full hash has 1 bytes, not 32'],
  ]);
});

test('SearchHashesResponse in JSON: an unknown name does not turn one threat into another', () => {
  const fullHashDetails = [
    { threatType: 'MALWARE', attributes: ['CANARY', 'FRAME_ONLY'] },
    { threatType: 'MALWARE', attributes: ['CANARY', 'NEW_ONE'] },
    { threatType: 'NEW_THREAT' },
  ];
  const json = {
    fullHashes: [{ fullHash: Buffer.from(HASH, 'hex').toString('base64'), fullHashDetails }],
    cacheDuration: '300s',
  };
  const response = SEARCH_HASHES_RESPONSE.fromJson(json);
  assert.equal(response.fullHashes[0]!.details, [
    { threatType: 'MALWARE', attributes: ['CANARY', 'FRAME_ONLY'] },
    { threatType: 'MALWARE', attributes: ['CANARY', 'UNKNOWN'] },
    { threatType: 'UNKNOWN', attributes: [] },
  ]);
  assert.is(response.cacheMs, 300_000);
  const own = { ...response, fullHashes: [{ hash: FIRST, details: response.fullHashes[0]!.details.slice(0, 1) }] };
  assert.equal(SEARCH_HASHES_RESPONSE.toJson(own), {
    fullHashes: [
      { fullHash: Buffer.from(HASH, 'hex').toString('base64'), fullHashDetails: fullHashDetails.slice(0, 1) },
    ],
    cacheDuration: '300s',
  });
});

test('hashes of no use to a check take no memory', async () => {
  const before = process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
  const unasked = Buffer.concat(
    Array.from({ length: 20_000 }, () => message([1, message([1, randomBytes(next, 32)], [2, ''])])),
  );
  const details = message([1, Buffer.concat([message([1, Buffer.alloc(32)]), repeated([2, ''], 1 << 20)])]);
  const duration = message([2, message([1, 60n])]);
  const { listed } = decodeSearch(Buffer.concat([unasked, details, duration]), new Set([0, 1]));
  assert.is(listed.size, 0);
  assert.ok(process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers - before < 50e6);
  const empty = repeated([1, ''], 1 << 22);
  await mustRefuse([
    [() => decodeSearch(empty, new Set([0])), 'ListError: message: a full hash has 0 bytes, not 32'],
    [() => SEARCH_HASHES_RESPONSE.decode(empty), 'ListError: message: a full hash has 0 bytes, not 32'],
  ]);
});

test('equal details are one object, which nobody can change', () => {
  const many = message([1, Buffer.concat([message([1, Buffer.alloc(32)]), repeated([2, ''], 1 << 20)])]);
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

test('SearchHashesResponse: what is not one is named by its part', async () => {
  const hash = new Uint8Array(32);
  const of = (fullHash: unknown) => ({ fullHashes: [fullHash], cacheMs: 1 });
  for (const [value, error] of [
    [undefined, 'TypeError: value must be an object, got undefined'],
    [{}, 'TypeError: value.fullHashes must be an array, got undefined'],
    [{ fullHashes: [], cacheMs: 1n }, 'TypeError: value.cacheMs must be a number, got bigint'],
    [of(5), 'TypeError: value.fullHashes[0] must be an object, got number'],
    [of({ hash: 'x' }), 'TypeError: value.fullHashes[0].hash must be a Uint8Array, got string'],
    [of({ hash: new Uint8Array(31), details: [] }), 'ListError: message: a full hash has 31 bytes, not 32'],
    [of({ hash }), 'TypeError: value.fullHashes[0].details must be an array, got undefined'],
    [of({ hash, details: [1] }), 'TypeError: value.fullHashes[0].details[0] must be an object, got number'],
    [
      of({ hash, details: [{ threatType: 'MALWARE' }] }),
      'TypeError: value.fullHashes[0].details[0].attributes must be an array, got undefined',
    ],
    [
      of({ hash, details: [{ threatType: 'MALWERE', attributes: [] }] }),
      'RangeError: value.fullHashes[0].details[0].threatType must be one of UNKNOWN, MALWARE, …',
    ],
  ] as const)
    await mustRefuse([
      [() => SEARCH_HASHES_RESPONSE.encode(value as never), error],
      [() => SEARCH_HASHES_RESPONSE.toJson(value as never), error],
    ]);
});

test.run();
