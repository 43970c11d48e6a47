import { decodeLine } from '../../core/bytes/text.ts';
import { counted } from '../../core/quote.ts';
import type { Answer } from '../../service/check/answer.ts';
import type { SafeBrowsingChecker } from '../../service/check/checker.ts';
import type { TextSource } from '../../specs/safe-browsing/doubt.ts';
import { TROUBLE, timeText } from '../arguments/diagnostics.ts';
import { choice, group } from '../arguments/flag.ts';
import { usageFault } from '../fault.ts';
import { type Batch, givenIn, type RowProblem, VALUE } from '../read/batch.ts';
import { addedName, type RowForm } from '../read/framing.ts';
import { type Format, type Results, rowByRow, type Stage, unhashed } from '../work/results.ts';
import { RecordFormat } from '../write/records.ts';
import { checkFlags, checkOptions, openChecker } from './checker.ts';
import { lineCommand } from './command.ts';
import { ANY_SCHEME, COMPLAINT_FLAGS, ORIGIN_FLAGS, ROW_FLAGS, RUN_FLAGS } from './line-flags.ts';
import { linePlan } from './line-plan.ts';
import { SPACES_FLAG, sourceIn } from './safe-browsing-flags.ts';

const CHECK_FLAGS = {
  ...checkFlags('block', 'what isAllowed of ndjson says of URLs without an answer: block (default) or allow'),
  ...group('Output', {
    format: choice(
      'FORMAT',
      { tsv: 'verdict, threats, URL (default)', ndjson: 'all that is known, as a JSON object per line' },
      'tsv',
      'output for each line:',
    ),
  }),
  ...ROW_FLAGS,
  ...ORIGIN_FLAGS,
  ...SPACES_FLAG,
  ...group('Bad lines', { quiet: COMPLAINT_FLAGS.quiet, allErrors: COMPLAINT_FLAGS.allErrors }),
  ...group('Run', { out: RUN_FLAGS.out, stats: RUN_FLAGS.stats, kernel: RUN_FLAGS.kernel }),
};

/** `urlsum safe-browsing check`: whether each URL is listed. */
export const CHECK = lineCommand({
  examples: [
    ['--store lists urls.txt', 'with lists'],
    ['--procedure no-storage urls.txt', 'without'],
  ],
  operands: '[URL|FILE…]',
  about: [
    'Checks each URL by Safe Browsing v5 and prints its verdict (safe, unsafe or unsure), its threats and the URL. The ' +
      'lists are those that urlsum safe-browsing update keeps in --store. Exit status: 0, all are safe; 1, one is ' +
      'unsafe; 2, one is unsure, or usage or file errors, even if another is unsafe: an alert asks for any status but 0.',
  ],
  flags: CHECK_FLAGS,
  async plan(values, inputs) {
    const options = await checkOptions(values);
    const lines = await linePlan({ ...values, ...ANY_SCHEME, exitZero: true, onError: 'keep', jobs: 1 }, inputs, {
      mayHaveTabs: true,
      added: VERDICT_NAMES,
    });
    if (lines.records !== undefined && values.format === 'ndjson')
      throw usageFault('--format ndjson is for lines; records keep their form and gain verdict and threats');
    return {
      ...lines,
      ...verdictsBy(await openChecker(options), sourceIn(values, lines.records)),
      openFormat: () => openVerdictFormat(lines, values.format),
      facts: () => ({ profile: 'safe-browsing' }),
      closedPipeStatus: TROUBLE,
      conclude({ unsafe = 0 }, diagnostics, invalidCount) {
        if (unsafe > 0) diagnostics.failed();
        if (invalidCount > 0) diagnostics.trouble(`${counted(invalidCount, 'line is', 'lines are')} unsure`);
      },
    };
  },
});

interface Verdicts extends Results {
  /** The answer for each row; a row without a value has none. */
  readonly answers: readonly (Answer | undefined)[];
}

/**
 * Checks the values of rows. The pipeline does not wait for a stage, so all values of a block are asked for before its
 * rows are worked on, which also saves requests. An unsure row is a problem; it is written all the same.
 */
function verdictsBy(checker: SafeBrowsingChecker, source: TextSource) {
  let answersOfBlock: Iterator<Answer> = [].values();
  const prepare = async (batches: Iterable<Batch>): Promise<void> => {
    const urls: Uint8Array[] = [];
    for (const batch of batches)
      for (let row = 0; row < batch.length; row++)
        if (batch.kinds[row] === VALUE) urls.push(Uint8Array.from(givenIn(batch, row)));
    answersOfBlock = (await checker.answersFor(urls, source)).values();
  };
  const stage: Stage<Verdicts> = (batch) => {
    const counts = { unsafe: 0, unsure: 0 };
    const unsure: RowProblem[] = [];
    const answers = Array.from({ length: batch.length }, (_, row) => {
      const answer: Answer | undefined = batch.kinds[row] === VALUE ? answersOfBlock.next().value : undefined;
      if (answer?.verdict === 'unsafe') counts.unsafe++;
      if (answer?.verdict === 'unsure') {
        counts.unsure++;
        const { reason, detail } = answer;
        unsure.push({ row, reason, message: `${reason}: ${detail}` });
      }
      return answer;
    });
    return { ...unhashed(batch, unsure, counts), answers };
  };
  return { prepare, stage };
}

const VERDICT_NAMES = [addedName('verdict'), addedName('threats')] as const;

/** Writes verdict, threats and the URL of each row, or adds the first two to records. */
function openVerdictFormat({ lineEnd, records }: RowForm, format: 'tsv' | 'ndjson'): Format<Verdicts> {
  const answerOf = (results: Results, row: number) => (results as Verdicts).answers[row];
  if (records !== undefined)
    return new RecordFormat(records, [
      { name: VERDICT_NAMES[0], textOf: (results, row) => verdictOf(answerOf(results, row)) },
      { name: VERDICT_NAMES[1], textOf: (results, row) => threatsText(answerOf(results, row)) },
    ]);
  return rowByRow((out, results, row) => {
    const url = givenIn(results.batch, row);
    const answer = answerOf(results, row);
    if (format === 'ndjson') out.text(JSON.stringify(recordOf(decodeLine(url), answer)));
    else {
      out.text(`${verdictOf(answer)}\t${threatsText(answer)}\t`);
      out.bytes(url);
    }
    out.byte(lineEnd);
  });
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
  const expiresAt = timeText(answer.expiresAt);
  return { url, verdict, reason, isAllowed, threats, matched, detail, expiresAt };
}
