import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type HashColumn, UrlHash, UrlHasher } from '../../../src/index.ts';
import { KINDS } from '../../support/kinds.ts';
import { random, SCALE } from '../../support/seed.ts';
import { KERNELS } from '../kernel/kernels.ts';
import { oracle } from '../url/oracle.ts';
import { countsOf } from './counts.ts';

/** Lines of each kind: whatwg-url takes 34 µs for one. */
const LINES = SCALE >= 10 ? 1_000_000 : 1_500;
const BATCH_LINES = Math.min(LINES, 50_000);
/** The share of a kind's lines that the kernel may leave to the parser. */
const PARSED_SHARE = 0.02;

const tests = suite('kinds of URLs');

for (const [kind, make] of Object.entries(KINDS)) {
  tests(`${kind}: the forms of an independent parser, and the kernel finds them`, () => {
    const next = random();
    let [known, total] = [0, 0];
    while (total < LINES) {
      const lines = Array.from({ length: BATCH_LINES }, () => make(next));
      const expected = lines.map((line) => createHash('sha256').update(oracle(line)!).digest('hex'));
      const text = Buffer.from(lines.join('\n'));
      for (const { name } of KERNELS) {
        let column: HashColumn | undefined;
        const hasher = new UrlHasher({ kernel: name });
        const { provenCount, rewrittenCount } = countsOf(() => (column = hasher.hashLines(text)));
        if (name === 'simd') known += provenCount + rewrittenCount;
        lines.forEach((line, row) => assert.is(column!.hex(row), expected[row], `${name}: ${line}`));
      }
      for (let row = 0; row < BATCH_LINES; row += 10) assert.is(UrlHash.of(lines[row]!).hex, expected[row], lines[row]);
      total += BATCH_LINES;
    }
    assert.ok(known >= total * (1 - PARSED_SHARE), `${total - known} of ${total} lines were parsed`);
  });
}

tests.run();
