import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  BATCH_GET_HASH_LISTS_RESPONSE,
  HASH_LIST,
  ListError,
  type ListUpdate,
} from '../../../../src/entries/safe-browsing/lists.ts';
import { decodeLists } from '../../../../src/service/lists/messages/hash-list-message.ts';
import { errorOf, mustRefuse } from '../../../support/thrown.ts';
import { fixed64, message, repeated, type Wire } from '../wire.ts';

const test = suite('safe-browsing: messages of lists');

const hex = (text: string) => new Uint8Array(Buffer.from(text, 'hex'));
const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash('sha256').update(bytes).digest());
const reasonOf = (work: () => unknown) => {
  const error = errorOf(work);
  assert.instance(error, ListError);
  return `${(error as ListError).place} ${(error as ListError).reason}`;
};

/** The prefixes of an update, as `width: hex`. */
const additionsOf = ({ additions }: ListUpdate) => additions.map((each) => `${each.width}: ${hexOf(each.prefixes)}`);

const PREFIXES = '1d32c508291bc542f7a502e5';
const DATA = hex('7400d2971bed497400');
const RICE_32: readonly Wire[] = [
  [1, 489_866_504n],
  [2, 30n],
  [3, 2n],
  [4, DATA],
];
const CHECKSUM = sha256(hex(PREFIXES));
const COMMON: readonly Wire[] = [
  [1, 'mw-4b'],
  [2, hex('0102')],
  [4, message(...RICE_32)],
  [7, CHECKSUM],
];

test('HashList: the fields of v5, by number', () => {
  const removals = message([1, 5n], [2, 3n], [3, 1n], [4, hex('06')]);
  const wait = message([1, 1800n], [2, 500_000_000n]);
  const update = HASH_LIST.decode(message(...COMMON, [3, 1n], [5, removals], [6, wait]));
  assert.equal(additionsOf(update), [`4: ${PREFIXES}`]);
  assert.equal(
    { ...update, additions: [] },
    {
      name: 'mw-4b',
      version: hex('0102'),
      isPartial: true,
      additions: [],
      removals: Uint32Array.of(5, 8),
      checksum: CHECKSUM,
      minimumWaitMs: 1_800_500,
    },
  );
});

const FIRST = hex('1d32c5084a360e58f1b87109637a6810acad97a861a7769e8f1841410d2a960c');
const part = (index: number) => Buffer.from(FIRST).readBigUInt64BE(8 * index);
/** One prefix, in the message of its length. */
const WIDE: readonly [length: number, field: number, rice: Buffer][] = [
  [8, 9, message([1, part(0)])],
  [16, 10, Buffer.concat([message([1, part(0)]), fixed64(2, part(1))])],
  [32, 11, Buffer.concat([message([1, part(0)]), fixed64(2, part(1)), fixed64(3, part(2)), fixed64(4, part(3))])],
];

test('HashList: one prefix of 8, 16 and 32 bytes, whose parts are uint64 and fixed64', () => {
  for (const [length, field, rice] of WIDE) {
    const bytes = message([1, 'gc'], [field, rice], [7, CHECKSUM]);
    const update = HASH_LIST.decode(bytes);
    assert.equal(additionsOf(update), [`${length}: ${hexOf(FIRST.subarray(0, length))}`]);
    assert.equal(HASH_LIST.decode(HASH_LIST.encode(update)), update);
    assert.equal(HASH_LIST.fromJson(JSON.parse(JSON.stringify(HASH_LIST.toJson(update)))), update);
  }
});

test('HashList: the bytes that are written are those of the definition', () => {
  assert.is(hexOf(HASH_LIST.encode(HASH_LIST.decode(message(...COMMON)))), hexOf(message(...COMMON)));
});

test('HashList in JSON, as the service sends it', () => {
  const json = {
    name: 'mw-4b',
    version: 'AQI=',
    partialUpdate: true,
    additionsFourBytes: {
      firstValue: 489866504,
      riceParameter: 30,
      entriesCount: 2,
      encodedData: base64(DATA),
    },
    minimumWaitDuration: '1800.500s',
    sha256Checksum: base64(CHECKSUM),
  };
  const update = HASH_LIST.fromJson({ ...json, somethingNew: { a: [1] } });
  assert.equal(additionsOf(update), [`4: ${PREFIXES}`]);
  assert.is(update.minimumWaitMs, 1_800_500);
  assert.equal(HASH_LIST.toJson(update), json);
  assert.equal(
    HASH_LIST.fromJson({ partial_update: true, sha256Checksum: base64(CHECKSUM).replaceAll('+', '-') }).isPartial,
    true,
  );
  const wide = { firstValueHi: '2103960615330909784', firstValueLo: '17417795843993004048' };
  assert.equal(additionsOf(HASH_LIST.fromJson({ additionsSixteenBytes: wide })), [
    `16: ${hexOf(FIRST.subarray(0, 16))}`,
  ]);
});

test('HashList: a message that contradicts itself is refused, with the place', () => {
  const withField =
    (...field: Wire) =>
    () =>
      HASH_LIST.decode(message(...COMMON, field));
  assert.is(reasonOf(withField(9, WIDE[0]![2])), 'additions prefix-length');
  assert.is(reasonOf(withField(7, hex('00'))), 'checksum wrong-size');
  assert.is(reasonOf(withField(5, message([2, 3n], [3, 9n]))), 'removals rice-truncated');
  assert.is(reasonOf(withField(5, message([2, 31n], [3, 1n], [4, hex('0000000000')]))), 'removals rice-parameter');
  assert.is(reasonOf(withField(6, message([1, 2n ** 64n - 1n]))), 'message message'); // -1 second
  assert.is(
    reasonOf(() => HASH_LIST.decode(message(...COMMON).subarray(0, -1))),
    'message message',
  );
  assert.is(
    reasonOf(() => HASH_LIST.decode(hex('0f'))),
    'message message',
  );
  for (const json of [
    null,
    undefined,
    5,
    [],
    'x',
    { name: 5 },
    { version: '%' },
    { additionsFourBytes: { firstValue: -1 } },
  ])
    assert.is(
      reasonOf(() => HASH_LIST.fromJson(json)),
      'message message',
      JSON.stringify(json),
    );
  assert.instance(
    errorOf(() => HASH_LIST.decode('x' as never)),
    TypeError,
  );
  const update = HASH_LIST.decode(message(...COMMON));
  const group = update.additions[0]!;
  for (const additions of [
    [group, { width: 8, prefixes: new Uint8Array(8) }],
    [{ width: 5, prefixes: new Uint8Array(5) }],
  ])
    assert.is(
      reasonOf(() => HASH_LIST.encode({ ...update, additions })),
      'additions prefix-length',
    );
});

test('what was decoded has memory of its own', () => {
  const bytes = message(...COMMON);
  const update = HASH_LIST.decode(bytes);
  bytes.fill(0);
  assert.equal([hexOf(update.version), hexOf(update.checksum!)], ['0102', hexOf(CHECKSUM)]);
});

test('BatchGetHashListsResponse: several lists, in order', () => {
  const bytes = message([1, message(...COMMON)], [1, message([1, 'gc'])]);
  const updates = BATCH_GET_HASH_LISTS_RESPONSE.decode(bytes);
  assert.equal(
    updates.map(({ name }) => name),
    ['mw-4b', 'gc'],
  );
  assert.equal(BATCH_GET_HASH_LISTS_RESPONSE.decode(BATCH_GET_HASH_LISTS_RESPONSE.encode(updates)), updates);
  assert.equal(BATCH_GET_HASH_LISTS_RESPONSE.fromJson(BATCH_GET_HASH_LISTS_RESPONSE.toJson(updates)), updates);
  assert.equal(BATCH_GET_HASH_LISTS_RESPONSE.fromJson({}), []);
});

test('more lists than were asked for are refused, and no object is made of them', async () => {
  const tooMany = repeated([1, ''], 1 << 22);
  await mustRefuse([
    [() => BATCH_GET_HASH_LISTS_RESPONSE.decode(tooMany), 'ListError: message: it has more than 1000 lists'],
    [() => decodeLists(tooMany, 2), 'ListError: message: it has more than 2 lists'],
    [() => decodeLists(repeated([1, ''], 6), 2), 'ListError: message: it has more than 2 lists'],
  ]);
  assert.is(decodeLists(repeated([1, ''], 4), 2).length, 2);
  assert.is(BATCH_GET_HASH_LISTS_RESPONSE.decode(repeated([1, ''], 2000)).length, 1000);
});

test('a list that is not bytes is refused before it is counted wrong', async () => {
  const decoded = (bytes: Uint8Array) => () => BATCH_GET_HASH_LISTS_RESPONSE.decode(bytes);
  await mustRefuse([
    [decoded(repeated([1, 0n], 1 << 22)), 'ListError: message: an inner message has the wire type 0'],
    [decoded(message([1, 'abc']).subarray(0, 3)), 'ListError: message: an inner message is cut'],
  ]);
});

test.run();
