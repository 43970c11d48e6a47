import { isUtf8 } from 'node:buffer';
import type { GrowingBytes } from '../../core/bytes/growing-bytes.ts';
import { rowIn } from '../../core/bytes/lines.ts';
import { decodeLine, visible } from '../../core/bytes/text.ts';
import type { Kernel } from '../../core/kernel/kernel.ts';
import { NUL } from '../read/lines.ts';
import { keepOnly } from '../work/stage.ts';
import { type Checked, NO_ANSWER, OK } from '../work/sums.ts';
import { type Format, type RowFormat, rowByRow } from './format.ts';
import { LineWriter, OK_FIELDS } from './line-writer.ts';

/** Which lines are written: all, those that do not match, or none. */
export type ShownAnswers = 'all' | 'failed' | 'none';

/** Writes the answers of a check in order, each as `URL: OK` or `URL: FAILED`. */
export function openAnswerFormat(
  { kernel, lineEnd }: { readonly kernel: Kernel; readonly lineEnd: number },
  shown: ShownAnswers,
): Format<Checked> {
  const writeRow: RowFormat = (out, results, row) => writeAnswer(out, results as Checked, row, lineEnd);
  const lines = kernel.name === 'simd' ? new LineWriter(kernel, OK_FIELDS, lineEnd, writeRow) : rowByRow(writeRow);
  return {
    write(checked, kept, out) {
      const { answers } = checked;
      keepOnly(kept, (row) =>
        shown === 'all' ? answers[row] !== NO_ANSWER : shown === 'failed' && answers[row]! > OK,
      );
      lines.write(checked, kept, out);
    },
  };
}

function writeAnswer(out: GrowingBytes, { texts, answers }: Checked, row: number, lineEnd: number): void {
  const url = rowIn(texts, row);
  // NUL-terminated text is for programs, as with sha256sum
  const text = lineEnd === NUL ? undefined : safeTextOf(url);
  if (text === undefined) out.bytes(url);
  else out.text(text);
  out.text(answers[row] === OK ? ': OK' : ': FAILED');
  out.byte(lineEnd);
}

/** Returns the line with escapes for what a terminal obeys, or undefined if it needs none. */
function safeTextOf(url: Uint8Array): string | undefined {
  if (isPrintable(url)) return undefined;
  const text = decodeLine(url);
  const safe = visible(text);
  const hasRawC1 = !isUtf8(url) && url.some((byte) => byte >= 0x80 && byte < 0xa0);
  return safe === text && !hasRawC1 ? undefined : safe;
}

/** Printable ASCII, as in nearly all URLs, need not be decoded. */
function isPrintable(url: Uint8Array): boolean {
  let at = 0;
  while (at < url.length && url[at]! >= 0x20 && url[at]! < 0x7f) at++;
  return at === url.length;
}
