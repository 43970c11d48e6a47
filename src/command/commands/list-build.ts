import { quote } from '../../core/quote.ts';
import type { LeftOutKind } from '../../specs/safe-browsing/block-list.ts';
import { BlockListReader, type BlockListState, type EntryInput } from '../../specs/safe-browsing/block-list-reader.ts';
import type { EntryLimit } from '../../specs/safe-browsing/list-entry.ts';
import { urlValueReader } from '../../specs/safe-browsing/url-line.ts';
import { counted, type Diagnostics, TROUBLE } from '../arguments/diagnostics.ts';
import { choice, group, optionOf, parsed, text, toggle, type ValuesOf } from '../arguments/flag.ts';
import { NUMBER } from '../arguments/numbers.ts';
import { usageFault } from '../fault.ts';
import { bufferOf, type Framing } from '../read/framing.ts';
import type { TypeColumn } from '../read/table.ts';
import type { Counts } from '../work/results.ts';
import { SHOWN_LIMIT } from '../work/run-report.ts';
import { lineCommand } from './command.ts';
import { TYPE_COLUMNS } from './indicators.ts';
import { ANY_SCHEME, BASE_FLAG, COMPLAINT_FLAGS, linePlan, ROW_FLAGS, RUN_FLAGS } from './line-flags.ts';
import { mustBeGoodList, mustBeNamedFor, NAME_FLAG, OUT_FLAG, REPLACE_FLAGS } from './list.ts';
import { LEFT_OUT_KINDS, LIMITS, ListEntryStage, ListFile, NOT_MISSED, OF_TYPE, type Words } from './list-entries.ts';
import { mustHaveOut, mustNotReplaceInputs } from './named-files.ts';
import {
  libraryProfile,
  lookupFacts,
  SAFE_BROWSING_PROFILES,
  SUFFIX_LIST_FLAG,
  suffixListIn,
} from './safe-browsing-flags.ts';

/** The kinds of block lists. */
const INPUTS: Readonly<Record<EntryInput, string>> = {
  lines: 'a URL, a host or an expression per line (default)',
  hosts: 'hosts files: 0.0.0.0 or 127.0.0.1, and hosts',
  adblock: 'rules of ad blockers: those that block pages; others are counted',
  auto: 'all of these, and RPZ, unbound and dnsmasq',
};

const FLAGS = {
  ...group('Input', {
    input: choice('KIND', INPUTS, 'lines', 'what each line is; # begins a comment:'),
    refang: toggle('read URLs that are written as hxxp[:]//evil[.]example, which are refused otherwise'),
    ignoreExceptions: toggle('leave out exceptions (@@) of ad-block rules: what they lift is listed'),
  }),
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
  ...BASE_FLAG,
  ...group('Input', {
    typeColumn: text('NAME', 'list rows of a table that column NAME calls URLs or hosts', {
      needs: '--column',
    }),
  }),
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
    const { input } = values;
    mustFitKind(values);
    mustNotReplaceInputs(values.out, inputs, 'list');
    const lines = await linePlan(
      {
        ...values,
        ...ANY_SCHEME,
        out: mustHaveOut('list build', values.out),
        skipBlank: values.skipBlank || input !== 'lines',
      },
      inputs,
      { keepsComments: true, types: typeColumnOf(values) },
    );
    const width = values.prefix;
    mustBeNamedFor(values.name ?? '', [width]);
    const profile = libraryProfile(values.profile);
    const suffixList = suffixListIn(values.suffixList, profile);
    const file = new ListFile(width, {
      profile,
      ...(values.name !== undefined && { name: values.name }),
      ...(values.suffixList !== undefined && { suffixList: suffixList.edition }),
    });
    const { records } = lines;
    const isTable = records?.kind === 'csv' || records?.kind === 'delimited';
    if (values.typeColumn !== undefined && !isTable)
      throw usageFault('--type-column needs a table of text, not Parquet');
    const table = isTable
      ? { separator: records.delimiter.charCodeAt(0), isQuoted: records.kind === 'csv' }
      : undefined;
    const leavesUnclear = input === 'lines' && (values.column !== undefined || values.json !== undefined);
    const isOfRecords = lines.records !== undefined || values.links;
    const { ignoreExceptions, refang, allErrors } = values;
    const reader = new BlockListReader({ input, ignoresExceptions: ignoreExceptions, refangs: refang });
    const readLine = isOfRecords ? urlValueReader(refang) : (line: string) => reader.read(line);
    const hasRules = input === 'adblock' || input === 'auto';
    const reading = { profile, mode: values.mode };
    const { kernel } = lines;
    return {
      ...lines,
      framing: hasRules ? blockListFraming(lines.framing, reader) : lines.framing,
      onError: 'skip',
      stage: new ListEntryStage({
        ...{ kernel, width, reading, suffixList, readLine, hasRules, namesLeftOut: allErrors, table, leavesUnclear },
      }).run,
      openFormat: () => file,
      isOrdered: true,
      facts: () => ({ ...lookupFacts(values.profile, suffixList), width }),
      async mustAllowOutput(counts, diagnostics) {
        try {
          if (diagnostics.status < TROUBLE) mustBeGoodList(file.made.list, lines.out!, values);
        } catch (error) {
          await diagnostics.tell(summaryOf(counts, file));
          throw error;
        }
      },
      conclude(counts, diagnostics, invalidCount, validCount) {
        if (diagnostics.status >= TROUBLE) return;
        void diagnostics.tell(summaryOf(counts, file));
        warnOfExceptions(file.made.idle, allErrors, diagnostics);
        warnOfLoss(counts, invalidCount, validCount, diagnostics);
      },
    };
  },
});

/** Returns the column of types that is asked for, or the usual ones. */
function typeColumnOf({ typeColumn }: ValuesOf<typeof FLAGS>): TypeColumn | undefined {
  if (typeColumn === undefined) return { names: TYPE_COLUMNS, isRequired: false };
  return typeColumn === '' ? undefined : { names: [typeColumn], isRequired: true };
}

/** The state of the reader before a block, and after it. */
type States = readonly [before: BlockListState, after: BlockListState];

/** Lets the reader go on at each block, in whatever thread, with what the blocks of its list before it say. */
function blockListFraming(lines: Framing, reader: BlockListReader): Framing {
  return {
    ...lines,
    stateOf(block, before): States {
      reader.begin();
      if (before !== undefined) reader.state = (before as States)[1];
      const { state } = reader;
      reader.pass(bufferOf(block));
      return [state, reader.state];
    },
    *batches(block, states) {
      reader.state = (states as States)[0];
      yield* lines.batches(block, undefined);
    },
  };
}

/** @throws {Fault} */
function mustFitKind(values: ValuesOf<typeof FLAGS>): void {
  const { input, ignoreExceptions, refang } = values;
  if (ignoreExceptions && input !== 'adblock' && input !== 'auto')
    throw usageFault('--ignore-exceptions needs --input adblock or auto');
  if (refang && input !== 'lines' && input !== 'auto') throw usageFault('--refang needs --input lines or auto');
  const records = (['column', 'json', 'cdx', 'log', 'logFormat', 'links'] as const).find((name) => values[name]);
  if (input !== 'lines' && records !== undefined && !(input === 'hosts' && records === 'column'))
    throw usageFault(`--input ${input} and ${optionOf(records)} cannot be combined`);
}

/** Warns of exceptions without effect: such a list blocks more than its author meant. */
function warnOfExceptions(idle: readonly string[], showsAll: boolean, diagnostics: Diagnostics): void {
  const shown = showsAll ? idle : idle.slice(0, SHOWN_LIMIT);
  for (const rule of shown)
    diagnostics.failed(`no effect: ${quote(rule)}: what it exempts is below a host or folder that stays listed`);
  if (shown.length < idle.length)
    diagnostics.failed(`${idle.length} exceptions have no effect, ${shown.length} shown (--all-errors shows each)`);
}

/** Warns of a file that is mostly something else: its list must not be taken for the whole. */
function warnOfLoss(counts: Counts, invalidCount: number, validCount: number, diagnostics: Diagnostics): void {
  const kinds = (Object.keys(LEFT_OUT_KINDS) as LeftOutKind[]).filter((kind) => !NOT_MISSED.has(kind));
  const missedCount = kinds.reduce((sum, kind) => sum + (counts[kind] ?? 0), invalidCount);
  const { comments = 0, directives = 0 } = counts;
  const lineCount = validCount + invalidCount - comments - directives;
  if (2 * missedCount > lineCount)
    diagnostics.failed(`warning: ${missedCount} of ${counted(lineCount, 'line')} are not listed, more than half`);
}

const ENTRY_KINDS: Readonly<Record<string, Words>> = { hosts: ['host'], folders: ['folder'], pages: ['page'] };

const HOST_ALONE = 'look-ups match that host alone, not the hosts under it';
const CONSEQUENCES: Readonly<Record<EntryLimit, string>> = {
  'public-suffix': HOST_ALONE,
  'deep-host': HOST_ALONE,
  'deep-path': 'look-ups match that path alone, not what is under it',
};

/** Counts the entries of each kind, those that were merged or lifted, and what was left out. */
function summaryOf(counts: Counts, { made }: ListFile): string[] {
  const { list, exceptionCount, liftedCount, cancelledCount } = made;
  const { mergedCount } = list;
  const entryCount = Object.keys(ENTRY_KINDS).reduce((sum, kind) => sum + (counts[kind] ?? 0), 0);
  const kinds = kindsIn(counts, ENTRY_KINDS);
  const types = Object.keys(counts).filter((name) => name.startsWith(OF_TYPE));
  const named = types.sort((one, other) => counts[other]! - counts[one]!).slice(0, SHOWN_LIMIT);
  const ofTypes = named.map((name) => `${counts[name]} of type ${quote(name.slice(OF_TYPE.length))}`);
  const leftOut = [kindsIn(counts, LEFT_OUT_KINDS), ...ofTypes].filter((each) => each !== '').join(', ');
  return [
    `${counted(entryCount, 'entry', 'entries')}${kinds === '' ? '' : `: ${kinds}`}`,
    ...(mergedCount === 0
      ? []
      : [`${counted(mergedCount, 'entry is', 'entries are')} merged with another of the same prefix`]),
    ...(exceptionCount === 0
      ? []
      : [`${counted(exceptionCount, 'exception')}: ${counted(liftedCount, 'line')} lifted`]),
    ...(cancelledCount === 0 ? [] : [`badfilter cancels ${counted(cancelledCount, 'line')}`]),
    ...(leftOut === '' ? [] : [`not listed: ${leftOut}`]),
    ...limitsIn(counts),
  ];
}

function kindsIn(counts: Counts, kinds: Readonly<Record<string, Words>>): string {
  return Object.entries(kinds)
    .flatMap(([kind, words]) => (counts[kind] === undefined ? [] : [counted(counts[kind], ...words)]))
    .join(', ');
}

function limitsIn(counts: Counts): string[] {
  return (Object.keys(CONSEQUENCES) as EntryLimit[])
    .filter((limit) => counts[limit] !== undefined)
    .map((limit) => `${counted(counts[limit]!, 'entry has', 'entries have')} ${LIMITS[limit]}: ${CONSEQUENCES[limit]}`);
}
