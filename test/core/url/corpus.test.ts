import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { canonicalize, UrlHasher } from '../../../src/index.ts';
import { urlsum } from '../../command/command.ts';
import { corpusLines, sampled, sharedBytes } from '../../support/data.ts';
import { cases } from '../../support/seed.ts';
import { oracle } from './oracle.ts';

const tests = suite('real URLs');

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

tests.run();
