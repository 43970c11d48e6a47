import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { NO_MESSAGE, ROW_CAPACITY } from '../../../assembly/layout.ts';
import {
  type Checked,
  FAILED,
  NO_ANSWER,
  OK,
  openAnswerFormat,
  type ShownAnswers,
  SumStage,
} from '../../../src/command/commands/sum-lines.ts';
import { linesEndingIn, NUL } from '../../../src/command/read/lines.ts';
import { BATCH_BYTES } from '../../../src/core/bulk/hash-rows.ts';
import { LINE_FEED } from '../../../src/core/bytes/code-points.ts';
import { openKernel } from '../../../src/core/kernel/open.ts';
import { FULL_FORM } from '../../../src/core/url/options.ts';
import { canonicalize } from '../../../src/index.ts';
import { random } from '../../support/seed.ts';
import { batchesOf, spanAt, written } from '../rows.ts';

const test = suite('cli: lines of the text format, checked many at once');
const next = random();

const kernel = openKernel();
const stage = new SumStage({ kernel, width: 32, form: FULL_FORM, base: undefined }).run;

// Lines are strings of bytes here: each character is one.
const SUM_LINE = /^((?:[0-9a-f]{16}|[0-9a-f]{32}|[0-9a-f]{64})?) {2}(.*)$/is;
const bytesOf = (text: string) => Buffer.from(text).toString('latin1');

function canonical(url: string): string | undefined {
  try {
    return canonicalize(new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.from(url, 'latin1')));
  } catch {
    return undefined; // it is not a URL
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(Buffer.from(text, 'latin1')).digest('hex');
}

function line(digitCount = 64): string {
  const url = ['https://example.com/', `http://host${next(100)}.example/a?b#c`, 'http://EXAMPLE.com', 'x'][next(4)]!;
  const hash = sha256(canonical(url) ?? url).slice(0, digitCount);
  const spelled = next(3) === 0 ? hash.toUpperCase() : hash;
  if (next(12) > 0) return `${spelled}  ${url}`;
  return [
    `${sha256('other').slice(0, digitCount)}  ${url}`,
    `${hash.slice(0, 16)}  ${url}`,
    `  ${url}`,
    `${hash}  ${url}\x7f`,
    `${hash}  ${bytesOf('http://bücher.example/')}`,
    `${hash} ${url}`,
    `${hash.slice(1)}g  ${url}`,
    `${hash}  `,
    `${hash}  ${url}\r`,
    '',
  ][next(10)]!;
}

interface Verdict {
  readonly digits: string;
  readonly url: string;
  readonly form: string | undefined;
  readonly answer: typeof OK | typeof FAILED;
}

/** undefined for what is not a line of the format. */
function verdictOf(text: string): Verdict | undefined {
  const [, digits, url] = SUM_LINE.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const form = canonical(url!);
  const isMatch =
    digits === '' ? form === undefined : sha256(form ?? url!.replace(/\r+$/, '')).startsWith(digits.toLowerCase());
  return { digits, url: url!, form, answer: isMatch ? OK : FAILED };
}

/** The results of the stage for a block, all of its batches together. */
interface Found {
  readonly answers: number[];
  readonly urls: string[];
  readonly problemRows: number[];
  readonly counts: Record<string, number>;
  /** The rows that were answered together, in the kernel's memory. */
  readonly fastRows: number[];
}

function checked(block: Buffer, lineEnd: number): Found {
  const framing = linesEndingIn({ lineEnd, skipsBlank: false, kernel });
  const found: Found = { answers: [], urls: [], problemRows: [], counts: {}, fastRows: [] };
  for (const rows of batchesOf(framing, [block])) {
    const { answers, texts, problems, counts }: Checked = stage(rows, 0);
    for (const { row } of problems) found.problemRows.push(rows.firstNumber + row);
    for (const [name, count] of Object.entries(counts)) found.counts[name] = (found.counts[name] ?? 0) + count;
    for (let row = 0; row < rows.length; row++) {
      const isFast = !rows.isLong && kernel.memory.spans[2 * row + 1] !== NO_MESSAGE;
      if (isFast) found.fastRows.push(rows.firstNumber + row);
      found.answers.push(answers[row]!);
      found.urls.push(answers[row] === NO_ANSWER ? '' : spanAt(texts, row).toString('latin1'));
    }
  }
  return found;
}

/** Lines with as many digits as the first of their batch, which spell the hash of a URL, go fast. */
function isFastLine(verdict: Verdict | undefined, first: Verdict | undefined): boolean {
  if (verdict === undefined || verdict.form === undefined || verdict.answer !== OK) return false;
  return verdict.digits.length === (first?.digits.length || 64);
}

/** Checks lines as the framing gives them; those of one batch, where `areFast` is to be told. */
function mustAgree(lines: readonly string[], end: string, lineEnd = LINE_FEED, areFast = true): void {
  const block = Buffer.from(lines.join(String.fromCharCode(lineEnd)) + end, 'latin1');
  // One CR directly before a line feed is not part of the line; after the last line, `end` says what is there.
  const contents = lines.map((each, row) =>
    lineEnd === LINE_FEED && (row < lines.length - 1 || end === '\n') ? each.replace(/\r$/, '') : each,
  );
  const verdicts = contents.map(verdictOf);
  const rowsOf = (answer: number | undefined) =>
    verdicts.flatMap((each, row) => (each?.answer === answer ? [row] : []));
  const notUrls = verdicts.filter((each) => each?.answer === FAILED && each.digits && each.form === undefined).length;
  const { answers, urls, problemRows, counts, fastRows } = checked(block, lineEnd);
  assert.equal(
    answers,
    verdicts.map((each) => each?.answer ?? NO_ANSWER),
  );
  assert.equal(
    urls,
    verdicts.map((each) => each?.url ?? ''),
  );
  assert.equal(problemRows, rowsOf(undefined));
  assert.equal(counts, {
    checked: lines.length - problemRows.length,
    mismatched: rowsOf(FAILED).length,
    malformed: problemRows.length,
    ...(notUrls > 0 && { notUrls }),
  });
  if (areFast)
    assert.equal(
      fastRows,
      verdicts.flatMap((each, row) => (isFastLine(each, verdicts[0]) ? [row] : [])),
    );
  if (lineEnd === LINE_FEED) mustSay(block, verdicts);
}

function shownUrl(url: string): string {
  return url.replace('\x7f', '\\u007f').replace('\r', '\\r');
}

/** The same as they come out. */
function mustSay(block: Buffer, verdicts: readonly (Verdict | undefined)[]): void {
  for (const shown of ['all', 'failed', 'none'] as const satisfies ShownAnswers[]) {
    const expected = verdicts.map((each) => {
      if (each === undefined || !(shown === 'all' || (shown === 'failed' && each.answer === FAILED))) return '';
      return `${shownUrl(each.url)}: ${each.answer === OK ? 'OK' : 'FAILED'}\n`;
    });
    const framing = linesEndingIn({ lineEnd: LINE_FEED, skipsBlank: false, kernel });
    const format = openAnswerFormat({ kernel, lineEnd: LINE_FEED }, shown);
    const said = written({ framing, stage, format }, [block]).toString('latin1');
    if (said !== expected.join('')) assert.is(said.slice(0, 5000), expected.join('').slice(0, 5000), shown);
  }
}

test('a last line that ends in a carriage return, before each end', () => {
  const good = `${sha256('http://a/')}  http://a/`;
  for (const end of ['', '\n', '\r\n']) mustAgree([good, `${good}\r`], end);
});

test('agrees with node:crypto, line by line, whatever the block', () => {
  for (let round = 0; round < 300; round++) {
    const digitCount = [16, 32, 64, 64][next(4)]!;
    const lines = Array.from({ length: 1 + next(60) }, () => line(digitCount));
    if (lines.at(-1) === '') lines.push('x');
    mustAgree(lines, ['', '\n', '\r\n'][next(3)]!);
  }
});

test('more lines and longer lines than fit at once', () => {
  const good = `${sha256('http://a/')}  http://a`;
  mustAgree(Array(2 * ROW_CAPACITY + 1).fill(good), '\n');
  const room = BATCH_BYTES - `${good}/\n`.length;
  for (const length of [room - 1, room, room + 1, BATCH_BYTES, 2 * BATCH_BYTES]) {
    const url = `http://a/${'x'.repeat(length)}`;
    mustAgree([good, `${sha256(url)}  ${url}`, good, `${sha256('')}  ${url}`, good], '\n', LINE_FEED, false);
    mustAgree([`${sha256(url)}  ${url}`], '', LINE_FEED, false);
  }
});

test('every byte at every place of a line, beside a good one and alone', () => {
  for (const digitCount of [16, 64]) {
    const good = `${sha256('http://a/').slice(0, digitCount)}  http://a/`;
    for (let at = 0; at < good.length; at++) {
      const changed = Array.from({ length: 255 }, (_, byte) => byte + 1).map(
        (byte) => good.slice(0, at) + String.fromCharCode(byte) + good.slice(at + 1),
      );
      mustAgree([good, ...changed], '\0', NUL);
      if (digitCount === 16) for (const each of changed) mustAgree([each], '', NUL);
    }
  }
});

test('every number of digits and spaces, in both cases', () => {
  for (let digitCount = 0; digitCount <= 66; digitCount++) {
    const lines = ['', ' ', '  ', '   ', '\t ', ' *'].flatMap((spaces) =>
      ['', 'http://a/', ' ', '\n'].flatMap((url) => {
        const digits = sha256(canonical(url) ?? url)
          .padEnd(66, '0')
          .slice(0, digitCount);
        return [digits + spaces + url, digits.toUpperCase() + spaces + url];
      }),
    );
    mustAgree(lines, '\0', NUL);
    for (const each of lines) mustAgree([each], '\0', NUL);
  }
});

test('mutated lines', () => {
  for (let round = 0; round < 200; round++) {
    const url = 'https://example.com/';
    const lines = Array.from({ length: 100 }, () => {
      const whole = `${sha256(url).slice(0, [0, 16, 32, 64][next(4)])}  ${url}`;
      const at = next(whole.length);
      const inserted = ['', ' ', 'a', 'F', 'g', '  ', '\xe9'][next(7)]!;
      return whole.slice(0, at) + inserted + whole.slice(at + next(3));
    });
    mustAgree(lines, '\0', NUL);
  }
});

test('nearly all lines take the fast path, with digits of any width', () => {
  for (const digitCount of [16, 32, 64]) {
    const good = `${sha256('http://a/').slice(0, digitCount)}  http://a`;
    const lines = [good, good, '  bad', good, bytesOf(`${good}é`), good, good.toUpperCase()];
    assert.equal(checked(Buffer.from(lines.join('\n'), 'latin1'), LINE_FEED).fastRows, [0, 1, 3, 5, 6]);
  }
  const sums = Array.from({ length: 5000 }, (_, row) => `http://a/${row}`).map((url) => `${sha256(url)}  ${url}`);
  assert.is(checked(Buffer.from(sums.join('\n')), LINE_FEED).fastRows.length, sums.length);
});

test.run();
