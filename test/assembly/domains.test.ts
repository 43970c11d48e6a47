import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DOMAIN_LIMIT, DOMAIN_SLOTS } from '../../assembly/layout.ts';
import { openKernel } from '../../src/core/kernel/open.ts';
import { classify } from '../../src/core/kernel/row-messages.ts';
import { canonicalForm } from '../../src/core/url/canonicalize.ts';
import { formOf } from '../../src/core/url/options.ts';
import { messagesOf, putLines } from '../core/kernel/kernels.ts';
import { cases, random } from '../support/seed.ts';

const tests = suite('domains beyond ASCII in the kernel');
const kernel = openKernel('simd');
const FULL = formOf({});
const OLDER = formOf({ unicode: 17 });
const WITH_RULES = formOf({ dropParams: ['a'] });

/** Gives each line's form, or undefined where the parser is asked; and which rows have a host beyond ASCII. */
function forms(lines: readonly string[], form = FULL): { texts: (string | undefined)[]; unicodeRows: number[] } {
  classify(kernel, { form }, lines.length, putLines(kernel, lines));
  const { unicodeRows } = kernel.memory;
  return {
    texts: messagesOf(kernel, lines.length),
    unicodeRows: [...lines.keys()].filter((row) => unicodeRows[row >> 5]! & (1 << (row & 31))),
  };
}

/** Every form must be the parser's; returns how many there are. */
function check(lines: readonly string[], form = FULL): number {
  const { texts, unicodeRows } = forms(lines, form);
  let count = 0;
  texts.forEach((text, row) => {
    if (text === undefined) return;
    count++;
    let isUnicodeHost = false;
    const expected = canonicalForm(lines[row]!, undefined, form, () => (isUnicodeHost = true));
    assert.is(text, expected, lines[row]);
    assert.is(unicodeRows.includes(row), isUnicodeHost, lines[row]);
  });
  return count;
}

tests('a line is rewritten at the first sight of its domain, and its neighbours too', () => {
  const lines = ['http://bücher.example/a b', 'http://u@bücher.example:80', 'http://e/', 'file://bücher.example/../x'];
  assert.equal(forms(lines), {
    texts: [
      'http://xn--bcher-kva.example/a%20b',
      'http://u@xn--bcher-kva.example/',
      'http://e/',
      'file://xn--bcher-kva.example/x',
    ],
    unicodeRows: [0, 1, 3],
  });
});

tests('where the form has rules, the first line of a domain is left to the parser, and the next are not', () => {
  const lines = ['http://regeln.bücher/?a=1&b', 'http://regeln.bücher/?c'];
  assert.is(check(lines, WITH_RULES), 0);
  assert.is(check(lines, WITH_RULES), 2);
});

tests('what is not a domain, and what only the parser can judge, stays with it', () => {
  const lines = [
    ...[
      'http://\u00ad/',
      'http://ü%41/',
      'http://%C3%BC/',
      'http://a\u0300.b\tc/',
      'http://ü /',
      'http://ü!/',
      'http://\ufffd/',
    ],
    ...[
      'http://xn--ü/',
      'http://ü:x/',
      'http://ü:99999/',
      'http://ü\x7f/',
      'http://\u05d0a/',
      'http://ü:p@e/',
      'http://ü[/',
    ],
    ...[`http://${'ü'.repeat(DOMAIN_LIMIT / 2)}ü/`, `http://${'ü.'.repeat(41)}/`],
  ];
  assert.is(check(lines), 0);
  assert.is(check(lines), 0);
  assert.is(check([`http://${'ü'.repeat(60)}/`, 'http://１２７.１/', 'http://ü。/', 'http://Ⅷ/']), 4);
});

tests('bytes that are not UTF-8 are no domain, whatever they were taken for', () => {
  for (const byte of [0x80, 0xc3, 0xff]) {
    const line = Buffer.from('http://bXcher/');
    line[8] = byte;
    classify(kernel, { form: FULL }, 1, putLines(kernel, [line]));
    assert.is(kernel.memory.pendingCount, 1);
  }
});

tests('each version of Unicode has its own form', () => {
  const added = String.fromCodePoint(0x1e6c0); // no character before version 17
  const lines = Array.from(
    { length: 0x800 },
    (_, index) => `http://a${String.fromCodePoint(0x1c00 + 8 * index)}${added}/`,
  );
  for (const form of [FULL, OLDER, FULL, OLDER])
    for (let at = 0; at < lines.length; at += 500) check(lines.slice(at, at + 500), form);
});

tests('ten times as many domains as there is room for, again and again', () => {
  const next = random();
  for (let round = 0; round < cases(40); round++) {
    const lines = Array.from(
      { length: 1000 },
      () => `http://ü${next(10 * DOMAIN_SLOTS)}.${next(3) === 0 ? 'É' : 'é'}/`,
    );
    assert.is(check(lines), lines.length);
  }
});

tests.run();
