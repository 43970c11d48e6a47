import { TAB } from '../../core/bytes/code-points.ts';
import type { GrowingBytes } from '../../core/bytes/growing-bytes.ts';
import type { Kernel } from '../../core/kernel/kernel.ts';
import type { HashList } from '../../service/lists/hash-list.ts';
import { type Listing, ListSearch, type NamedList } from '../../service/lists/list-search.ts';
import type { Settings } from '../../specs/safe-browsing/settings.ts';
import type { SuffixList } from '../../specs/safe-browsing/suffix-list.ts';
import { counted, TROUBLE } from '../arguments/diagnostics.ts';
import { choice, group, text, texts, toggle, type ValuesOf } from '../arguments/flag.ts';
import { fileFault, usageFault } from '../fault.ts';
import { givenIn, HEADING, type RowProblem } from '../read/batch.ts';
import { type AddedName, addedName, type Records, type RowForm } from '../read/framing.ts';
import { moreThanUrls } from '../work/more-than-urls.ts';
import { allProblems, type Format, type KeptRows, NO_DIGESTS, type Results, type Stage } from '../work/results.ts';
import { safeBrowsingProblem } from '../work/urls.ts';
import { type AddedField, RecordFormat } from '../write/records.ts';
import { lineCommand } from './command.ts';
import { COMPLAINT_FLAGS, linePlan, ROW_FLAGS, RUN_FLAGS } from './line-flags.ts';
import { commandProfile, lookupFacts, openHashLists, SUFFIX_FLAGS, settingsIn } from './safe-browsing-flags.ts';
import { DEFAULT_SCHEME_FLAG } from './url-flags.ts';

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
  ...group('Input', {
    base: text('URL', 'with --log: the origin of paths without a host; with --links: of relative links'),
    ...DEFAULT_SCHEME_FLAG,
  }),
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
      'lines that hold more than a URL: refuse (default); allow, look them up',
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
    ['--list bad.list --log access.log', 'an access log, with two more fields'],
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
    const { base, links, log, defaultScheme } = values;
    if (base !== undefined && !log && !links) throw usageFault('--base needs --log or --links');
    if (defaultScheme !== undefined && !log) throw usageFault('--default-scheme needs --log');
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
        areLines: lines.records === undefined && values.column === undefined, // rows of Parquet are cells
        allowsMore: values.spaces === 'allow' || values.log,
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

export interface LookedUp extends Results {
  /** The lists that have a row, in the order given, by the number of the row; only of listed rows, ascending. */
  readonly listings: ReadonlyMap<number, readonly Listing[]>;
}

export interface LookupOptions {
  readonly settings: Settings;
  /** Whether values are whole lines. */
  readonly areLines: boolean;
  /** Whether values that hold more than a URL are looked up as they are. */
  readonly allowsMore: boolean;
}

/** Looks each URL up in lists of one profile. */
export class LookupStage {
  readonly #search: ListSearch;
  readonly #options: LookupOptions;

  constructor(kernel: Kernel, lists: readonly NamedList[], options: LookupOptions) {
    this.#search = new ListSearch(kernel, lists, options.settings);
    this.#options = options;
  }

  readonly run: Stage<LookedUp> = (batch) => {
    const listings = new Map<number, readonly Listing[]>();
    const { allowsMore, areLines } = this.#options;
    const refused = allowsMore ? undefined : moreThanUrls(batch, areLines);
    const found: RowProblem[] = [];
    for (const part of this.#search.reader.rows(batch.values, batch.length, refused?.kinds ?? batch.kinds)) {
      this.#search.lookUp(part, listings);
      for (const { row, input, failure } of part.rejected) found.push(safeBrowsingProblem(row, input, failure));
    }
    const { problems, separatorCount = 0 } = refused ?? { problems: [] };
    return {
      batch,
      problems: allProblems(batch, problems, found),
      digests: NO_DIGESTS,
      width: 0,
      counts: { matched: listings.size, ...(separatorCount > 0 && { fieldsBeforeScheme: separatorCount }) },
      listings,
    };
  };
}

/**
 * Writes each listed row once for each list that has it: as a line of list, expression and the line as given, or as a
 * record with two more fields.
 */
export function openMatchFormat({ lineEnd, records }: RowForm): Format<LookedUp> {
  return records === undefined ? matchLines(lineEnd) : new MatchRecords(records);
}

const REMEDY = 'one run looks lines up in several lists, --list LIST --list LIST';

/** The fields that listed records gain. */
export const MATCH_NAMES = [addedName('list', REMEDY), addedName('expression', REMEDY)] as const;

function matchLines(lineEnd: number): Format<LookedUp> {
  return {
    write({ batch, listings }, { rows: kept, count }, out) {
      if (listings.size === 0) return;
      for (let index = 0; index < count; index++) {
        const row = kept[index]!;
        for (const listing of listings.get(row) ?? []) writeMatch(out, listing, givenIn(batch, row), lineEnd);
      }
    },
  };
}

function writeMatch(out: GrowingBytes, { list, expression }: Listing, given: Uint8Array, lineEnd: number): void {
  out.text(list);
  out.byte(TAB);
  out.text(expression);
  out.byte(TAB);
  out.bytes(given);
  out.byte(lineEnd);
}

class MatchRecords implements Format<LookedUp> {
  readonly #records: RecordFormat;
  /** The one row that is being written. */
  readonly #one: KeptRows = { rows: new Uint32Array(1), count: 1, fields: new Uint8Array(0) };
  #listing: Listing | undefined;

  constructor(records: Records) {
    this.#records = new RecordFormat(records, [
      this.#field('list', MATCH_NAMES[0]),
      this.#field('expression', MATCH_NAMES[1]),
    ]);
  }

  write(results: LookedUp, { rows: kept, count, fields }: KeptRows, out: GrowingBytes): void {
    for (let index = 0; index < count; index++) {
      const row = kept[index]!;
      this.#one.rows[0] = row;
      if (results.batch.kinds[row]! === HEADING) this.#records.write(results, { ...this.#one, fields }, out);
      for (this.#listing of results.listings.get(row) ?? [])
        this.#records.write(results, { ...this.#one, fields }, out);
    }
  }

  #field(key: keyof Listing, name: AddedName): AddedField {
    return { name, textOf: () => this.#listing![key] };
  }
}
