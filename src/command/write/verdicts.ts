import { decodeLine } from '../../core/bytes/text.ts';
import type { Answer } from '../../service/check/index.ts';
import type { RowForm } from '../read/framing.ts';
import { addedName } from '../read/names.ts';
import { givenIn } from '../read/row-batch.ts';
import type { ResultBatch } from '../work/stage.ts';
import type { Verdicts } from '../work/verdicts.ts';
import { type Format, rowByRow } from './format.ts';
import { RecordFormat } from './records.ts';

export const VERDICT_NAMES = [addedName('verdict'), addedName('threats')] as const;

/** Writes verdict, threats and the URL of each row, or adds the first two to records. */
export function openVerdictFormat({ lineEnd, records }: RowForm, format: 'tsv' | 'ndjson'): Format<Verdicts> {
  if (records !== undefined)
    return new RecordFormat(records, [
      { name: VERDICT_NAMES[0], textOf: (results, row) => verdictOf(answerOf(results, row)) },
      { name: VERDICT_NAMES[1], textOf: (results, row) => threatsText(answerOf(results, row)) },
    ]) as Format<Verdicts>;
  return rowByRow((out, results, row) => {
    const url = givenIn(results.rows, row);
    const answer = answerOf(results, row);
    if (format === 'ndjson') out.text(JSON.stringify(recordOf(decodeLine(url), answer)));
    else {
      out.text(`${verdictOf(answer)}\t${threatsText(answer)}\t`);
      out.bytes(url);
    }
    out.byte(lineEnd);
  }) as Format<Verdicts>;
}

function answerOf(results: ResultBatch, row: number): Answer | undefined {
  return (results as Verdicts).answers[row];
}

/** A row without a URL is unsure, too. */
function verdictOf(answer: Answer | undefined): Answer['verdict'] {
  return answer?.verdict ?? 'unsure';
}

/** Returns each type once; one that counts in frames alone says so. */
function threatsText(answer: Answer | undefined): string {
  const threats = answer?.threats ?? [];
  return [...new Set(threats.map(({ type, isFrameOnly }) => (isFrameOnly ? `${type}:FRAME_ONLY` : type)))].join(',');
}

function recordOf(url: string, answer: Answer | undefined): object {
  if (answer === undefined) return { url, verdict: verdictOf(answer) };
  const { verdict, reason, isAllowed, matched, detail } = answer;
  const threats = answer.threats.map(({ type, isFrameOnly, expression }) => ({ type, isFrameOnly, expression }));
  const expiresAt = new Date(answer.expiresAt).toISOString();
  return { url, verdict, reason, isAllowed, threats, matched, detail, expiresAt };
}
