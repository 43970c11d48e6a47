import { extname } from 'node:path';
import type { Width } from '../../core/kernel/kernel.ts';
import { PLACE_NAMES, type PlaceName } from '../../specs/sites/site.ts';
import { shellText } from '../arguments/call.ts';
import {
  byteLengthOf,
  choice,
  DEFAULT_MEMORY_BYTES,
  type Flag,
  group,
  matching,
  optionOf,
  parsed,
  text,
  texts,
  toggle,
  type ValuesOf,
} from '../arguments/flag.ts';
import {
  FLAGS_OF_FORM,
  mustBeWithin,
  mustFitIndex,
  URL_FLAGS,
  urlOptions,
  urlReading,
} from '../arguments/url-flags.ts';
import { sqlName, sqlText } from '../database.ts';
import { type Fault, usageFault } from '../fault.ts';
import type { Records } from '../read/framing.ts';
import { UTF_8 } from '../read/input-text.ts';
import { isUrlOperand } from '../read/inputs.ts';
import { TAG_PROFILE_BYTES, tagLine } from '../read/sum-tag.ts';
import { expectedCollisions } from '../work/against.ts';
import { openSelections } from '../work/selection.ts';
import { hashStage } from '../work/urls.ts';
import { addedNames, factsOf, formatsFor, HASH_FORMATS, type HashFormatName, openHashFormat } from '../write/hashes.ts';
import { lineCommand } from './command.ts';
import { COMPLAINT_FLAGS, EXPLAIN_FLAG, linePlan, ON_ERROR_FLAG, ROW_FLAGS, RUN_FLAGS } from './line-flags.ts';
import { mustNotBeTerminal, mustNotReplace } from './named-files.ts';

/**
 * Bytes per hash where --width does not say otherwise. An index that --unseen creates has the default of urlsum index.
 */
const DEFAULT_WIDTH = 32;
const NEW_INDEX_WIDTH = 8;

const TABLE = 'table';

const HASH_NAME = matching(/^[A-Za-z_][\w.-]*$/, 'letters, digits, _, . and -, and begin with a letter or _');

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
    add: parsed('NAMES', 'add columns: host, site and surt, with commas between them', [], placesOf),
    tag: toggle('begin text with a comment that names the profile and the width, for -c'),
    dedup: toggle('print only the first line of each hash, and all lines without one'),
    against: texts('FILE', 'print only lines whose hash is in FILE, an index or sorted u64', { isPath: true }),
    not: toggle('with --against, print only the other lines, and all without a hash', { needs: '--against' }),
    unseen: text('INDEX', 'print only lines that are new to INDEX, then add their hashes to it', { isPath: true }),
  }),
  ...URL_FLAGS,
  ...ROW_FLAGS,
  ...group('Input', {
    memory: parsed('SIZE', 'memory for Parquet, and for hashes of --unseen; default 256M', undefined, byteLengthOf),
    canonical: toggle('also add the canonical form to each record'),
    hashName: parsed('NAME', 'the name of the field that records gain; default urlsum', undefined, HASH_NAME),
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
    const lines = await linePlan(given, operands, { isInMemory: true, added: addedNames(given) });
    const { format, dedup, against, unseen, memory = DEFAULT_MEMORY_BYTES } = given;
    if (format === TABLE) throw tableError(given, operands, lines.records);
    const isParquet = lines.framing.blocksOf !== undefined;
    const width = Number(given.width ?? DEFAULT_WIDTH) as Width;
    const newWidth = Number(given.width ?? NEW_INDEX_WIDTH) as Width;
    const values = { ...given, format, width };
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
      ...(given.tag ? { opening: tagLine({ profile, width }, lines.lineEnd) } : {}),
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
  const { format, unseen, hashName, add } = values;
  const forRecords = isParquet ? 'urlsum sql where the input is Parquet' : RECORDS;
  if (factsOf(format).isBinary) mustNotBeTerminal(values.out, `--format ${format}`);
  if (unseen !== undefined) mustNotReplace(values.out, `${unseen}.lock`, 'the lock of --unseen');
  if (values.memory !== undefined && unseen === undefined && !isParquet)
    throw usageFault('--memory needs --unseen or Parquet');
  if (hashName !== undefined && records === undefined) throw usageFault(`--hash-name needs ${forRecords}`);
  if (records !== undefined && !factsOf(format).forRecords)
    throw usageFault(
      `records cannot be written as ${format}, only as ${formatsFor('forRecords')}; without --format, each gains the hash`,
    );
  if (add.length > 0 && records === undefined && !factsOf(format).hasPlaces)
    throw usageFault(`--add needs --format ${formatsFor('hasPlaces')}, or ${RECORDS}`);
  if (values.tag && (format !== 'text' || records !== undefined))
    throw usageFault('--tag needs --format text and plain lines');
  if (values.canonical && records === undefined)
    throw usageFault(`--canonical needs ${forRecords}; urlsum canon prints canonical forms`);
}

const RECORDS = 'records (--json, --column, --cdx, --log)';

function placesOf(value: string, option: string): readonly PlaceName[] {
  const given = [...new Set(value.split(','))];
  const wrong = given.find((name) => !(PLACE_NAMES as readonly string[]).includes(name));
  if (wrong === undefined) return given as PlaceName[];
  throw usageFault(`${option} must be some of ${PLACE_NAMES.join(', ')}, with commas between them, not '${wrong}'`);
}

/** Accepts the formats that DuckDB writes, so that the error can give the command line that writes them. */
function orTable<T>(flag: Flag<T>): Flag<T | typeof TABLE> {
  const isTable = (value: string | undefined) => value === 'parquet' || value === 'arrow';
  return { ...flag, read: (values, name) => (isTable(values.at(-1)) ? TABLE : flag.read(values, name)) };
}

function tableError(values: Values, operands: readonly string[], records: Records | undefined): Fault {
  if (records?.kind === 'cdx' || records?.kind === 'log' || records?.delimiter === ' ')
    return usageFault('Parquet is written by urlsum sql, which reads no CDX and no logs; csv or json lines it does');
  if (values.links || values.encoding !== UTF_8)
    return usageFault('Parquet is written by urlsum sql, which reads neither markup nor other encodings than UTF-8');
  return usageFault(`tables are written by urlsum sql: ${copyLine(values, operands, records)}`);
}

/** Returns the command line of `urlsum sql` that writes the rows of such a run to a Parquet file. */
function copyLine(values: Values, operands: readonly string[], records: Records | undefined): string {
  const { out = 'keyed.parquet', width, jobs, hashName = 'urlsum' } = values;
  const column = values.column ?? values.json;
  const target = extname(out) === '.parquet' ? out : `${out}.parquet`;
  const url = column === undefined ? 'url' : columnName(column);
  const hash = column === undefined ? 'hash' : sqlIdentifier(hashName);
  const prefix = column === undefined || hash !== hashName ? '' : `${hashName}_`;
  const fields = [
    column === undefined ? 'url' : '*',
    `url_hash(${url}) AS ${hash}`,
    ...(values.canonical ? [`url_canonical(${url}) AS ${prefix}canonical`] : []),
    ...values.add.map((place) => `url_${place}(${url}) AS ${prefix}${place}`),
  ];
  const query = [
    `SELECT ${values.dedup ? `DISTINCT ON (url_hash(${url})) ` : ''}${fields.join(', ')}`,
    `FROM ${tableOf(column, operands, records)}`,
    ...where(url, values),
  ].join(' ');
  const options = [
    ...(width === undefined ? [] : [`--width ${width}`]),
    ...(jobs === 1 ? [] : [`-j ${jobs}`]),
    ...Object.keys(FLAGS_OF_FORM).flatMap((name) => optionWords(name, values[name as keyof Values])),
  ];
  return ['urlsum sql', ...options, shellText(`COPY (${query}) TO ${sqlText(target)}`)].join(' ');
}

/** A number is that of a column, from 1; a dotted name is that of a field of a struct. */
function columnName(column: string): string {
  return /^[1-9][0-9]*$/.test(column) ? `#${column}` : column.split('.').map(sqlIdentifier).join('.');
}

function sqlIdentifier(name: string): string {
  return /^[a-z_]\w*$/i.test(name) ? name : sqlName(name);
}

function tableOf(column: string | undefined, operands: readonly string[], records: Records | undefined): string {
  if (operands.length > 0 && operands.every(isUrlOperand))
    return `(VALUES ${operands.map((url) => `(${sqlText(url)})`).join(', ')}) AS urls(url)`;
  const names = operands.length === 0 ? ['-'] : operands;
  const files = names.map((name) => sqlText(name === '-' ? '/dev/stdin' : name.replace(/[[*?]/g, '[$&]')));
  const file = files.length === 1 ? files[0]! : `[${files.join(', ')}]`;
  if (records === undefined && column !== undefined) return `read_parquet(${file})`;
  if (records?.kind === 'json') return `read_ndjson(${file})`;
  if (records === undefined && names.every((name) => IS_TABLE.test(name)))
    return `read_csv(${file}, header = true, all_varchar = true)`; // whose column would be named, were it not for --format
  if (records === undefined)
    return `read_csv(${file}, columns = {'url': 'VARCHAR'}, header = false, delim = '', quote = '', escape = '', auto_detect = false)`;
  const quoting = records.kind === 'csv' ? '' : ", quote = ''";
  const delimiter = records.delimiter === ',' ? '' : `, delim = ${sqlText(records.delimiter)}${quoting}`;
  return `read_csv(${file}, header = true, all_varchar = true${delimiter})`;
}

const IS_TABLE = /\.[ct]sv(?:\.gz|\.zst)?$/i;

function where(url: string, { onError, against, not, unseen }: Values): string[] {
  const isIn = against.map((index) => `url_in_index(${url}, ${sqlText(index)})`);
  const conditions = [
    ...(onError === 'skip' ? [`url_reason(${url}) IS NULL`] : []),
    ...(isIn.length === 0 ? [] : [`(${isIn.join(' OR ')})${not ? ' IS NOT TRUE' : ''}`]),
    ...(unseen === undefined ? [] : [`url_in_index(${url}, ${sqlText(unseen)}) IS NOT TRUE`]),
  ];
  return conditions.length === 0 ? [] : [`WHERE ${conditions.join(' AND ')}`];
}

function optionWords(name: string, value: unknown): string[] {
  if (value === true) return [optionOf(name)];
  const values = [value ?? []].flat().filter((each) => each !== false);
  return values.map((each) => `${optionOf(name)} ${shellText(String(each))}`);
}
