import { TROUBLE } from '../arguments/diagnostics.ts';
import { choice, group, parsed } from '../arguments/flag.ts';
import { NUMBER } from '../arguments/numbers.ts';
import type { Counts } from '../work/results.ts';
import { lineCommand } from './command.ts';
import { ANY_SCHEME, COMPLAINT_FLAGS, ORIGIN_FLAGS, ROW_FLAGS, RUN_FLAGS } from './line-flags.ts';
import { NAME_FLAG, OUT_FLAG, REPLACE_FLAGS } from './list.ts';
import { ListFile } from './list-entries.ts';
import { mustBeGoodList, mustBeNamedFor } from './list-files.ts';
import { entryPlan, LIST_KIND_FLAGS, TYPE_COLUMN_FLAG } from './list-input.ts';
import { summaryOf, warnOfExceptions, warnOfLoss } from './list-summary.ts';
import { mustHaveOut, mustNotReplaceInputs } from './named-files.ts';
import {
  libraryProfile,
  lookupFacts,
  SAFE_BROWSING_PROFILES,
  SUFFIX_LIST_FLAG,
  suffixListIn,
} from './safe-browsing-flags.ts';

const FLAGS = {
  ...LIST_KIND_FLAGS,
  ...OUT_FLAG,
  ...NAME_FLAG,
  ...REPLACE_FLAGS,
  ...group('Output', {
    prefix: parsed(
      'BYTES',
      'bytes of each SHA-256 to keep, 4 to 32 (default 8); take 4 only for clients that ask a server for whole hashes',
      8,
      NUMBER.prefixBytes,
    ),
  }),
  ...group('Expressions', {
    profile: choice('PROFILE', SAFE_BROWSING_PROFILES, 'safe-browsing', 'specification of the expressions:'),
    mode: choice(
      'MODE',
      {
        spec: 'the steps of the specification on the line as given (default)',
        browser: 'on what a browser would visit',
      },
      'spec',
      'how a line is read:',
    ),
    ...SUFFIX_LIST_FLAG,
  }),
  ...ROW_FLAGS,
  ...ORIGIN_FLAGS,
  ...TYPE_COLUMN_FLAG,
  ...COMPLAINT_FLAGS,
  ...group('Run', { stats: RUN_FLAGS.stats, kernel: RUN_FLAGS.kernel, jobs: RUN_FLAGS.jobs }),
};

/** `urlsum list build`: a list from the URLs of all lines. */
export const BUILD = lineCommand({
  examples: [
    ['--out bad.list urls.txt', 'a list of URLs, hosts, expressions'],
    ['--out bad.list -f url reports.csv', 'of a column of a table'],
    ['--out bad.list --input auto lists/*.txt', 'block lists of any kind'],
    ['--out bad.list --prefix 4 urls.txt', 'for clients that ask for whole hashes'],
  ],
  operands: '[FILE…]',
  about: [
    'Writes a list of the hash prefixes of all lines, each once. A line lists its URL and, if the path ends in a slash, ' +
      'every URL under it, on its host and on all hosts under that, unless it is a public suffix. A line without a ' +
      'host, or with *, |, ^ or a space in its host, is refused: urlsum lists the other lines and exits with 1. A ' +
      'summary counts the entries of each kind.',
  ],
  flags: FLAGS,
  async plan(values, inputs) {
    mustNotReplaceInputs(values.out, inputs, 'list');
    const width = values.prefix;
    const profile = libraryProfile(values.profile);
    const suffixList = suffixListIn(values.suffixList, profile);
    const lineValues = { ...values, ...ANY_SCHEME, out: mustHaveOut('list build', values.out) };
    const lines = await entryPlan(lineValues, inputs, { width, reading: { profile, mode: values.mode }, suffixList });
    mustBeNamedFor(values.name ?? '', [width]);
    const file = new ListFile(width, {
      profile,
      ...(values.name !== undefined && { name: values.name }),
      ...(values.suffixList !== undefined && { suffixList: suffixList.edition }),
    });
    const summaryOfFile = (counts: Counts) => summaryOf(counts, file.made, file.made.list.mergedCount);
    return {
      ...lines,
      openFormat: () => file,
      isOrdered: true,
      facts: () => ({ ...lookupFacts(values.profile, suffixList), width }),
      async mustAllowOutput(counts, diagnostics) {
        try {
          if (diagnostics.status < TROUBLE) mustBeGoodList(file.made.list, lines.out!, values);
        } catch (error) {
          await diagnostics.tell(summaryOfFile(counts));
          throw error;
        }
      },
      conclude(counts, diagnostics, invalidCount, validCount) {
        if (diagnostics.status >= TROUBLE) return;
        void diagnostics.tell(summaryOfFile(counts));
        warnOfExceptions(file.made.idle, values.allErrors, diagnostics);
        warnOfLoss(counts, invalidCount, validCount, diagnostics);
      },
    };
  },
});
