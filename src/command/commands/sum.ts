import type { Width } from '../../core/kernel/kernel.ts';
import { PLACE_NAMES, type PlaceName } from '../../specs/sites/site.ts';
import {
  byteLengthOf,
  choice,
  DEFAULT_MEMORY_BYTES,
  type Flag,
  group,
  parsed,
  text,
  texts,
  toggle,
  type ValuesOf,
} from '../arguments/flag.ts';
import { usageFault } from '../fault.ts';
import type { Records } from '../read/framing.ts';
import { UTF_8 } from '../read/input-text.ts';
import { tagLine } from '../read/sum-tag.ts';
import { expectedCollisions } from '../work/against.ts';
import { openSelections } from '../work/selection.ts';
import { hashStage } from '../work/urls.ts';
import { addedNames, factsOf, formatsFor, HASH_FORMATS, type HashFormatName, openHashFormat } from '../write/hashes.ts';
import { lineCommand } from './command.ts';
import { COMPLAINT_FLAGS, EXPLAIN_FLAG, linePlan, ON_ERROR_FLAG, ROW_FLAGS, RUN_FLAGS } from './line-flags.ts';
import { mustNotBeTerminal, mustNotReplace } from './named-files.ts';
import { mustFitIndex, mustFitTag, URL_FLAGS, urlOptions, urlReading } from './url-flags.ts';

/**
 * Bytes per hash where --width does not say otherwise. An index that --unseen creates has the default of urlsum index.
 */
const DEFAULT_WIDTH = 32;
const NEW_INDEX_WIDTH = 8;

const TABLE = 'table';

const FLAGS = {
  ...group('Output', {
    format: orTable(
      choice(
        'FORMAT',
        Object.keys(HASH_FORMATS) as HashFormatName[],
        'text',
        'text (default), hex, u64 (decimal), bin, tsv, ndjson',
      ),
    ),
    width: choice('BYTES', ['8', '16', '32'], undefined, 'bytes of each SHA-256 to keep: 8, 16 or 32 (default)'),
  }),
  ...group('Output', {
    add: parsed('NAMES', 'add columns: host, site and surt, with commas between them', [], placesOf),
    tag: toggle('begin text with a comment that names the profile and the width, for -c'),
  }),
  ...group('Output', {
    dedup: toggle('print only the first line of each hash, and all lines without one'),
    against: texts('FILE', 'print only lines whose hash is in FILE, an index or sorted u64', {
      isPath: true,
    }),
    not: toggle('with --against, print only the other lines, and all without a hash'),
    unseen: text('INDEX', 'print only lines that are new to INDEX, then add their hashes to it', { isPath: true }),
  }),
  ...URL_FLAGS,
  ...ROW_FLAGS,
  ...group('Input', {
    memory: parsed('SIZE', 'memory for Parquet, and for hashes of --unseen; default 256M', undefined, byteLengthOf),
    canonical: toggle('also add the canonical form to each record'),
    hashName: parsed('NAME', 'the name of the field that records gain; default urlsum', undefined, hashNameOf),
  }),
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
  async plan(given, operands, diagnostics) {
    const lines = await linePlan(given, operands, {
      isInMemory: true,
      added: addedNames(given),
    });
    const { format } = given;
    if (format === TABLE) throw await tableError(given, operands, lines.records);
    const values = { ...given, format };
    const { dedup, against, not, unseen, memory = DEFAULT_MEMORY_BYTES } = values;
    const width = Number(values.width ?? DEFAULT_WIDTH) as Width;
    const newWidth = Number(values.width ?? NEW_INDEX_WIDTH) as Width;
    if (factsOf(format).isBinary) mustNotBeTerminal(values.out, `--format ${format}`);
    if (unseen !== undefined) mustNotReplace(values.out, `${unseen}.lock`, 'the lock of --unseen');
    const isParquet = lines.framing.blocksOf !== undefined;
    if (values.memory !== undefined && unseen === undefined && !isParquet)
      throw usageFault('--memory needs --unseen or Parquet');
    if (not && against.length === 0) throw usageFault('--not needs --against');
    mustFitRecords(values, lines.records, isParquet);
    mustFitPlaces(values, lines.records);
    if (values.tag && (format !== 'text' || lines.records !== undefined))
      throw usageFault('--tag needs --format text and plain lines');
    if (values.canonical && lines.records === undefined)
      throw usageFault(`--canonical needs ${recordsFor(isParquet)}; urlsum canon prints canonical forms`);
    const reading = urlReading(values);
    if (values.tag) mustFitTag(reading);
    if (unseen !== undefined) mustFitIndex(reading);
    const tell = (message: string) => void diagnostics.tell([message]);
    const isOrdered = dedup || against.length > 0 || unseen !== undefined;
    return {
      ...lines,
      stage: hashStage({ kernel: lines.kernel, width, ...reading }, lines.onError),
      openFormat: () => openHashFormat(lines, { ...values, width }, reading),
      openSelections: () =>
        openSelections({ ...values, width, newWidth, profile: reading.profile, memoryBytes: memory, tell }),
      ...(values.tag ? { opening: tagLine({ profile: reading.profile, width }, lines.lineEnd) } : {}),
      isOrdered,
      facts: (count) => ({ profile: reading.profile, width, expectedCollisions: expectedCollisions(count, width) }),
    };
  },
  explain: async (url, values) => (await import('./explain.ts')).explainUrl(url, urlOptions(values)),
});

type GivenValues = ValuesOf<typeof FLAGS>;
type Values = GivenValues & { readonly format: HashFormatName };

/** Accepts the formats that DuckDB writes, so that the error can give the command line that writes them. */
function orTable<T>(flag: Flag<T>): Flag<T | typeof TABLE> {
  const isTable = (value: string | undefined) => value === 'parquet' || value === 'arrow';
  return { ...flag, read: (values, name) => (isTable(values.at(-1)) ? TABLE : flag.read(values, name)) };
}

async function tableError(values: GivenValues, operands: readonly string[], records: Records | undefined) {
  if (records?.kind === 'cdx' || records?.kind === 'log' || records?.delimiter === ' ')
    return usageFault('Parquet is written by urlsum sql, which reads no CDX and no logs; csv or json lines it does');
  if (values.links || values.encoding !== UTF_8)
    return usageFault('Parquet is written by urlsum sql, which reads neither markup nor other encodings than UTF-8');
  const { copyLine } = await import('./copy-line.ts');
  return usageFault(
    `tables are written by urlsum sql: ${copyLine({ column: values.column ?? values.json, records, values, operands })}`,
  );
}

/** Refuses a format in which records cannot be written. @throws {Fault} */
function mustFitRecords({ format, hashName }: Values, records: Records | undefined, isParquet: boolean): void {
  if (hashName !== undefined && records === undefined) throw usageFault(`--hash-name needs ${recordsFor(isParquet)}`);
  if (records !== undefined && !factsOf(format).forRecords)
    throw usageFault(
      `records cannot be written as ${format}, only as ${formatsFor('forRecords')}; without --format, each gains the hash`,
    );
}

function recordsFor(isParquet: boolean): string {
  return isParquet ? 'urlsum sql where the input is Parquet' : 'records (--json, --column, --cdx, --log)';
}

/** Refuses --add where a row has no fields for more columns. @throws {Fault} */
function mustFitPlaces({ format, add }: Values, records: Records | undefined): void {
  if (add.length > 0 && records === undefined && !factsOf(format).hasPlaces)
    throw usageFault(`--add needs --format ${formatsFor('hasPlaces')}, or records (--json, --column, --cdx, --log)`);
}

function placesOf(value: string, option: string): readonly PlaceName[] {
  const given = [...new Set(value.split(','))];
  const wrong = given.find((name) => !(PLACE_NAMES as readonly string[]).includes(name));
  if (wrong === undefined) return given as PlaceName[];
  throw usageFault(`${option} must be some of ${PLACE_NAMES.join(', ')}, with commas between them, not '${wrong}'`);
}

function hashNameOf(value: string, option: string): string {
  if (/^[A-Za-z_][\w.-]*$/.test(value)) return value;
  throw usageFault(`${option} must be letters, digits, _, . and -, and begin with a letter or _, not '${value}'`);
}
