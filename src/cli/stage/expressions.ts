import type { Kernel } from '../../kernel/index.ts';
import { ExpressionReader, type Settings } from '../../safe-browsing/index.ts';
import type { RowProblem } from '../rows/row-batch.ts';
import { type ExpressionLineOptions, ExpressionLines } from './expression-lines.ts';
import { safeBrowsingProblem } from './safe-browsing.ts';
import { allProblems, NO_DIGESTS, type Stage } from './stage.ts';

export interface ExpressionOptions extends ExpressionLineOptions {
  readonly settings: Settings;
  /** Whether a URL without expressions is written as it was given. */
  readonly keepsInvalid: boolean;
}

/** Writes a line for each expression of each URL: the number of the URL's row, a tab, the expression, and its hash. */
export function expressionStage(kernel: Kernel, options: ExpressionOptions): Stage {
  const { settings, width, keepsInvalid, lineEnd } = options;
  const reader = new ExpressionReader(kernel, width, settings, keepsInvalid);
  const lines = new ExpressionLines(kernel, { width, lineEnd });
  return (rows, rowsBefore) => {
    const firstNumber = rowsBefore + rows.firstNumber + 1;
    const found: RowProblem[] = [];
    let expressions = 0;
    for (const batch of reader.rows(rows.values, rows.length, rows.kinds)) {
      lines.write(batch, reader.kernelWidth, firstNumber + batch.firstRow);
      for (const { row, input, failure } of batch.rejected) found.push(safeBrowsingProblem(row, input, failure));
      expressions += batch.count - (keepsInvalid ? batch.rejected.length : 0);
    }
    const problems = allProblems(rows, found);
    return { rows, problems, digests: NO_DIGESTS, width: 0, texts: lines.take(), counts: { expressions } };
  };
}
