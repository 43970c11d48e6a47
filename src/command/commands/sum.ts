import type { Width } from '../../core/kernel/kernel.ts';
import { GROUP_KEYS, type GroupKey } from '../../specs/sites/site.ts';
import { choice, group, parsed, text, texts, toggle, type ValuesOf } from '../arguments/flag.ts';
import { DEFAULT_MEMORY_BYTES, NUMBER } from '../arguments/numbers.ts';
import { mustBeWithin, mustFitIndex, URL_FLAGS, urlOptions, urlReading } from '../arguments/url-flags.ts';
import { usageFault } from '../fault.ts';
import type { Records } from '../read/framing.ts';
import { TAG_PROFILE_BYTES, tagLine } from '../read/sum-tag.ts';
import { expectedCollisions } from '../work/chances.ts';
import { openSelections } from '../work/selection.ts';
import { hashStage } from '../work/urls.ts';
import { addedNames, factsOf, formatsFor, HASH_FORMATS, type HashFormatName, openHashFormat } from '../write/hashes.ts';
import { lineCommand } from './command.ts';
import { COMPLAINT_FLAGS, EXPLAIN_FLAG, HASH_NAME_FLAG, ON_ERROR_FLAG, ROW_FLAGS, RUN_FLAGS } from './line-flags.ts';
import { linePlan, mustHaveRecords, RECORDS, RECORDS_OF_PARQUET } from './line-plan.ts';
import { mustNotBeTerminal, mustNotReplace } from './named-files.ts';

/**
 * Bytes per hash where --width does not say otherwise. An index that --unseen creates has the default of urlsum index.
 */
const DEFAULT_WIDTH = 32;
const NEW_INDEX_WIDTH = 8;

const ADDED_NAMES = `${GROUP_KEYS.slice(0, -1).join(', ')} and ${GROUP_KEYS.at(-1)}`;

const FLAGS = {
  ...group('Output', {
    format: choice(
      'FORMAT',
      Object.keys(HASH_FORMATS) as HashFormatName[],
      'text',
      'text (default), hex, u64 (decimal), bin, tsv, ndjson, line (as given)',
    ),
    width: choice('BYTES', ['8', '16', '32'], undefined, 'bytes of each SHA-256 to keep: 8, 16 or 32 (default)'),
    add: parsed('NAMES', `add columns: ${ADDED_NAMES}, with commas between them`, [], groupKeysOf),
    tag: toggle('begin text with a comment that names the profile and the width, for -c'),
    dedup: toggle('print only the first line of each hash, and all lines without one'),
    against: texts('FILE', 'print only lines whose hash is in FILE, an index', { isPath: true }),
    not: toggle('with --against, print only the other lines, and all without a hash', { needs: { against: '' } }),
    unseen: text('INDEX', 'print only lines that are new to INDEX, then add their hashes to it', { isPath: true }),
  }),
  ...URL_FLAGS,
  ...ROW_FLAGS,
  ...group('Input', {
    memory: parsed('SIZE', 'memory for Parquet, and for hashes of --unseen; default 256M', undefined, NUMBER.bytes),
    canonical: toggle('also add the canonical form to each record'),
  }),
  ...HASH_NAME_FLAG,
  ...ON_ERROR_FLAG,
  ...COMPLAINT_FLAGS,
  ...RUN_FLAGS,
  ...EXPLAIN_FLAG,
  check: toggle('check the hashes in FILE: see urlsum -c --help', { short: 'c' }),
  version: toggle('print the version, the profile and the kernel', { short: 'V' }),
};

/** `urlsum`: one output line for each input line. */
export const SUM = lineCommand({
  examples: [
    ['--preset page-2026 --unseen s.idx crawl.txt', 'a crawl: new pages, each with its key'],
    ['--exclude-fragment https://a.example/b#c', 'an edge service: the key of one URL'],
    ['lookup --list bad.list urls.txt', 'a list: the lines on it (see list build)'],
    ['hash-uri make https://a.example/r r.txt', 'files and RDF: a name that holds the hash'],
    ['urls.txt > sums.txt', 'hash each line; urlsum -c sums.txt checks it'],
  ],
  operands: '[FILE…]',
  about: ['Prints a SHA-256 for each line. Exit status: 0, success; 1, bad lines; 2, usage or file errors.'],
  flags: FLAGS,
  async plan(given, inputs, diagnostics) {
    const added = given.format === 'line' ? [] : addedNames(given);
    const lines = await linePlan(given, inputs, { added });
    const { format, dedup, against, unseen, memory = DEFAULT_MEMORY_BYTES } = given;
    const isParquet = lines.framing.blocksOf !== undefined;
    const width = Number(given.width ?? DEFAULT_WIDTH) as Width;
    const newWidth = Number(given.width ?? NEW_INDEX_WIDTH) as Width;
    const values = { ...given, format, width };
    mustHaveRecords(given.hashName, lines);
    mustFit(values, lines.records, isParquet);
    const reading = urlReading(given);
    const { profile } = reading;
    if (given.tag) mustBeWithin(profile, TAG_PROFILE_BYTES, 'the comment of --tag');
    if (unseen !== undefined) mustFitIndex(reading);
    const tell = (message: string) => void diagnostics.tell([message]);
    return {
      ...lines,
      stage: hashStage({ kernel: lines.kernel, width, ...reading }, lines.onError),
      openFormat: () => openHashFormat(lines, values, reading),
      openSelections: () => openSelections({ ...values, newWidth, profile, memoryBytes: memory, tell }),
      ...(given.tag
        ? { opening: tagLine({ profile, width, defaultScheme: values.defaultScheme }, lines.lineEnd) }
        : {}),
      isOrdered: dedup || against.length > 0 || unseen !== undefined,
      facts: (count) => ({ profile, width, expectedCollisions: expectedCollisions(count, width) }),
    };
  },
  explain: async (url, values) => (await import('./explain.ts')).explainUrl(url, urlOptions(values)),
});

type Values = ValuesOf<typeof FLAGS>;

/** @throws {Fault} where an option has no meaning for this format, these records or this input */
function mustFit(
  values: Omit<Values, 'format' | 'width'> & { readonly format: HashFormatName },
  records: Records | undefined,
  isParquet: boolean,
): void {
  const { format, unseen, hashName, canonical, add } = values;
  if (factsOf(format).isBinary) mustNotBeTerminal(values.out, `--format ${format}`);
  if (unseen !== undefined) mustNotReplace(values.out, `${unseen}.lock`, 'the lock of --unseen');
  if (values.memory !== undefined && unseen === undefined && !isParquet)
    throw usageFault('--memory needs --unseen or Parquet');
  if (records !== undefined && !factsOf(format).forRecords)
    throw usageFault(
      `records cannot be written as ${format}, only as ${formatsFor('forRecords')}; without --format, each gains the hash`,
    );
  if (add.length > 0 && records === undefined && !factsOf(format).hasGroupKeys)
    throw usageFault(`--add needs --format ${formatsFor('hasGroupKeys')}, or ${RECORDS}`);
  if (values.tag && (format !== 'text' || records !== undefined))
    throw usageFault('--tag needs --format text and plain lines');
  if (canonical && records === undefined)
    throw usageFault(
      `--canonical needs ${isParquet ? RECORDS_OF_PARQUET : RECORDS}; urlsum canon prints canonical forms`,
    );
  if (format === 'line' && (canonical || hashName !== undefined || add.length > 0))
    throw usageFault('--format line adds nothing to rows: it goes without --add, --canonical and --hash-name');
}

function groupKeysOf(value: string, option: string): readonly GroupKey[] {
  const given = [...new Set(value.split(','))];
  const wrong = given.find((name) => !(GROUP_KEYS as readonly string[]).includes(name));
  if (wrong === undefined) return given as GroupKey[];
  throw usageFault(`${option} must be some of ${GROUP_KEYS.join(', ')}, with commas between them, not '${wrong}'`);
}
