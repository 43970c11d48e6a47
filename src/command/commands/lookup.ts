import type { Kernel } from '../../core/kernel/kernel.ts';
import { counted } from '../../core/quote.ts';
import { editionProblem } from '../../service/lists/hash-list.ts';
import { type Listing, type Listings, ListSearch, type NamedList } from '../../service/lists/list-search.ts';
import type { RejectedRow } from '../../specs/safe-browsing/batch.ts';
import type { TextSource } from '../../specs/safe-browsing/doubt.ts';
import type { Settings } from '../../specs/safe-browsing/settings.ts';
import { TROUBLE } from '../arguments/diagnostics.ts';
import { choice, files, group, text, toggle, type ValuesOf } from '../arguments/flag.ts';
import { fileFault, usageFault } from '../fault.ts';
import { givenIn, HEADING, type RowProblem } from '../read/batch.ts';
import { addedName, type Records, type RowForm } from '../read/framing.ts';
import type { OptionFile } from '../read/inputs.ts';
import {
  type Format,
  keepOnly,
  RESULT,
  type Results,
  type RowFormat,
  rowByRow,
  type Stage,
  unhashed,
} from '../work/results.ts';
import { safeBrowsingProblem } from '../work/urls.ts';
import { RecordFormat } from '../write/records.ts';
import { lineCommand } from './command.ts';
import { ANY_SCHEME, COMPLAINT_FLAGS, ORIGIN_FLAGS, ROW_FLAGS, RUN_FLAGS } from './line-flags.ts';
import { linePlan } from './line-plan.ts';
import { openLists } from './list-files.ts';
import { commandProfile, lookupFacts, SPACES_FLAG, SUFFIX_FLAGS, settingsIn, sourceIn } from './safe-browsing-flags.ts';

const FLAGS = {
  ...group('Look-ups', {
    list: files('LIST', 'a list of urlsum list build or safe-browsing update; repeat it for several'),
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
    not: toggle('print, as given, the lines that are on no list'),
  }),
  ...ROW_FLAGS,
  ...ORIGIN_FLAGS,
  ...group('Bad lines', {
    onError: choice(
      'ACTION',
      ['report', 'skip', 'fail'],
      'report',
      'if a line cannot be looked up: report (default), exit with 2 at the end; skip, ignore it; fail, end the run',
    ),
    ...SPACES_FLAG,
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
    ['--list bad.list --log access.log', 'an access log, with two more fields'],
    ['--list bad.list --not urls.txt', 'the lines that are on no list'],
    ['--list bad.list --json url log.jsonl', 'JSON lines, with two more members'],
    ['--list a.list --explain http://b.example/', 'each expression, and what lists it'],
  ],
  operands: '[FILE…]',
  about: [
    'Looks each line up in lists and prints the listed lines, once per list: the list, its most exact expression and ' +
      'the line, with tabs between them. Exit status: 0, no line is listed; 1, a line is listed; 2, usage or file ' +
      'errors, or a line could not be looked up. --not prints the other lines, without those that could not be ' +
      'looked up, and a line that is listed does not change its status.',
  ],
  flags: FLAGS,
  async plan(values, inputs) {
    const { onError, not } = values;
    const lineValues = {
      ...values,
      ...ANY_SCHEME,
      exitZero: true,
      onError: onError === 'report' ? ('skip' as const) : onError,
    };
    const lines = await linePlan(lineValues, inputs, { mayHaveTabs: true, added: not ? [] : MATCH_NAMES });
    const lists = namedLists(values.list);
    const settings = settingsOf(values, lists);
    return {
      ...lines,
      stage: lookupStage(lines.kernel, lists, settings, sourceIn(values, lines.records)),
      openFormat: () => (not ? openOtherFormat(lines) : openMatchFormat(lines)),
      facts: () => lookupFacts(commandProfile(settings.profile), settings.suffixList),
      closedPipeStatus: TROUBLE,
      conclude: ({ matched = 0 }, diagnostics, invalidCount) => {
        if (matched > 0 && !not) diagnostics.failed();
        if (invalidCount > 0 && !values.exitZero && onError !== 'skip')
          diagnostics.trouble(`${counted(invalidCount, 'line was', 'lines were')} not looked up`);
      },
    };
  },
  async explain(url, values) {
    const lists = namedLists(values.list);
    return (await import('./explain.ts')).explainLookup(url, settingsOf(values, lists), lists);
  },
});

/** Each thread reads the lists, and standard input is for lines. @throws {Fault} without a list, or on '-' */
function namedLists(lists: readonly OptionFile[]): NamedList[] {
  if (lists.length === 0) throw usageFault('lookup needs --list LIST, a file that urlsum list build writes');
  if (lists.some(({ path }) => path === '-'))
    throw usageFault('--list takes a file, not -: standard input is for lines');
  return openLists(lists).map((list, at) => ({ name: lists[at]!.path, list }));
}

function settingsOf(values: ValuesOf<typeof FLAGS>, lists: readonly NamedList[]): Settings {
  const settings = settingsIn(values, lists[0]!.list.profile);
  for (const { name, list } of lists) {
    const problem = editionProblem(list, settings.suffixList, 'with --suffix-list');
    if (problem !== undefined) throw fileFault(name, problem);
  }
  return settings;
}

interface LookedUp extends Results {
  readonly listings: Listings;
}

/** Looks each URL up in lists of one profile. */
function lookupStage(
  kernel: Kernel,
  lists: readonly NamedList[],
  settings: Settings,
  source: TextSource,
): Stage<LookedUp> {
  const search = new ListSearch(kernel, lists, settings, source);
  return (batch) => {
    const refused: RowProblem[] = [];
    const refuse = ({ row, input, failure }: RejectedRow<Uint8Array>) =>
      void refused.push(safeBrowsingProblem(row, input, failure, source === 'line'));
    const listings = search.lookUp(batch.values, batch.length, refuse, batch.kinds);
    return { ...unhashed(batch, refused, { matched: listings.size }), listings };
  };
}

const REMEDY = 'one run looks lines up in several lists, --list LIST --list LIST';

/** The fields that listed records gain. */
const MATCH_NAMES = [addedName('list', REMEDY), addedName('expression', REMEDY)] as const;

/**
 * Writes each listed row once for each list that has it: as a line of list, expression and the line as given, or as a
 * record with two more fields.
 */
function openMatchFormat({ lineEnd, records }: RowForm): Format<LookedUp> {
  return records === undefined ? matchLines(lineEnd) : matchRecords(records);
}

/** Writes each row that is on no list as given. */
function openOtherFormat({ lineEnd, records }: RowForm): Format<LookedUp> {
  const rows = records === undefined ? rowByRow(givenLine(lineEnd)) : new RecordFormat(records, []);
  return {
    write(results, kept, out) {
      keepOnly(kept, (row) => !results.listings.has(row));
      rows.write(results, kept, out);
    },
  };
}

function givenLine(lineEnd: number): RowFormat {
  return (out, { batch }, row) => {
    out.bytes(givenIn(batch, row));
    out.byte(lineEnd);
  };
}

function matchLines(lineEnd: number): Format<LookedUp> {
  const writeGiven = givenLine(lineEnd);
  return {
    write(results, { rows: kept, count }, out) {
      const { listings } = results;
      if (listings.size === 0) return;
      for (let index = 0; index < count; index++) {
        const row = kept[index]!;
        for (const { list, expression } of listings.get(row) ?? []) {
          out.text(`${list}\t${expression}\t`);
          writeGiven(out, results, row, RESULT);
        }
      }
    },
  };
}

function matchRecords(records: Records): Format<LookedUp> {
  let written: Listing | undefined;
  const format = new RecordFormat(records, [
    { name: MATCH_NAMES[0], textOf: () => written!.list },
    { name: MATCH_NAMES[1], textOf: () => written!.expression },
  ]);
  const rows = new Uint32Array(1);
  return {
    write(results, { rows: kept, count, fields }, out) {
      for (let index = 0; index < count; index++) {
        const row = kept[index]!;
        rows[0] = row;
        if (results.batch.kinds[row]! === HEADING) format.write(results, { rows, count: 1, fields }, out);
        for (written of results.listings.get(row) ?? []) format.write(results, { rows, count: 1, fields }, out);
      }
    },
  };
}
