import { counted, TROUBLE } from '../../arguments/diagnostics.ts';
import { choice, group } from '../../arguments/flag.ts';
import { usageFault } from '../../fault.ts';
import { openVerdictFormat, VERDICT_NAMES, VerdictStage } from '../../work/verdicts.ts';
import { lineCommand } from '../command.ts';
import { COMPLAINT_FLAGS, linePlan, ROW_FLAGS, RUN_FLAGS } from '../line-flags.ts';
import { CHECKER_FLAGS, checkOptions, openChecker, PROCEDURE_FLAGS, withAdvice } from './checker-flags.ts';

const FLAGS = {
  ...CHECKER_FLAGS,
  ...PROCEDURE_FLAGS,
  ...group('Output', {
    format: choice(
      'FORMAT',
      { tsv: 'verdict, threats, URL (default)', ndjson: 'all that is known, as a JSON object per line' },
      'tsv',
      'output for each line:',
    ),
  }),
  ...ROW_FLAGS,
  ...group('Bad lines', { quiet: COMPLAINT_FLAGS.quiet, allErrors: COMPLAINT_FLAGS.allErrors }),
  ...group('Run', { out: RUN_FLAGS.out, stats: RUN_FLAGS.stats, kernel: RUN_FLAGS.kernel }),
};

/** `urlsum safe-browsing check`: whether each URL is listed. */
export const CHECK = lineCommand({
  examples: [
    ['--store lists --when-unsure block urls.txt', 'with lists'],
    ['--procedure no-storage --when-unsure block urls.txt', 'without'],
  ],
  operands: '[URL|FILE…]',
  about: [
    'Checks each URL by Safe Browsing v5 and prints its verdict (safe, unsafe or unsure), its threats and the URL. The ' +
      'lists are those that urlsum safe-browsing update keeps in --store. Exit status: 0, all are safe; 1, one is ' +
      'unsafe; 2, one is unsure, or usage or file errors. --when-unsure is said by isAllowed in ndjson.',
  ],
  flags: FLAGS,
  async plan(values, operands, diagnostics) {
    const options = await checkOptions(values);
    const lines = await linePlan({ ...values, exitZero: true, onError: 'keep', jobs: 1 }, operands, {
      added: VERDICT_NAMES,
    });
    if (lines.records !== undefined && values.format === 'ndjson')
      throw usageFault('--format ndjson is for lines; records keep their form and gain verdict and threats');
    const stage = new VerdictStage(await openChecker(options, diagnostics), withAdvice);
    return {
      ...lines,
      prepare: stage.prepare,
      stage: stage.run,
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
