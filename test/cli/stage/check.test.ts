import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LINES_BYTES, ROW_CAPACITY } from '../../../assembly/sum-lines/layout.ts';
import { linesEndingIn } from '../../../src/cli/rows/lines.ts';
import { CheckStage } from '../../../src/cli/stage/check.ts';
import { SumLines } from '../../../src/cli/stage/sum-lines.ts';
import { canonicalize, PROFILE } from '../../../src/index.ts';
import { openKernel } from '../../../src/kernel/open.ts';
import { FULL_FORM } from '../../../src/url/options.ts';
import { random } from '../../seed.ts';

const test = suite('cli: lines of the text format, checked many at once');
const next = random();

const HASHING = { kernel: openKernel(), width: 32, form: FULL_FORM, base: undefined } as const;
const SUM_LINE = /^((?:[0-9a-f]{16}|[0-9a-f]{32}|[0-9a-f]{64})?) {2}(.*)$/is;

function canonical(url: string): string | undefined {
  try {
    return canonicalize(url);
  } catch {
    return undefined; // it is not a URL
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
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
    `${hash}  http://bücher.example/`,
    `${hash} ${url}`,
    `${hash.slice(1)}g  ${url}`,
    `${hash}  `,
    `${hash}  ${url}\r`,
    '',
  ][next(10)]!;
}

/** OK, FAILED, or undefined for what is not a line of the format. */
function verdictOf(text: string): string | undefined {
  const [, digits, url] = SUM_LINE.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const form = canonical(url!);
  const isMatch =
    digits === '' ? form === undefined : sha256(form ?? url!.replace(/\r+$/, '')).startsWith(digits.toLowerCase());
  return isMatch ? 'OK' : 'FAILED';
}

function shownUrl(text: string): string {
  return SUM_LINE.exec(text)![2]!.replace('\x7f', '\\u007f').replace('\r', '\\r');
}

function mustAgree(lines: readonly string[], end: string, shown: 'all' | 'failed' | 'none' = 'all'): void {
  const block = Buffer.from(lines.join('\n') + end);
  const stage = new CheckStage(HASHING, { lineEnd: 0x0a, shown, profile: PROFILE });
  const { bytes, ends, counts, problems, length } = stage.run(linesEndingIn(0x0a).rows(block));
  // a CR before a line feed is not part of the line; after the last line, `end` says what is there
  const contents = lines.map((each, row) =>
    row === lines.length - 1 && end !== '\n' ? each : each.replace(/\r$/, ''),
  );
  const verdicts = contents.map(verdictOf);
  const answers = contents.map((text, row) => {
    const isShown = shown === 'all' || (shown === 'failed' && verdicts[row] === 'FAILED');
    return verdicts[row] !== undefined && isShown ? `${shownUrl(text)}: ${verdicts[row]}\n` : '';
  });
  assert.is(Buffer.from(bytes).toString(), answers.join(''));
  let at = 0;
  assert.equal(
    Array.from(ends),
    answers.map((answer) => (at += Buffer.byteLength(answer))),
  );
  const rowsOf = (verdict: string | undefined) => verdicts.flatMap((each, row) => (each === verdict ? [row] : []));
  assert.equal(
    problems.map(({ row }) => row),
    rowsOf(undefined),
  );
  const notUrls = rowsOf('FAILED').filter((row) => canonical(SUM_LINE.exec(contents[row]!)![2]!) === undefined).length;
  assert.equal(counts, {
    checked: length - problems.length,
    mismatched: rowsOf('FAILED').length,
    malformed: problems.length,
    ...(notUrls > 0 && { notUrls }),
  });
}

test('agrees with node:crypto, line by line, whatever the block', () => {
  for (let round = 0; round < 300; round++) {
    const digitCount = [16, 32, 64, 64][next(4)]!;
    const lines = Array.from({ length: 1 + next(60) }, () => line(digitCount));
    if (lines.at(-1) === '') lines.push('x');
    mustAgree(lines, ['', '\n', '\r\n'][next(3)]!, (['all', 'failed', 'none'] as const)[next(3)]!);
  }
});

test('more lines and longer lines than fit at once', () => {
  const good = `${sha256('http://a/')}  http://a`;
  mustAgree(Array(2 * ROW_CAPACITY + 1).fill(good), '\n');
  const room = LINES_BYTES - `${good}/\n`.length;
  for (const length of [room - 1, room, room + 1, LINES_BYTES, 2 * LINES_BYTES]) {
    const url = `http://a/${'x'.repeat(length)}`;
    mustAgree([good, `${sha256(url)}  ${url}`, good, `${sha256('')}  ${url}`, good], '\n');
    mustAgree([`${sha256(url)}  ${url}`], '');
  }
});

test('every byte at every place of a line', () => {
  const good = Buffer.from(`${sha256('http://a/')}  http://a/\n`);
  const isRun = Array.from({ length: good.length - 1 }, () => 0);
  for (let at = 0; at < good.length - 1; at++) {
    for (let byte = 0; byte < 256; byte++) {
      if (byte === 0x0a) continue;
      const changed = Uint8Array.from(good);
      changed[at] = byte;
      SumLines.open()?.eachLine(Buffer.concat([good, changed]), {
        run: ({ offsets }) => void (isRun[at]! += offsets.length - 1),
        other: () => undefined,
      });
    }
  }
  if (SumLines.open() === undefined) return console.log('no SIMD here');
  // the line before it each time, and the bytes that may be there: hex digits, a space, printable ASCII; a last CR
  const expected = isRun.map((_, at) => 255 + (at < 64 ? 22 : at < 66 ? 1 : at < good.length - 2 ? 95 : 96));
  assert.equal(isRun, expected);
});

test('nearly all lines take the fast path, with digits of any width', () => {
  const sumLines = SumLines.open();
  if (sumLines === undefined) return console.log('no SIMD here');
  for (const digitCount of [16, 32, 64]) {
    const good = `${sha256('http://a/').slice(0, digitCount)}  http://a`;
    const seen: (number | string)[] = [];
    sumLines.eachLine(Buffer.from([good, good, '  bad', good, `${good}é`, good].join('\n')), {
      run: ({ width, digests, urls, answers }) => {
        assert.is(width, digitCount / 2);
        assert.is(Buffer.from(digests.subarray(0, width)).toString('hex'), good.slice(0, digitCount));
        assert.match(Buffer.from(urls).toString(), /^(http:\/\/a)+$/);
        assert.match(Buffer.from(answers).toString(), /^(http:\/\/a: OK\n)+$/);
        seen.push(digests.length / width);
      },
      other: () => void seen.push('other'),
    });
    assert.equal(seen, [2, 'other', 1, 'other', 'other']);
  }
});

test.run();
