import { openKernel } from '../../../kernel/open.ts';
import { ListFile } from '../../format/list-file.ts';
import { ENTRIES_TRANSFER, ListEntryStage } from '../../stage/list-entries.ts';
import type { Counts } from '../../stage/stage.ts';
import type { Diagnostics } from '../../terminal/diagnostics.ts';
import { choice, group } from '../../terminal/flag.ts';
import { lineCommand } from '../command.ts';
import { COMPLAINT_FLAGS, linePlan, ROW_FLAGS, RUN_FLAGS } from '../line-flags.ts';
import { libraryProfile, SAFE_BROWSING_PROFILES, SUFFIX_LIST_FLAG, suffixListIn } from '../safe-browsing-flags.ts';
import { mustHaveOut, NAME_FLAG, OUT_FLAG } from './flags.ts';

const FLAGS = {
  ...OUT_FLAG,
  ...NAME_FLAG,
  ...group('Output', {
    prefix: choice(
      'BYTES',
      { 4: '', 8: '', 16: '', 32: '' },
      '8',
      'bytes of each SHA-256 to keep: 4, 8 (default), 16 or 32; with 4, a list of 10^6 entries matches one in 4300 ' +
        'other expressions by chance',
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
  ...COMPLAINT_FLAGS,
  ...group('Run', { stats: RUN_FLAGS.stats, kernel: RUN_FLAGS.kernel, jobs: RUN_FLAGS.jobs }),
};

/** `urlsum list build`: a list of the URLs of all lines. */
export const BUILD = lineCommand({
  examples: [
    ['--out bad.list urls.txt', 'a list of URLs, hosts, expressions'],
    ['--out bad.list -f url reports.csv', 'of a column of a table'],
    ['--out bad.list --prefix 4 urls.txt', 'for clients that ask for whole hashes'],
  ],
  operands: '[FILE…]',
  about: [
    'Writes a list of the hash prefixes of all lines, each once. A line stands for its URL; if the path ends in a ' +
      'slash, also for what is under it; and on all hosts under its host, unless that is a public suffix. A line ' +
      'without a host is refused, as no URL has such an expression; the others are listed, and the exit status is 1.',
  ],
  flags: FLAGS,
  async plan(values, operands) {
    const lines = await linePlan({ ...values, out: mustHaveOut('list build', values.out) }, operands);
    const width = Number(values.prefix);
    const profile = libraryProfile(values.profile);
    const suffixList = await suffixListIn(values.suffixList, profile);
    const options = {
      profile,
      ...(values.name !== undefined && { name: values.name }),
      ...(values.suffixList !== undefined && { suffixList: suffixList.edition }),
    };
    return {
      ...lines,
      onError: 'skip',
      stage: new ListEntryStage(openKernel(), width, { profile, mode: values.mode }, suffixList),
      openFormat: () => new ListFile(width, options),
      transfer: ENTRIES_TRANSFER,
      facts: () => ({
        profile: values.profile,
        ...(profile === 'v5' ? { suffixList: suffixList.edition } : {}),
        width,
      }),
      conclude: tellOfPublicSuffixes,
    };
  },
});

/** That host alone may be what is meant; where all hosts under it are, none of them would be found. */
function tellOfPublicSuffixes({ publicSuffixes: count = 0 }: Counts, diagnostics: Diagnostics): void {
  if (count === 0) return;
  const lines = count === 1 ? '1 line has a public suffix as its host' : `${count} lines have a public suffix as host`;
  void diagnostics.tell([`${lines}: look-ups match that host alone, not the hosts under it`]);
}
