import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { KeyTable, type SortedKeys } from '../../../src/hash-uri/rdf/key-table.ts';
import { SpillingKeys } from '../../../src/hash-uri/rdf-files/spilling-keys.ts';
import { random, SEED } from '../../seed.ts';

const test = suite('hash-uri/rdf-files: keys that spill');

function drained(keys: SortedKeys, order: 'code-points' | 'utf16'): string[] {
  const found: string[] = [];
  keys.drain((bytes, start, end) => found.push(Buffer.from(bytes.subarray(start, end)).toString('latin1')), order);
  return found;
}

const key = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b', '\0', '\n', 'é', '\ue000', '\uffff', '\u{1f600}'), maxLength: 20 }),
  fc.constant('the same'),
  fc.nat(2).map((size) => 'long'.repeat(1000 * 9 ** size)),
);

test('any number of runs gives the keys that one table does, in either order, once and again', () => {
  let runCount = 0;
  fc.assert(
    fc.property(fc.array(key, { maxLength: 60 }), fc.integer({ min: 20, max: 1500 }), (some, memoryBytes) => {
      const [table, spilling] = [new KeyTable(), new SpillingKeys(memoryBytes)];
      try {
        for (const each of some) {
          table.add(each);
          spilling.add(each);
        }
        assert.is(spilling.count, some.length);
        assert.equal(drained(spilling, 'code-points'), drained(table, 'code-points'));
        assert.equal(drained(spilling, 'utf16'), drained(table, 'utf16'));
        runCount += spilling.runCount;
      } finally {
        spilling.close();
      }
    }),
    { seed: SEED, numRuns: 300, endOnFailure: true },
  );
  assert.ok(runCount > 300, `${runCount} runs`);
});

test('the order of keys is that of their code points, or of their UTF-16 units', () => {
  const next = random();
  const characters = [...'az\u007f\u0080\u07ff\u0800\ud7ff\ue000\uffff\u{10000}\u{10ffff}'];
  const some = Array.from({ length: 5_000 }, () =>
    Array.from({ length: next(5) }, () => characters[next(characters.length)]!).join(''),
  );
  const table = new KeyTable();
  for (const each of some) table.add(each);
  const byUnits = [...new Set(some)].sort();
  const byCodePoints = [...new Set(some)].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const latin1 = (texts: readonly string[]) => texts.map((text) => Buffer.from(text).toString('latin1'));
  assert.ok(table.dependsOnOrder);
  assert.equal(drained(table, 'code-points'), latin1(byCodePoints));
  const mapped = drained(table, 'utf16').map((text) => text.replaceAll('\xf5', '\xee').replaceAll('\xf6', '\xef'));
  assert.equal(mapped, latin1(byUnits));
});

test('temporary files are removed, and there are none where nothing is spilled', () => {
  const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('urlsum-keys-'));
  const before = folders();
  const small = new SpillingKeys(1 << 20);
  small.add('a');
  assert.equal(drained(small, 'code-points'), ['a']);
  assert.equal(folders(), before);
  const large = new SpillingKeys(100);
  for (let count = 0; count < 100; count++) large.add(`key ${count}`);
  const made = folders().filter((name) => !before.includes(name));
  assert.is(made.length, 1);
  assert.is(drained(large, 'code-points').length, 100);
  large.close();
  assert.not(existsSync(`${tmpdir()}/${made[0]}`));
});

test.run();
