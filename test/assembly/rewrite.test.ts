import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Kernel } from '../../src/core/kernel/kernel.ts';
import { classify } from '../../src/core/kernel/row-messages.ts';
import { canonicalForm, parseBase } from '../../src/core/url/canonicalize.ts';
import { formOf } from '../../src/core/url/options.ts';
import { KERNELS, messagesOf, putLines } from '../core/kernel/kernels.ts';
import { oracle } from '../core/url/oracle.ts';
import { assembled } from '../support/samples.ts';
import { halvedCases, random } from '../support/seed.ts';

/** With each kernel; every tenth is held against another parser too. */
const LINES = halvedCases(60_000);
const BATCH_LINES = 500;

const BASES = [
  undefined,
  'http://b/c/d?e',
  'https://b/c',
  'ftp://b/c',
  'ws://b/',
  'file:///C:/d/e',
  'foo://b/c',
  'foo:b',
];
const FORMS = [
  {},
  { excludeFragment: true },
  { dropParams: ['utm_id'] },
  { sortParams: true, excludeFragment: true },
].map((options) => formOf(options));

/** Scans the lines and gives each row's message, or undefined where the parser is asked. */
function messages(kernel: Kernel, lines: readonly string[], form: (typeof FORMS)[number], isReturned: boolean) {
  const end = putLines(kernel, isReturned ? lines.map((line) => `${line}\r`) : lines);
  classify(kernel, { form }, lines.length, end);
  return messagesOf(kernel, lines.length);
}

for (const kernel of KERNELS) {
  if (kernel.name !== 'simd') continue; // the others prove no row
  const tests = suite(`assembled lines: ${kernel.name}`);

  tests('what the kernel knows of any line is its canonical form, whatever the base', () => {
    const next = random();
    const known = { special: 0, file: 0, other: 0, opaque: 0 };
    let [provenCount, rewrittenCount] = [0, 0];
    for (let left = LINES; left > 0; left -= BATCH_LINES) {
      const form = FORMS[next(FORMS.length)]!;
      const lines = Array.from({ length: BATCH_LINES }, () => assembled(next));
      const found = messages(kernel, lines, form, next(2) === 0);
      const { pendingCount, rewrittenCount: rewritten } = kernel.memory;
      provenCount += lines.length - pendingCount - rewritten;
      rewrittenCount += rewritten;
      found.forEach((message, row) => {
        if (message === undefined) return;
        const line = lines[row]!;
        const base = BASES[next(BASES.length)];
        const expected = canonicalForm(line, parseBase({ base }, form), form);
        assert.is(message, expected, `${JSON.stringify(line)} with the base ${base}`);
        if (form.rules === undefined && row % 10 === 0)
          assert.is(message, oracle(line, base, form.excludeFragment), JSON.stringify(line));
        if (/^(?:https?|ftp|wss?):/.test(message)) known.special++;
        else if (message.startsWith('file:')) known.file++;
        else if (/^[^:]*:\//.test(message)) known.other++;
        else known.opaque++;
      });
    }
    for (const [kind, count] of Object.entries(known)) assert.ok(count > LINES / 400, `only ${count} lines of ${kind}`);
    assert.ok(provenCount > LINES / 20, `only ${provenCount} lines proven`);
    assert.ok(rewrittenCount > LINES / 20, `only ${rewrittenCount} lines rewritten`);
  });

  tests('plain lines of every length, wherever they begin, with any byte in any place', () => {
    const next = random();
    for (let length = 0; length < 300; length++) {
      const lines = Array.from({ length: 16 }, (_, row) => {
        const line = `https://example.com/${'x'.repeat(length)}`;
        const at = 19 + next(length + 1);
        return row % 2 === 0 ? line : line.slice(0, at) + String.fromCharCode(0x20 + next(0x60)) + line.slice(at + 1);
      });
      const found = messages(kernel, lines, FORMS[0]!, next(2) === 0);
      lines.forEach((line, row) => {
        const message = found[row];
        if (row % 2 === 0) assert.is(message, line);
        else if (message !== undefined) assert.is(message, canonicalForm(line));
      });
    }
  });

  tests.run();
}
