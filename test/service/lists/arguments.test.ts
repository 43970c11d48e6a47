import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  BATCH_GET_HASH_LISTS_RESPONSE,
  decodeRice,
  HASH_LIST,
  HashList,
  ListError,
  SEARCH_HASHES_RESPONSE,
} from '../../../src/entries/safe-browsing/lists.ts';
import { ExpressionHasher, PrefixSet } from '../../../src/entries/safe-browsing.ts';
import { errorOf } from '../../support/thrown.ts';

const test = suite('safe-browsing: arguments of lists and messages');

function refused(message: string, call: () => unknown): void {
  const error = errorOf(call);
  assert.instance(error, TypeError, `${error.name}: ${error.message}`);
  assert.is(error.message, message);
}

const LIST = HashList.from(Uint8Array.of(1, 2, 3, 4), 4, { name: 'MALWARE/ANY_PLATFORM/URL' });
const UPDATE = LIST.toUpdate();

/** Updates that are not, and what is said of them. */
const WRONG: readonly (readonly [unknown, string, string])[] = [
  [undefined, '', 'must be an object, got undefined'],
  [null, '', 'must be an object, got null'],
  [5n, '', 'must be an object, got bigint'],
  [{ ...UPDATE, name: 5 }, '.name', 'must be a string, got number'],
  [{ ...UPDATE, version: 'x' }, '.version', 'must be a Uint8Array, got string'],
  [{ ...UPDATE, isPartial: undefined }, '.isPartial', 'must be a boolean, got undefined'],
  [{ ...UPDATE, additions: undefined }, '.additions', 'must be an array, got undefined'],
  [{ ...UPDATE, additions: [5] }, '.additions[0]', 'must be an object, got number'],
  [{ ...UPDATE, additions: [{ width: 4n }] }, '.additions[0].width', 'must be a number, got bigint'],
  [{ ...UPDATE, additions: [{ width: 4 }] }, '.additions[0].prefixes', 'must be a Uint8Array, got undefined'],
  [{ ...UPDATE, removals: [1] }, '.removals', 'must be a Uint32Array, got Array'],
  [{ ...UPDATE, checksum: null }, '.checksum', 'must be a Uint8Array, got null'],
  [{ ...UPDATE, minimumWaitMs: 5n }, '.minimumWaitMs', 'must be a number, got bigint'],
];

test('what is not an update is named by its part', () => {
  for (const [update, part, message] of WRONG) {
    refused(`update${part} ${message}`, () => LIST.updated(update as never));
    refused(`value${part} ${message}`, () => HASH_LIST.encode(update as never));
    refused(`value${part} ${message}`, () => HASH_LIST.toJson(update as never));
    refused(`value[1]${part} ${message}`, () => BATCH_GET_HASH_LISTS_RESPONSE.encode([UPDATE, update] as never));
    refused(`value[1]${part} ${message}`, () => BATCH_GET_HASH_LISTS_RESPONSE.toJson([UPDATE, update] as never));
  }
  refused('value must be an array, got Object', () => BATCH_GET_HASH_LISTS_RESPONSE.encode(UPDATE as never));
});

test('what is not a list, a group or options of one', () => {
  const any = (value: unknown) => value as never;
  const prefixes = Uint8Array.of(1, 2, 3, 4);
  for (const [list, kind] of [
    [undefined, 'undefined'],
    [null, 'null'],
    [{}, 'Object'],
    [UPDATE, 'Object'],
    ['MALWARE', 'string'],
  ] as const)
    refused(`newer must be a HashList, got ${kind}`, () => LIST.updateTo(list as never));
  for (const [call, message] of [
    [() => HashList.from(prefixes, 4, any(null)), 'options must be an object, got null'],
    [() => LIST.toUpdate(any('1800')), 'minimumWaitMs must be a number, got string'],
    [() => LIST.updateTo(LIST, any(null)), 'minimumWaitMs must be a number, got null'],
    [() => HashList.from([], any(5)), 'options must be an object, got number'],
    [() => HashList.from(any(null), 4), 'prefixes must be a Uint8Array, got null'],
    [() => HashList.from([any(null)]), 'groups[0] must be an object, got null'],
    [
      () => HashList.from([{ prefixes, width: 4 }, any({ width: 4 })]),
      'groups[1].prefixes must be a Uint8Array, got undefined',
    ],
    [() => HashList.from([{ prefixes, width: any('4') }]), 'groups[0].width must be a number, got string'],
  ] as const)
    refused(message, call);
  const error = errorOf(() => HashList.from(prefixes, 4, any({ nme: 'x' })));
  assert.is(
    `${error.name}: ${error.message}`,
    'RangeError: options has no "nme", only name, version, profile, suffixList',
  );
});

test('deltas that are not', () => {
  const deltas = { firstValue: 1n, riceParameter: 3, entriesCount: 0, encodedData: new Uint8Array(0) };
  for (const [value, message] of [
    [undefined, 'deltas must be an object, got undefined'],
    [null, 'deltas must be an object, got null'],
    [{}, 'deltas.firstValue must be a bigint, got undefined'],
    [{ ...deltas, firstValue: 1 }, 'deltas.firstValue must be a bigint, got number'],
    [{ ...deltas, riceParameter: '3' }, 'deltas.riceParameter must be a number, got string'],
    [{ ...deltas, entriesCount: 1n }, 'deltas.entriesCount must be a number, got bigint'],
    [{ ...deltas, encodedData: [] }, 'deltas.encodedData must be a Uint8Array, got Array'],
  ] as const)
    refused(message, () => decodeRice(value as never, 4));
  assert.equal(decodeRice(deltas, 4), Uint8Array.of(0, 0, 0, 1));
});

test('times that no message can have are a ListError', () => {
  for (const milliseconds of [Number.NaN, -1, Number.POSITIVE_INFINITY, 1e300]) {
    const update = { ...UPDATE, minimumWaitMs: milliseconds };
    for (const encode of [
      () => HASH_LIST.encode(update),
      () => HASH_LIST.toJson(update),
      () => BATCH_GET_HASH_LISTS_RESPONSE.encode([update]),
      () => SEARCH_HASHES_RESPONSE.encode({ fullHashes: [], cacheMs: milliseconds }),
    ])
      assert.instance(errorOf(encode), ListError, `${milliseconds}`);
  }
});

test('a fraction of a second that rounds up to a whole one still fits in a message', () => {
  for (const milliseconds of [999.9999999, 1_800_999.9999999]) {
    const update = { ...UPDATE, minimumWaitMs: milliseconds };
    for (const read of [HASH_LIST.decode(HASH_LIST.encode(update)), HASH_LIST.fromJson(HASH_LIST.toJson(update))])
      assert.ok(Math.abs(read.minimumWaitMs - milliseconds) < 1e-5, `${read.minimumWaitMs}`);
  }
});

test('SearchHashesResponse', () => {
  const hash = new Uint8Array(32);
  const of = (fullHash: unknown) => ({ fullHashes: [fullHash], cacheMs: 1 });
  for (const [value, message] of [
    [undefined, 'value must be an object, got undefined'],
    [{}, 'value.fullHashes must be an array, got undefined'],
    [{ fullHashes: [], cacheMs: 1n }, 'value.cacheMs must be a number, got bigint'],
    [of(5), 'value.fullHashes[0] must be an object, got number'],
    [of({ hash: 'x' }), 'value.fullHashes[0].hash must be a Uint8Array, got string'],
    [of({ hash }), 'value.fullHashes[0].details must be an array, got undefined'],
    [of({ hash, details: [1] }), 'value.fullHashes[0].details[0] must be an object, got number'],
    [
      of({ hash, details: [{ threatType: 'MALWARE' }] }),
      'value.fullHashes[0].details[0].attributes must be an array, got undefined',
    ],
  ] as const) {
    refused(message, () => SEARCH_HASHES_RESPONSE.encode(value as never));
    refused(message, () => SEARCH_HASHES_RESPONSE.toJson(value as never));
  }
  const unknown = of({ hash, details: [{ threatType: 'MALWERE', attributes: [] }] });
  const error = errorOf(() => SEARCH_HASHES_RESPONSE.encode(unknown as never));
  assert.instance(error, RangeError);
  assert.match(error.message, /^value\.fullHashes\[0\]\.details\[0\]\.threatType must be one of UNKNOWN, MALWARE, /);
  assert.instance(
    errorOf(() => SEARCH_HASHES_RESPONSE.encode(of({ hash: new Uint8Array(31), details: [] }) as never)),
    ListError,
  );
});

test('what is not a column, and a row that is not a number', () => {
  const column = new ExpressionHasher({ width: 8 }).hashMany(['http://good.example/']);
  const set = PrefixSet.from(Uint8Array.of(1, 2, 3, 4), 4);
  for (const [wrong, kind] of [
    [undefined, 'undefined'],
    [null, 'null'],
    [5n, 'bigint'],
    ['http://good.example/', 'string'],
    [['http://good.example/'], 'Array'],
    [{ bytes: new Uint8Array(0) }, 'Object'],
    [{ ...column, length: undefined }, 'Object'],
  ] as const) {
    const message = `column must be an ExpressionColumn, got ${kind}`;
    refused(message, () => LIST.matches(wrong as never));
    refused(message, () => LIST.matchesOf(0, wrong as never));
    refused(message, () => set.matches(wrong as never));
    if (wrong !== undefined) refused(message, () => set.matchesOf(0, wrong as never));
  }
  for (const [row, kind] of [
    [1n, 'bigint'],
    [Symbol('0'), 'symbol'],
    ['0', 'string'],
    [undefined, 'undefined'],
  ] as const) {
    const message = `row must be a number, got ${kind}`;
    for (const call of [
      () => column.at(row as never),
      () => column.hex(row as never),
      () => column.errorAt(row as never),
      () => LIST.matchesOf(row as never, column),
      () => set.matchesOf(row as never, column),
    ])
      refused(message, call);
  }
  assert.equal(column.at(1), []);
});

test.run();
