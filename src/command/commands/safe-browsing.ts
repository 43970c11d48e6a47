import { quote } from '../../core/quote.ts';
import type { SafeBrowsingChecker } from '../../service/check/checker.ts';
import type { ListReport } from '../../service/check/list-updates.ts';
import type { OwnList } from '../../service/http/own-list.ts';
import { KNOWN_THREAT_TYPES, threatTypesOf } from '../../service/lists/threats.ts';
import { type Diagnostics, timeText } from '../arguments/diagnostics.ts';
import { choice, group, oneOf, texts, toggle } from '../arguments/flag.ts';
import { usageFault } from '../fault.ts';
import { print } from '../write/output.ts';
import { CHECKER_FLAGS, checkFlags, checkOptions, openChecker, storedOptions } from './checker.ts';
import { action, block } from './command.ts';
import { LISTEN_FLAGS, loadAll, SERVED_LIST_FLAGS, serveUntilEnded, untilEnded, watchOptions } from './server.ts';

const UPDATE_FLAGS = {
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
  flags: UPDATE_FLAGS,
  async run(values, operands, { diagnostics }) {
    if (operands.length > 0) throw usageFault(`safe-browsing update takes no operands, not '${operands[0]}'`);
    const checker = await openChecker(await storedOptions(values, values.procedure));
    if (!values.watch) {
      const reports = await checker.update();
      await print(linesOf(reports, checker));
      reportProblems(reports, checker, diagnostics);
      return;
    }
    await untilEnded({
      async start(write) {
        checker.start({
          onUpdate(reports) {
            write(linesOf(reports, checker));
            for (const { name, detail } of reports)
              if (detail !== undefined) void diagnostics.tell([`${name}: ${detail}`]);
          },
        });
      },
      stop: () => checker.stop({ signal: AbortSignal.abort() }),
    });
  },
});

function linesOf(reports: readonly ListReport[], checker: SafeBrowsingChecker): string {
  const times = new Map(checker.status().lists.map(({ name, updatedAt }) => [name, updatedAt]));
  return block(
    reports.map(({ name, status, size }) => [name, status, size, timeText(times.get(name)) ?? ''].join('\t')),
  );
}

/** Reports lists that are not up to date, or that the store did not keep for the next command. */
function reportProblems(reports: readonly ListReport[], checker: SafeBrowsingChecker, diagnostics: Diagnostics): void {
  const lists = new Map(checker.status().lists.map((list) => [list.name, list]));
  for (const { name, status, detail } of reports) {
    const { isFresh, trouble } = lists.get(name)!;
    if (status === 'failed' || !isFresh || trouble !== undefined)
      diagnostics.trouble(`${name}: ${detail ?? trouble ?? 'it is not up to date'}`);
    else if (detail !== undefined) void diagnostics.tell([`${name}: ${detail}`]);
  }
}

const SERVE_FLAGS = {
  ...checkFlags(undefined, 'what becomes of URLs without an answer: block or allow; there is no default'),
  ...group('Server', {
    ...LISTEN_FLAGS,
    own: texts('FILE=TYPE', 'a list, built or of lines, and what its URLs are, as bad.list=MALWARE; repeat it'),
    frames: toggle('answer threats that count in frames alone, too'),
    logUrls: toggle('write each URL that is checked to standard error'),
  }),
  ...SERVED_LIST_FLAGS,
};

/** `urlsum safe-browsing serve`: answers programs of this machine. */
export const SERVE = action({
  examples: [
    ['--store lists --when-unsure block', 'with lists'],
    ['--own bad.list=MALWARE --store lists --when-unsure block', 'and yours'],
    ['--procedure no-storage --when-unsure allow', 'without lists'],
  ],
  operands: '',
  about: [
    'Answers GET /v5/urls:search and, for programs that call Safe Browsing v4, POST /v4/threatMatches:find and GET ' +
      '/v4/threatLists; for operators, /status, /healthz and /metrics. Google ends its support of v4 on 31 March 2027; ' +
      'it may remain accessible. The lists are kept up to date in the background. ' +
      'SIGTERM ends it when what runs is answered. docs/safe-browsing-server.md says what changes from v4 and sbserver.',
  ],
  flags: SERVE_FLAGS,
  async run(values, operands, { diagnostics }) {
    if (operands.length > 0) throw usageFault(`safe-browsing serve takes no operands, not '${operands[0]}'`);
    const options = await checkOptions(values);
    const watched = watchOptions(values, diagnostics);
    const ownLists = await Promise.all(values.own.map((own) => ownListOf(own, watched)));
    await loadAll(ownLists);
    const checker = await openChecker(options);
    const { CheckServer } = await import('../../service/http/check-server.ts');
    const held = options.procedure === 'local-list' ? threatTypesOf(options.lists ?? []) : KNOWN_THREAT_TYPES;
    const server = new CheckServer({
      checker,
      ownLists,
      now: Date.now,
      withFrames: values.frames,
      whenUnsure: options.whenUnsure,
      types: KNOWN_THREAT_TYPES.filter((type) => held.includes(type) || ownLists.some((list) => list.type === type)),
      hosts: values.host,
      origins: values.allowOrigin,
      log: (message) => void diagnostics.tell([message]),
      ...(values.logUrls && {
        logUrl: (url: string, types: readonly string[]) =>
          void diagnostics.tell([`${types.join(',') || 'safe'} ${quote(url)}`]),
      }),
    });
    await serveUntilEnded(server, values.listen);
  },
});

/** @throws {Fault} on the option */
async function ownListOf(value: string, options: ReturnType<typeof watchOptions>): Promise<OwnList> {
  const at = value.lastIndexOf('=');
  if (at < 1) throw usageFault(`--own must be FILE=TYPE, as bad.list=MALWARE, not '${value}'`);
  const path = value.slice(0, at);
  const { OwnList } = await import('../../service/http/check-server.ts');
  return new OwnList(path, oneOf('the type of --own', value.slice(at + 1), KNOWN_THREAT_TYPES), options);
}
