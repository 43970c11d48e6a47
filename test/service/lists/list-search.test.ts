import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ExpressionHasher } from '../../../src/entries/safe-browsing.ts';
import { HeadFilter } from '../../../src/service/lists/list-search.ts';
import { random, randomBytes } from '../../seed.ts';

const test = suite('the filter of look-ups');
const next = random();

const URLS = Array.from({ length: 20_000 }, (_, row) => `http://h${row}.example/a/b`);

for (const width of [4, 8, 32]) {
  test(`${width} bytes: passes every hash that is listed, and few others`, () => {
    const column = new ExpressionHasher({ width }).hashMany(URLS);
    const hashCount = column.bytes.length / width;
    const listed = Array.from({ length: 100 }, (_, index) => 7 * index);
    const prefixes = Buffer.concat(listed.map((hash) => column.bytes.subarray(hash * width, (hash + 1) * width)));
    const noise = randomBytes(next, 10_000 * width);
    const filter = new HeadFilter([
      { width, prefixes },
      { width, prefixes: noise },
    ]);
    const passed = new Set(filter.hashesIn(column));
    for (const hash of listed) assert.ok(passed.has(hash), `${hash}`);
    assert.ok(passed.size < listed.length + hashCount / 10, `${passed.size} of ${hashCount}`);
  });
}

test('passes nothing where nothing is listed', () => {
  const column = new ExpressionHasher({ width: 4 }).hashMany(URLS.slice(0, 100));
  assert.equal(new HeadFilter([]).hashesIn(column), []);
});

test.run();
