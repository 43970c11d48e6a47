import { counted } from '../../core/quote.ts';
import { TROUBLE } from '../arguments/diagnostics.ts';
import { group, toggle } from '../arguments/flag.ts';
import { URL_FLAGS, urlReading } from '../arguments/url-flags.ts';
import { taggedLines } from '../read/sum-tag.ts';
import { lineCommand } from './command.ts';
import { COMPLAINT_FLAGS, LINE_FLAGS, RUN_FLAGS } from './line-flags.ts';
import { linePlan } from './line-plan.ts';
import { openAnswerFormat, SumStage } from './sum-lines.ts';

const FLAGS = {
  check: toggle('check hashes: this command', { short: 'c' }),
  ...group('Output', {
    quiet: toggle('print only lines that do not match'),
    status: toggle('print nothing; only set the exit status'),
  }),
  ...URL_FLAGS,
  ...LINE_FLAGS,
  ...group('Bad lines', {
    allErrors: { ...COMPLAINT_FLAGS.allErrors, without: [] }, // --quiet is of other lines here
    exitZero: COMPLAINT_FLAGS.exitZero,
  }),
  ...RUN_FLAGS,
};

const OTHER_TOOL = 'a list of another tool, as of sha256sum, is checked by that tool';

/** `urlsum --check`: whether each line of the text format holds the hash of its URL. */
export const CHECK = lineCommand({
  examples: [
    ['sums.txt', 'OK or FAILED for each line'],
    ['--quiet sums.txt', 'only those that do not match'],
    ['--status sums.txt && echo good', 'set only the exit status'],
    ['--base https://example.com/ sums.txt', 'with the options you hashed with'],
  ],
  operands: '[FILE…]',
  about: [
    'Reads the text that urlsum prints, computes each hash again and compares the two. Pass the options you hashed ' +
      'with; the comment of --tag names them. Exit status: 0, all match; 1, a line does not match, or there was ' +
      'nothing to check; 2, usage or file errors. Control characters are escaped unless --zero is given.',
  ],
  flags: FLAGS,
  async plan(values, inputs) {
    const { status, quiet } = values;
    const lines = await linePlan({ ...values, quiet: status }, inputs);
    const hashingOf = (flags: typeof values) => ({ kernel: lines.kernel, width: 32 as const, ...urlReading(flags) });
    const hashing = hashingOf(values);
    const isPlain = Object.keys(hashing.form.options).length === 0;
    const optionsAdvice = isPlain ? '; sums that were made with options (as --preset) need the same options here' : '';
    const shown = status ? 'none' : quiet ? 'failed' : 'all';
    const stage = new SumStage(hashing, (unicode) => hashingOf({ ...values, unicode: `${unicode}` }));
    return {
      ...lines,
      framing: taggedLines(lines.framing, lines.lineEnd, hashing, (unicode) => stage.use(unicode)),
      stage: stage.run,
      openFormat: () => openAnswerFormat(lines, shown),
      facts: () => ({ profile: hashing.profile }),
      conclude({ malformed = 0, mismatched = 0, checked = 0, notUrls = 0 }, diagnostics) {
        const fail = (message: string) => diagnostics.failed(status ? undefined : message);
        if (malformed > 0 && !values.exitZero)
          fail(`WARNING: ${counted(malformed, 'line is', 'lines are')} improperly formatted`);
        if (mismatched > 0)
          fail(`WARNING: ${counted(mismatched, 'computed hash', 'computed hashes')} did NOT match${optionsAdvice}`);
        if (checked === 0 && diagnostics.status === TROUBLE) return; // no input could be read, which was reported
        if (checked === 0)
          fail(malformed > 0 ? `no properly formatted lines found: ${OTHER_TOOL}` : 'nothing to check');
        else if (notUrls === checked) fail(`no line holds a URL: ${OTHER_TOOL}`);
      },
    };
  },
});
