import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { canonicalize, type HashColumn, UrlHash, UrlHasher } from '../../../src/index.ts';
import { urlsum } from '../../command/command.ts';
import { corpusLines, sampled, sharedBytes } from '../../support/data.ts';
import { KINDS } from '../../support/kinds.ts';
import { cases, random, SCALE } from '../../support/seed.ts';
import { countsOf } from '../bulk/counts.ts';
import { KERNELS } from '../kernel/kernels.ts';
import { oracle } from './oracle.ts';

const tests = suite('real URLs, and URLs of each kind');

/** The steps between lines that are tried: a long run tries all, and every run those that the standard changes. */
const STEPS = { main: 40, intl: 1, changed: 2, files: 10 };

for (const [name, step] of Object.entries(STEPS)) {
  const lines = sampled(corpusLines(name), step);
  if (lines.length === 0) continue;

  tests(`corpus/${name}: ${lines.length} rows equal SHA-256 of what whatwg-url serializes`, () => {
    const column = new UrlHasher().hashLines(Buffer.from(`${lines.join('\n')}\n`));
    assert.is(column.length, lines.length);
    for (const [row, line] of lines.entries()) {
      const canonical = oracle(line);
      const expected = canonical === undefined ? undefined : createHash('sha256').update(canonical).digest('hex');
      assert.is(column.hex(row), expected, `${name}: ${line}`);
      assert.is(column.errorAt(row)?.input, canonical === undefined ? line : undefined);
    }
  });

  tests(`corpus/${name}: each row in which this host's URL differs is explained by a change of the standard`, () => {
    const differing = lines.filter((line) => hostForm(line) !== ourForm(line));
    for (const line of differing) {
      const change = CHANGES.find(({ explains }) => explains(line));
      assert.ok(change, `unexplained: ${line}: ${hostForm(line)} here, ${ourForm(line)} by the standard`);
    }
    console.log(`corpus/${name}: ${differing.length} rows differ from this host's URL`);
  });
}

tests('corpus/main, by the command as by the library', () => {
  const whole = sharedBytes('corpus/main.txt.gz');
  if (whole === undefined) return;
  const corpus = whole.subarray(0, cases(4 << 20));
  const { stdout } = urlsum(['--format', 'bin'], corpus);
  assert.ok(stdout.equals(new UrlHasher().hashLines(corpus).bytes));
});

/** Changes of the URL Standard that a host may lack. */
const CHANGES: readonly { readonly name: string; readonly explains: (line: string) => boolean }[] = [
  {
    name: '^ is in the path percent-encode set (2023, whatwg/url 817)',
    explains: (line) => ourForm(line)?.replaceAll('%5E', '^') === hostForm(line),
  },
  {
    name: 'an ASCII domain never fails IDNA (2026, whatwg/url 914)',
    explains: (line) => /xn--/i.test(line) && hostForm(line) === undefined,
  },
];

function ourForm(line: string): string | undefined {
  try {
    return canonicalize(line);
  } catch {
    return undefined;
  }
}

function hostForm(line: string): string | undefined {
  try {
    return new URL(line).href;
  } catch {
    return undefined;
  }
}

/** Lines of each kind: whatwg-url takes 34 µs for one. */
const LINES = SCALE >= 10 ? 1_000_000 : 1_500;
const BATCH_LINES = Math.min(LINES, 50_000);
/** The share of a kind's lines that the kernel may leave to the parser. */
const PARSED_SHARE = 0.02;

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
