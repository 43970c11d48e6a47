import type { ListReport, SafeBrowsingChecker } from '../../../service/check/index.ts';
import type { Diagnostics } from '../../arguments/diagnostics.ts';
import { choice, group, toggle } from '../../arguments/flag.ts';
import { usageFault } from '../../fault.ts';
import { print } from '../../write/output.ts';
import { action } from '../command.ts';
import { CHECKER_FLAGS, openChecker, storedOptions, withAdvice } from './checker-flags.ts';
import { untilEnded } from './server.ts';

const FLAGS = {
  ...CHECKER_FLAGS,
  ...group('Update', {
    procedure: choice(
      'NAME',
      ['local-list', 'real-time'],
      'local-list',
      'local-list (default), or real-time, which holds the Global Cache, gc-32b, too',
    ),
    watch: toggle('update whenever the server says, until the command is ended'),
  }),
};

/** `urlsum safe-browsing update`: brings the lists in a folder up to date. */
export const UPDATE = action({
  examples: [
    ['--store lists --key-file key.txt', 'once'],
    ['--store lists --watch', 'whenever the server says'],
    ['--store lists --list mw-4b', 'one list'],
  ],
  operands: '',
  about: [
    'Fetches what has changed in the lists of Safe Browsing v5 and prints a line for each: its name, what became of it, ' +
      'its prefixes, and when it was last up to date. Processes can share a folder. Exit status: 0, all are up to date; ' +
      '2, one is not. A list that is not stays as it was.',
  ],
  flags: FLAGS,
  async run(values, operands, { diagnostics }) {
    if (operands.length > 0) throw usageFault(`safe-browsing update takes no operands, not '${operands[0]}'`);
    const checker = await openChecker(await storedOptions(values, values.procedure), diagnostics);
    if (!values.watch) {
      const reports = await checker.update();
      await print(linesOf(reports, checker));
      judge(reports, checker, diagnostics);
      return;
    }
    await untilEnded({
      async start(write) {
        checker.start({
          onUpdate(reports) {
            write(linesOf(reports, checker));
            for (const { name, detail } of reports)
              if (detail !== undefined) void diagnostics.tell([`${name}: ${withAdvice(detail)}`]);
          },
        });
      },
      stop: () => checker.stop({ signal: AbortSignal.abort() }),
    });
  },
});

function linesOf(reports: readonly ListReport[], checker: SafeBrowsingChecker): string {
  const times = new Map(checker.status().lists.map(({ name, updatedAt }) => [name, updatedAt]));
  return reports
    .map(({ name, status, size }) => {
      const time = times.get(name);
      return `${name}\t${status}\t${size}\t${time === undefined ? '' : new Date(time).toISOString()}\n`;
    })
    .join('');
}

/** A list that the store did not keep is of no use to the next command. */
function judge(reports: readonly ListReport[], checker: SafeBrowsingChecker, diagnostics: Diagnostics): void {
  const lists = new Map(checker.status().lists.map((list) => [list.name, list]));
  for (const { name, status, detail } of reports) {
    const { isFresh, trouble } = lists.get(name)!;
    if (status === 'failed' || !isFresh || trouble !== undefined)
      diagnostics.trouble(`${name}: ${withAdvice(detail ?? trouble ?? 'it is not up to date')}`);
    else if (detail !== undefined) void diagnostics.tell([`${name}: ${withAdvice(detail)}`]);
  }
}
