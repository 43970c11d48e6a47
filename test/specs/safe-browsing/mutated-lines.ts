import { createHash } from 'node:crypto';
import * as assert from 'uvu/assert';
import type { KernelName } from '../../../src/core/kernel/kernel.ts';
import {
  type ExpressionColumn,
  ExpressionHasher,
  type ExpressionOptions,
  type UrlInput,
} from '../../../src/entries/safe-browsing.ts';
import { expressionList } from '../../../src/specs/safe-browsing/expressions.ts';
import { settingsOf } from '../../../src/specs/safe-browsing/settings.ts';
import { corpusLines, sampled, sampleLines } from '../../support/data.ts';
import { mutated, SAMPLE_URLS } from '../../support/samples.ts';
import { random } from '../../support/seed.ts';

/** Pieces that the kernel's reading of a line may get wrong: each is put into lines, as bytes. */
export const PIECES = [
  '%41',
  '%61',
  '%c3',
  '%C3%BC',
  '%2f',
  '%3F',
  '%5c',
  '%5C',
  '%23',
  '%00',
  '%09',
  '%20',
  '%25',
  '%2541',
  '%7f',
  '%2e',
  '%2E%2e',
  '%4',
  '%',
  '%zz',
  '/',
  '//',
  '///',
  '/.',
  '/..',
  '/./',
  '/../',
  '/.a',
  '/..a',
  '\\',
  '?',
  '??',
  '#',
  ' ',
  '\t',
  '\r',
  '\0',
  '\x7f',
  '\x80',
  '\xff',
  '\xc3\xbc',
  '\xef\xbb\xbf',
  ':',
  ':8',
  ':65535',
  ':65536',
  ':080',
  '@',
  'A',
  'Z',
  '.',
  '..',
  '-',
  '_',
  '1.2.3.4',
  '1.2.3',
  '0x7f.1',
  '.1',
  'x1',
  '.co.uk',
  '.github.io',
  '.kawasaki.jp',
  '.city.kawasaki.jp',
  '.www.ck',
  '.ck',
  '.com',
  'a.b.c.d.e.f.g.',
  'HTTP://',
  'https://',
  'hTTps:/',
  'http:',
  'ftp://',
  '[',
  '[::1]',
  '|',
  "'",
  `${'h'.repeat(60)}.`,
];

export const READINGS = (['web-risk', 'v5'] as const).flatMap((profile) =>
  (['spec', 'browser', 'union'] as const).map((mode) => ({ profile, mode })),
);

const BATCH_LINES = 2000;

const STEPS = { main: 40, intl: 4, changed: 10, schemeless: 10 };
/** From so many lines on, they are mutations of all there are. */
const MANY = 1_000_000;

/** Lines of the corpora and of our samples, as bytes, to make `count` of. */
function baseLines(count: number): readonly Buffer[] {
  const corpora = Object.entries(STEPS).flatMap(([name, step]) =>
    count < MANY ? sampled(corpusLines(name), step) : corpusLines(name),
  );
  return [...corpora, ...sampleLines(), ...SAMPLE_URLS].map(toBytes).filter((line) => line.length < 1000);
}

const toBytes = (text: string) => Buffer.from(text);

/** A line with up to three pieces put in or over what stood there, and at times with the edits of other tests. */
function mutatedLine(line: Buffer, next: ReturnType<typeof random>): Buffer {
  if (next(10) === 0) return withoutFeeds(Buffer.from(mutated(line.toString(), next)));
  let text = line.toString('latin1');
  for (let edits = next(4); edits > 0; edits--) {
    const at = next(3) === 0 ? next(text.length + 1) : next(Math.min(30, text.length + 1));
    const piece = next(6) === 0 ? String.fromCharCode(next(256)) : PIECES[next(PIECES.length)]!;
    text = text.slice(0, at) + piece + text.slice(at + next(3));
  }
  return withoutFeeds(Buffer.from(text, 'latin1'));
}

function withoutFeeds(line: Buffer): Buffer {
  return Buffer.from(line.filter((byte) => byte !== 0x0a));
}

export interface Compared {
  readonly lines: number;
  readonly expressions: number;
  /** Rows of which `provenCount` says that they took none of the steps. */
  readonly proven: number;
}

/** Compares the rows of a column with the expressions of each input and their SHA-256 by node:crypto. */
export function compareColumn(
  column: ExpressionColumn,
  inputs: readonly UrlInput[],
  options: ExpressionOptions,
  kernel: KernelName = 'simd',
): void {
  assert.is(column.length, inputs.length);
  const settings = settingsOf(options);
  const invalid: number[] = [];
  for (const [row, input] of inputs.entries()) {
    const list = expressionList(input, settings);
    const expected = Array.isArray(list) ? list.map((text) => sha256(text).slice(0, 2 * column.width)) : [];
    const text = typeof input === 'string' ? input : Buffer.from(input as Uint8Array).toString('latin1');
    const shown = () => `${JSON.stringify(text)} ${settings.profile} ${settings.mode} ${kernel}`;
    if (expected.join() !== column.hex(row).join()) assert.equal(column.hex(row), expected, shown());
    const reason = Array.isArray(list) ? undefined : list.reason;
    if (column.errorAt(row)?.reason !== reason) assert.is(column.errorAt(row)?.reason, reason, shown());
    if (reason === undefined) continue;
    invalid.push(row);
    if (typeof input === 'string') assert.is(column.errorAt(row)?.input, input);
  }
  assert.equal([...column.invalid], invalid);
}

/** Compares lines as a text with each of them by itself. */
export function compareLines(
  lines: readonly Buffer[],
  reading: (typeof READINGS)[number],
  kernel: KernelName = 'simd',
): Compared {
  const text = Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')]));
  const column = new ExpressionHasher({ ...reading, kernel }).hashLines(text);
  compareColumn(column, lines, reading, kernel);
  return { lines: lines.length, expressions: column.offsets[lines.length]!, proven: column.provenCount };
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** The same for mutated lines, in every reading, one after another. */
export function compareMutatedLines(count: number, kernel: KernelName = 'simd'): Compared {
  const next = random();
  const sources = baseLines(count);
  const sums = { lines: 0, expressions: 0, proven: 0 };
  for (let batch = 0; sums.lines < count; batch++) {
    const lines = Array.from({ length: Math.min(BATCH_LINES, count - sums.lines) }, () =>
      mutatedLine(sources[next(sources.length)]!, next),
    );
    const compared = compareLines(lines, READINGS[batch % READINGS.length]!, kernel);
    sums.lines += compared.lines;
    sums.expressions += compared.expressions;
    sums.proven += compared.proven;
  }
  return sums;
}

/** Texts of every kind, with line ends and marks within and around them. */
export function urlTexts(count: number): string[] {
  const next = random();
  const ends = ['', '', '', '\r', '\n', '\r\n', '\n\n', ' '];
  return Array.from({ length: count }, () => {
    const url = mutated(SAMPLE_URLS[next(SAMPLE_URLS.length)]!, next).toWellFormed();
    return `${next(20) === 0 ? '\ufeff' : ''}${url}${ends[next(ends.length)]}`;
  });
}
