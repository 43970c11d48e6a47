// The crawls that come with docs/tutorial.md are what tools/tutorial-crawl.mjs makes.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { crawlOf, DAYS } from '../../tools/tutorial-crawl.mjs';

const tests = suite('the crawls of the tutorial');

for (const day of DAYS) {
  tests(`${day}: what the tool makes`, () => {
    const packed = readFileSync(`docs/tutorial/${day}.jsonl.gz`);
    assert.ok(packed.length < 25_000, `${packed.length} bytes packed`);
    assert.fixture(gunzipSync(packed).toString(), crawlOf(day));
  });
}

tests.run();
