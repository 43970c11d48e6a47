import { EXCEPTION, type LeftOutKind, readUrlValue } from '../../../specs/safe-browsing/block-list.ts';
import { type EntryInput, type EntryLimit, lineReader } from '../../../specs/safe-browsing/list-entry.ts';
import { counted, TROUBLE } from '../../arguments/diagnostics.ts';
import { choice, group, parsed, toggle, type ValuesOf } from '../../arguments/flag.ts';
import { usageFault } from '../../fault.ts';
import { LIMITS, ListEntryStage, ListFile } from '../../work/list-entries.ts';
import type { Counts } from '../../work/results.ts';
import { lineCommand } from '../command.ts';
import { COMPLAINT_FLAGS, linePlan, ROW_FLAGS, RUN_FLAGS } from '../line-flags.ts';
import { mustHaveOut, mustNotReplaceInputs } from '../named-files.ts';
import {
  libraryProfile,
  lookupFacts,
  mustBeNamedFor,
  NAME_FLAG,
  OUT_FLAG,
  prefixBytes,
  SAFE_BROWSING_PROFILES,
  SUFFIX_LIST_FLAG,
  suffixListIn,
} from '../safe-browsing-flags.ts';

/** The kinds of block lists. */
const INPUTS: Readonly<Record<EntryInput, string>> = {
  lines: 'a URL, a host or an expression per line (default)',
  hosts: 'hosts files: 0.0.0.0 or 127.0.0.1, and hosts',
  adblock: 'rules of ad blockers: ||host^ is listed, others are counted',
};

const FLAGS = {
  ...group('Input', {
    input: choice('KIND', INPUTS, 'lines', 'what each line is; # begins a comment:'),
    ignoreExceptions: toggle('leave out exceptions (@@) of ad-block rules, which are errors otherwise'),
  }),
  ...OUT_FLAG,
  ...NAME_FLAG,
  ...group('Output', {
    prefix: parsed(
      'BYTES',
      'bytes of each SHA-256 to keep, 4 to 32 (default 8); take 4 only for clients that ask a server for whole hashes',
      8,
      prefixBytes,
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

/** `urlsum list build`: a list from the URLs of all lines. */
export const BUILD = lineCommand({
  examples: [
    ['--out bad.list urls.txt', 'a list of URLs, hosts, expressions'],
    ['--out bad.list -f url reports.csv', 'of a column of a table'],
    ['--out bad.list --input hosts /etc/hosts', 'what a hosts file blocks'],
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
  async plan(values, operands) {
    const { input } = values;
    mustFitKind(values);
    mustNotReplaceInputs(values.out, operands, 'list');
    const lines = await linePlan(
      { ...values, out: mustHaveOut('list build', values.out), skipBlank: values.skipBlank || input !== 'lines' },
      operands,
      { hasComments: true },
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
    const isOfRecords = lines.records !== undefined;
    const readLine = isOfRecords ? readUrlValue : lineReader(input, values.ignoreExceptions);
    return {
      ...lines,
      onError: 'skip',
      stage: new ListEntryStage(lines.kernel, width, { profile, mode: values.mode }, suffixList, readLine).run,
      openFormat: () => file,
      isOrdered: true,
      facts: () => ({ ...lookupFacts(values.profile, suffixList), width }),
      mustAllowOutput: mustHaveNoExceptions,
      conclude(counts, diagnostics) {
        if (diagnostics.status < TROUBLE) void diagnostics.tell(summaryOf(counts, file.mergedCount));
      },
    };
  },
});

/** @throws {Fault} */
function mustFitKind(values: ValuesOf<typeof FLAGS>): void {
  const { input, ignoreExceptions } = values;
  if (ignoreExceptions && input !== 'adblock') throw usageFault('--ignore-exceptions needs --input adblock');
  const records = (['column', 'json', 'cdx'] as const).find((name) => values[name]);
  if (input !== 'lines' && records !== undefined)
    throw usageFault(`--input ${input} and --${records} cannot be combined`);
}

/** A list without its exceptions blocks more than its author meant: only a flag allows that. @throws {Fault} */
function mustHaveNoExceptions({ [EXCEPTION.reason]: count = 0 }: Counts): void {
  if (count === 0) return;
  const exceptions = counted(count, 'exception');
  throw usageFault(`no list is written: ${exceptions} (@@) would have no effect; --ignore-exceptions allows that`);
}

/** The word for one, and for several where that is not the same with an s. */
type Words = readonly [one: string, several?: string];

const ENTRY_KINDS: Readonly<Record<string, Words>> = { hosts: ['host'], folders: ['folder'], pages: ['page'] };

const LEFT_OUT_KINDS: Readonly<Record<LeftOutKind, Words>> = {
  comments: ['comment'],
  localNames: ['local name'],
  exceptions: ['exception'],
  cosmeticRules: ['cosmetic rule'],
  rulesWithOptions: ['rule with options', 'rules with options'],
  regularExpressions: ['regular expression'],
  pathRules: ['rule for a path', 'rules for paths'],
  patterns: ['other pattern'],
  directives: ['directive'],
};

const THAT_HOST = 'look-ups match that host alone, not the hosts under it';
const CONSEQUENCES: Readonly<Record<EntryLimit, string>> = {
  'public-suffix': THAT_HOST,
  'deep-host': THAT_HOST,
  'deep-path': 'look-ups match that path alone, not what is under it',
};

/** Counts the entries of each kind, those that were merged, and what was left out. */
function summaryOf(counts: Counts, mergedCount: number): string[] {
  const entryCount = Object.keys(ENTRY_KINDS).reduce((sum, kind) => sum + (counts[kind] ?? 0), 0);
  const kinds = kindsIn(counts, ENTRY_KINDS);
  const leftOut = kindsIn(counts, LEFT_OUT_KINDS);
  return [
    `${counted(entryCount, 'entry', 'entries')}${kinds === '' ? '' : `: ${kinds}`}`,
    ...(mergedCount === 0
      ? []
      : [`${counted(mergedCount, 'entry is', 'entries are')} merged with another of the same prefix`]),
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
