import { suite } from 'uvu';
import { BATCH_GET_HASH_LISTS_RESPONSE, HASH_LIST, HashList } from '../../../src/entries/safe-browsing/lists.ts';
import { mustRefuse } from '../../support/thrown.ts';

const test = suite('safe-browsing: updates of lists');

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

test('what is not an update is named by its part', async () => {
  for (const [wrong, part, message] of WRONG) {
    const update = wrong as never;
    await mustRefuse([
      [() => LIST.updated(update), `TypeError: update${part} ${message}`],
      [() => HASH_LIST.encode(update), `TypeError: value${part} ${message}`],
      [() => HASH_LIST.toJson(update), `TypeError: value${part} ${message}`],
      [() => BATCH_GET_HASH_LISTS_RESPONSE.encode([UPDATE, update]), `TypeError: value[1]${part} ${message}`],
      [() => BATCH_GET_HASH_LISTS_RESPONSE.toJson([UPDATE, update]), `TypeError: value[1]${part} ${message}`],
    ]);
  }
  await mustRefuse([
    [() => BATCH_GET_HASH_LISTS_RESPONSE.encode(UPDATE as never), 'TypeError: value must be an array, got Object'],
  ]);
});

test.run();
