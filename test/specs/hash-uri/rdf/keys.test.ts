import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Keys } from '../../../../src/specs/hash-uri/rdf/keys.ts';
import { cases, random } from '../../../support/seed.ts';

const test = suite('hash-uri/rdf: keys');

function readOf(keys: Keys, order: 'code-points' | 'utf16'): string[] {
  return Array.from(keys.sorted(order), ({ bytes, start, end }) =>
    Buffer.from(bytes.subarray(start, end)).toString('latin1'),
  );
}

const key = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b', '\0', '\n', 'é', '\ue000', '\uffff', '\u{1f600}'), maxLength: 20 }),
  fc.constant('the same'),
  fc.nat(2).map((size) => 'long'.repeat(1000 * 9 ** size)),
);

test('any number of runs gives the keys that one table does, in either order, once and again', () => {
  let runCount = 0;
  fc.assert(
    fc.property(fc.array(key, { maxLength: 60 }), fc.integer({ min: 40, max: 3000 }), (some, memoryBytes) => {
      const [table, spilling] = [new Keys(), new Keys(memoryBytes)];
      try {
        for (const each of some) {
          table.add(each);
          spilling.add(each);
        }
        assert.is(spilling.count, some.length);
        assert.equal(readOf(spilling, 'code-points'), readOf(table, 'code-points'));
        assert.equal(readOf(spilling, 'utf16'), readOf(table, 'utf16'));
        runCount += spilling.runCount;
      } finally {
        spilling.close();
      }
    }),
    { numRuns: cases(60), endOnFailure: true },
  );
  assert.ok(runCount > cases(60), `${runCount} runs`);
});

test('the order of keys is that of their code points, or of their UTF-16 units', () => {
  const next = random();
  const characters = [...'az\u007f\u0080\u07ff\u0800\ud7ff\ue000\uffff\u{10000}\u{10ffff}'];
  const some = Array.from({ length: 5_000 }, () =>
    Array.from({ length: next(5) }, () => characters[next(characters.length)]!).join(''),
  );
  const table = new Keys();
  for (const each of some) table.add(each);
  const byUnits = [...new Set(some)].sort();
  const byCodePoints = [...new Set(some)].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const latin1 = (texts: readonly string[]) => texts.map((text) => Buffer.from(text).toString('latin1'));
  assert.ok(table.dependsOnOrder);
  assert.equal(readOf(table, 'code-points'), latin1(byCodePoints));
  assert.equal(readOf(table, 'utf16'), latin1(byUnits));
});

// Where test/run.mjs starts this, no other process makes files in the folder.
test('temporary files have no names where the system can do without, and none stays', () => {
  const names = () => readdirSync(tmpdir()).filter((name) => /^\.urlsum-\w+\.run$/.test(name));
  const before = names();
  const keys = new Keys(200);
  for (let count = 0; count < 100; count++) keys.add(`key ${count}`);
  assert.ok(keys.runCount > 10);
  if (process.platform !== 'win32') assert.equal(names(), before);
  else assert.is(names().length, before.length + keys.runCount);
  assert.is(readOf(keys, 'code-points').length, 100);
  keys.close();
  assert.equal(names(), before);
  assert.is(keys.runCount, 0);
});

test.run();
