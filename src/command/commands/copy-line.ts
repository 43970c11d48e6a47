import { extname } from 'node:path';
import type { PlaceName } from '../../specs/sites/site.ts';
import { shellText } from '../arguments/call.ts';
import { optionOf } from '../arguments/flag.ts';
import { sqlName, sqlText } from '../database.ts';
import type { Records } from '../read/framing.ts';
import { isUrlOperand } from '../read/inputs.ts';
import { FLAGS_OF_FORM } from './url-flags.ts';

/** What a run of `urlsum` was asked to write as a table. */
export interface TableRun {
  readonly column: string | undefined;
  readonly records: Records | undefined;
  readonly values: Readonly<Record<string, unknown>> & {
    readonly width: string | undefined;
    readonly out: string | undefined;
    readonly jobs: number;
    readonly canonical: boolean;
    readonly hashName: string | undefined;
    readonly add: readonly PlaceName[];
    readonly onError: string;
    readonly dedup: boolean;
    readonly against: readonly string[];
    readonly not: boolean;
    readonly unseen: string | undefined;
  };
  readonly operands: readonly string[];
}

/** Returns the command line of `urlsum sql` that writes the rows of such a run to a Parquet file. */
export function copyLine(run: TableRun): string {
  const { column, values } = run;
  const { out = 'keyed.parquet', width, jobs } = values;
  const target = extname(out) === '.parquet' ? out : `${out}.parquet`;
  const url = column === undefined ? 'url' : columnName(column);
  const names = column === undefined ? { all: 'url', hash: 'hash', prefix: '' } : namesOf(values.hashName);
  const fields = [
    `url_hash(${url}) AS ${names.hash}`,
    ...(values.canonical ? [`url_canonical(${url}) AS ${names.prefix}canonical`] : []),
    ...values.add.map((place) => `url_${place}(${url}) AS ${names.prefix}${place}`),
  ];
  const query = [
    `SELECT ${values.dedup ? `DISTINCT ON (url_hash(${url})) ` : ''}${[names.all, ...fields].join(', ')}`,
    `FROM ${tableOf(run)}`,
    ...where(url, values),
  ].join(' ');
  const options = [
    ...(width === undefined ? [] : [`--width ${width}`]),
    ...(jobs === 1 ? [] : [`-j ${jobs}`]),
    ...Object.keys(FLAGS_OF_FORM).flatMap((name) => optionsOf(name, values[name])),
  ];
  return ['urlsum sql', ...options, shellText(`COPY (${query}) TO ${sqlText(target)}`)].join(' ');
}

function namesOf(hashName = 'urlsum') {
  return {
    all: '*',
    hash: sqlIdentifier(hashName),
    prefix: sqlIdentifier(hashName) === hashName ? `${hashName}_` : '',
  };
}

/** A number is that of a column, from 1; a dotted name is that of a field of a struct. */
function columnName(column: string): string {
  return /^[1-9][0-9]*$/.test(column) ? `#${column}` : column.split('.').map(sqlIdentifier).join('.');
}

function sqlIdentifier(name: string): string {
  return /^[a-z_]\w*$/i.test(name) ? name : sqlName(name);
}

function tableOf({ column, records, operands }: TableRun): string {
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

function where(url: string, { onError, against, not, unseen }: TableRun['values']): string[] {
  const isIn = against.map((index) => `url_in_index(${url}, ${sqlText(index)})`);
  const conditions = [
    ...(onError === 'skip' ? [`url_reason(${url}) IS NULL`] : []),
    ...(isIn.length === 0 ? [] : [`(${isIn.join(' OR ')})${not ? ' IS NOT TRUE' : ''}`]),
    ...(unseen === undefined ? [] : [`url_in_index(${url}, ${sqlText(unseen)}) IS NOT TRUE`]),
  ];
  return conditions.length === 0 ? [] : [`WHERE ${conditions.join(' AND ')}`];
}

function optionsOf(name: string, value: unknown): string[] {
  if (value === true) return [optionOf(name)];
  const values = [value ?? []].flat().filter((each) => each !== false);
  return values.map((each) => `${optionOf(name)} ${shellText(String(each))}`);
}
