import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  BATCH_GET_HASH_LISTS_RESPONSE,
  HASH_LIST,
  HashList,
  ListError,
  SEARCH_HASHES_RESPONSE,
} from '../../../../src/entries/safe-browsing/lists.ts';
import { errorOf } from '../../../support/thrown.ts';

const test = suite('safe-browsing: messages, whatever they hold');

const UPDATE = HashList.from(Uint8Array.of(1, 2, 3, 4), 4, { name: 'mw-4b' }).toUpdate();

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

test('a message in JSON has each field once: by one name, in one spelling, at every depth', () => {
  const width = '"additionsFourBytes":{"firstValue":256}';
  assert.is(HASH_LIST.fromJson(`{"name":"mw-4b",${width}}`).name, 'mw-4b');
  for (const text of [
    `{"name":"mw-4b",${width},"name":"se-4b"}`,
    `{"name":"mw-4b",${width},"n\\u0061me":"mw-4b"}`,
    '{"name":"mw-4b","additionsFourBytes":{"firstValue":256,"firstValue":257}}',
    `{"name":"mw-4b",${width},"later":{"a":[{"b":1,"b":1}]}}`,
  ])
    assert.match(String(errorOf(() => HASH_LIST.fromJson(text))), /^ListError: .*: the name ".*" occurs twice/, text);
  for (const json of [
    { partialUpdate: true, partial_update: false },
    { additionsFourBytes: { firstValue: 256, first_value: 257 } },
  ])
    for (const given of [json, JSON.stringify(json)])
      assert.match(
        String(errorOf(() => HASH_LIST.fromJson(given))),
        /^ListError: message: it has both (\w+) and \w+_\w+, which are one field$/,
      );
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

test.run();
