import type { HashList } from '../../service/lists/hash-list.ts';
import type { NamedList } from '../../service/lists/list-search.ts';
import type { Settings } from '../../specs/safe-browsing/settings.ts';
import type { SuffixList } from '../../specs/safe-browsing/suffix-list.ts';
import { counted, TROUBLE } from '../arguments/diagnostics.ts';
import { choice, group, text, texts, toggle, type ValuesOf } from '../arguments/flag.ts';
import { fileFault, usageFault } from '../fault.ts';
import type { Records } from '../read/framing.ts';
import type { ValueKind } from '../work/log-lines.ts';
import { LookupStage, MATCH_NAMES, openMatchFormat } from '../work/lookups.ts';
import { openHashLists } from '../work/open-hash-list.ts';
import { lineCommand } from './command.ts';
import { COMPLAINT_FLAGS, linePlan, ROW_FLAGS, RUN_FLAGS } from './line-flags.ts';
import { commandProfile, lookupFacts, SUFFIX_FLAGS, settingsIn } from './safe-browsing-flags.ts';

const FLAGS = {
  ...group('Look-ups', {
    list: texts('LIST', 'a file that urlsum list build wrote; repeat it for several lists', { isPath: true }),
    mode: choice(
      'MODE',
      {
        union: 'both of the following (default): neither can hide a host',
        spec: 'the steps of the specification on the line as given',
        browser: 'the same on what a browser would visit',
      },
      'union',
      'how a URL is read:',
    ),
    ...SUFFIX_FLAGS,
  }),
  ...ROW_FLAGS,
  ...group('Bad lines', {
    onError: choice(
      'ACTION',
      ['report', 'skip', 'fail'],
      'report',
      'if a line cannot be looked up: report (default), exit with 2 at the end; skip, ignore it; fail, end the run',
    ),
    spaces: choice(
      'ACTION',
      ['refuse', 'allow'],
      'refuse',
      'lines that hold more than a URL, as those of logs: refuse (default); allow, look them up',
    ),
    quiet: COMPLAINT_FLAGS.quiet,
    allErrors: COMPLAINT_FLAGS.allErrors,
    exitZero: toggle('exit as if lines that could not be looked up were not there'),
  }),
  ...RUN_FLAGS,
  ...group('Run', {
    explain: text('URL', 'show the expressions of URL, the lists that have each, and nothing else'),
  }),
};

/** `urlsum lookup`: the lines whose URLs are on a list. */
export const LOOKUP = lineCommand({
  examples: [
    ['--list bad.list urls.txt', 'each match: list, expression, line'],
    ['--list a.list --list b.list -j 0 urls.txt', 'in several lists, on all processors'],
    ["--list bad.list --delimiter ' ' -f 7 access.log", 'log lines, with two more fields'],
    ['--list bad.list --json url log.jsonl', 'JSON lines, with two more members'],
    ['--list a.list --explain http://b.example/', 'each expression, and what lists it'],
  ],
  operands: '[FILE…]',
  about: [
    'Looks each line up in lists and prints the listed lines, once per list: the list, its most exact expression and ' +
      'the line, with tabs between them. Exit status: 0, no line is listed; 1, a line is listed; 2, usage or file ' +
      'errors, or a line could not be looked up.',
  ],
  flags: FLAGS,
  async plan(values, operands) {
    const { onError } = values;
    const exitsZero = values.exitZero || onError === 'skip';
    const lines = await linePlan(
      { ...values, exitZero: true, onError: onError === 'fail' ? 'fail' : 'skip' },
      operands,
      { added: MATCH_NAMES },
    );
    const lists = namedLists(values.list);
    const settings = settingsOf(values, lists);
    return {
      ...lines,
      stage: new LookupStage(lines.kernel, lists, {
        settings,
        valueKind: valueKindOf(lines.records, values.column),
        allowsLogLines: values.spaces === 'allow',
      }).run,
      openFormat: () => openMatchFormat(lines),
      facts: () => lookupFacts(commandProfile(settings.profile), settings.suffixList),
      closedPipeStatus: TROUBLE,
      conclude: ({ matched = 0, fieldsBeforeScheme = 0 }, diagnostics, invalidCount) => {
        if (matched > 0) diagnostics.failed();
        if (fieldsBeforeScheme > 0) void diagnostics.tell([fieldNotice(fieldsBeforeScheme)]);
        if (invalidCount > 0 && !exitsZero)
          diagnostics.trouble(`${counted(invalidCount, 'line was', 'lines were')} not looked up`);
      },
    };
  },
  async explain(url, values) {
    const lists = namedLists(values.list);
    return (await import('./explain.ts')).explainLookup(url, settingsOf(values, lists), lists);
  },
});

/** Rows of Parquet are lines, made of its cells. */
function valueKindOf(records: Records | undefined, column: string | undefined): ValueKind {
  if (records === undefined) return column === undefined ? 'lines' : 'records';
  return records.kind === 'delimited' ? 'fields' : 'records';
}

/** Each thread reads the lists, and standard input is for lines. @throws {Fault} without a list, or on '-' */
function namedLists(paths: readonly string[]): NamedList[] {
  if (paths.length === 0) throw usageFault('lookup needs --list LIST, a file that urlsum list build writes');
  if (paths.includes('-')) throw usageFault('--list takes a file, not -: standard input is for lines');
  return openHashLists(paths).map((list, at) => ({ name: paths[at]!, list }));
}

function settingsOf(values: ValuesOf<typeof FLAGS>, lists: readonly NamedList[]): Settings {
  const settings = settingsIn(values, lists[0]!.list.profile);
  for (const { name, list } of lists) mustBeFor(settings.suffixList, name, list);
  return settings;
}

/** Another edition could take the host of an entry for a public suffix, and miss the hosts under it. */
function mustBeFor({ edition }: SuffixList, path: string, list: HashList): void {
  if (list.suffixList === undefined || list.suffixList === edition) return;
  const reason = `it was built with the Public Suffix List ${list.suffixList}, not ${edition}: pass that one with --suffix-list`;
  throw fileFault(path, reason);
}

function fieldNotice(count: number): string {
  const lines = counted(count, 'line has', 'lines have');
  return `${lines} a comma, ; or | before a scheme: of records, --csv -f N or --delimiter ';' -f N reads a field`;
}
