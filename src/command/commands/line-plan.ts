import { existsSync } from 'node:fs';
import { LINE_FEED } from '../../core/bytes/code-points.ts';
import type { Kernel } from '../../core/kernel/kernel.ts';
import { openKernel, preferKernel } from '../../core/kernel/open.ts';
import type { ValuesOf } from '../arguments/flag.ts';
import { DEFAULT_MEMORY_BYTES } from '../arguments/numbers.ts';
import { baseUrl } from '../arguments/url-flags.ts';
import { usageFault } from '../fault.ts';
import type { LogFlags } from '../read/access-log/request.ts';
import { UTF_8 } from '../read/encoding.ts';
import { certainKindOf } from '../read/file-kind.ts';
import type { Framing, Records } from '../read/framing.ts';
import type { Input } from '../read/inputs.ts';
import { type LineOptions, linesEndingIn, NUL, urlLines } from '../read/lines.ts';
import type { LinkOptions } from '../read/link-lines.ts';
import { linkRows } from '../read/link-rows.ts';
import type { TableOptions } from '../read/table.ts';
import { SHOWN_LIMIT } from '../work/bad-rows.ts';
import {
  type COMPLAINT_FLAGS,
  type LINE_FLAGS,
  type ON_ERROR_FLAG,
  PARQUET_NAME,
  type ROW_FLAGS,
  type RUN_FLAGS,
} from './line-flags.ts';

type LinePlanOptions = Partial<Pick<FramingOptions, 'isText' | 'mayHaveTabs' | 'keepsComments' | 'added' | 'types'>>;

type LineValues = ValuesOf<typeof LINE_FLAGS & typeof COMPLAINT_FLAGS & typeof RUN_FLAGS> &
  Partial<ValuesOf<typeof ROW_FLAGS & typeof ON_ERROR_FLAG>> &
  LogFlags;

/**
 * Returns the part of a plan that comes from the flags of all line commands.
 *
 * @param options whether lines are any text, not one URL each; whether they may have tabs inside; whether records of a
 *   table can be comments; what records gain
 * @throws {Fault} where flags exclude each other
 */
export async function linePlan(values: LineValues, inputs: readonly Input[], options: LinePlanOptions = {}) {
  if (values.kernel !== undefined) preferKernel(values.kernel);
  const kernel = openKernel();
  const lineEnd = values.zero ? NUL : LINE_FEED;
  const parquet = await parquetFraming(values, inputs, kernel);
  const records = parquet === undefined ? recordsOf(values, inputs) : undefined;
  return {
    kernel,
    framing:
      parquet ??
      (await openFraming({
        ...{ lineEnd, records, skipsBlank: values.skipBlank, kernel, logFlags: values },
        links: linksOf(values),
        comment: values.comment === '' ? undefined : (values.comment ?? '#').charCodeAt(0),
        isCommentGiven: values.comment !== undefined,
        isSeparatorGiven: values.delimiter !== undefined,
        ...options,
      })),
    lineEnd,
    encoding: values.encoding ?? UTF_8,
    records,
    added: options.added ?? [],
    onError: values.onError ?? 'null',
    shownLimit: values.allErrors ? Number.POSITIVE_INFINITY : values.quiet ? 0 : SHOWN_LIMIT,
    exitsZero: values.exitZero,
    out: values.out,
    statistics: values.stats,
    threadCount: values.jobs,
  };
}

/** Returns the options of `--links`; undefined without that flag. @throws {Fault} where the base is not a URL */
function linksOf({ links, base, zero, encoding, memory = DEFAULT_MEMORY_BYTES }: LineValues): LinkOptions | undefined {
  if (!links) return undefined;
  return {
    base: base === undefined ? undefined : baseUrl(base),
    lineEnd: String.fromCharCode(zero ? NUL : LINE_FEED),
    isUtf8: encoding !== undefined,
    memoryBytes: memory,
  };
}

/**
 * Returns the values of Parquet files, which are rows as lines are; undefined for other files.
 *
 * @throws {Fault} where only some files are Parquet
 */
async function parquetFraming(values: LineValues, inputs: readonly Input[], kernel: Kernel) {
  const { column, csv, tsv, delimiter, skipBlank, memory = DEFAULT_MEMORY_BYTES, encoding = UTF_8 } = values;
  if (column === undefined || csv || tsv || delimiter !== undefined || !(await areParquet(inputs))) return undefined;
  if (encoding !== UTF_8) throw usageFault('--encoding is for text, not for Parquet');
  const { parquetRows } = await import('../read/parquet.ts');
  return parquetRows({ kernel, column, skipsBlank: skipBlank, memoryBytes: memory });
}

/** Whether all files are Parquet, by their names, or the first one's bytes: another one is refused when it is read. */
async function areParquet(inputs: readonly Input[]): Promise<boolean> {
  const isNamed = ({ name }: Input) => PARQUET_NAME.test(name);
  if (inputs[0] !== undefined && !isNamed(inputs[0]) && (await beginsAsParquet(inputs[0]))) return true;
  const found = inputs.filter(isNamed);
  if (found.length > 0 && found.length < inputs.length)
    throw usageFault(`${found[0]!.name} is Parquet, and another file is not: read them in two runs`);
  return found.length > 0;
}

/** Bytes by which Parquet is known. */
const PARQUET_START_BYTES = 5;

async function beginsAsParquet(input: Input): Promise<boolean> {
  try {
    return certainKindOf(await input.startOf(PARQUET_START_BYTES))?.name === 'Parquet';
  } catch {
    return false; // the run, which opens it again, says why it cannot
  }
}

function recordsOf(values: LineValues, inputs: readonly Input[]): Records | undefined {
  const { column, csv, tsv, delimiter, json, cdx, log, logFormat } = values;
  if (json !== undefined && inputs.length === 0 && looksLikeFile(json))
    throw usageFault(`--json takes a field, and ${json} looks like a file: --json FIELD ${json}`);
  if (json !== undefined) return { kind: 'json', delimiter: '', column: json };
  if (cdx) return { kind: 'cdx', delimiter: ' ', column: '' };
  if (log || logFormat !== undefined) return { kind: 'log', delimiter: '\t', column: '' }; // escaped where a client sent one
  if (column === undefined) return undefined;
  if (delimiter !== undefined) return { kind: csv ? 'csv' : 'delimited', delimiter, column };
  const isCsv = csv || (!tsv && nameOfAll(inputs, column) === 'csv');
  return isCsv ? { kind: 'csv', delimiter: ',', column } : { kind: 'delimited', delimiter: '\t', column };
}

/** A file with a field's name may well be there, so its place or its extension must say that it is one. */
function looksLikeFile(field: string): boolean {
  return /\.(?:jsonl?|ndjson|gz|zst)$/i.test(field) || (field.includes('/') && existsSync(field));
}

/** Returns the kind of table that the names of all files agree on. @throws {Fault} where they do not */
function nameOfAll(inputs: readonly Input[], column: string): 'csv' | 'tsv' {
  const names = inputs.map(({ name }) => name.toLowerCase().replace(/\.(?:gz|zst)$/, ''));
  const found = (['csv', 'tsv'] as const).find(
    (kind) => names.length > 0 && names.every((name) => name.endsWith(`.${kind}`)),
  );
  if (found !== undefined) return found;
  if (names.length > 0 && names.every((name) => /\.(?:jsonl|ndjson|json)$/.test(name)))
    throw usageFault(
      `--column is for tables; ${inputs[0]!.name} holds JSON lines, of which --json ${column} reads a field`,
    );
  throw usageFault(
    '--column needs --csv, --tsv or --delimiter unless all file names end in .csv or .tsv, or all files are Parquet',
  );
}

export interface FramingOptions extends LineOptions, TableOptions {
  readonly records: Records | undefined;
  /** Whether lines are any text, not one URL each. */
  readonly isText?: boolean;
  /** Whether the command itself says what a tab inside of a line means. */
  readonly mayHaveTabs?: boolean;
  /** The parts of URLs that a log lacks. */
  readonly logFlags?: LogFlags;
  /** The options of links, if inputs are markup whose links are the rows. */
  readonly links?: LinkOptions | undefined;
}

/** Opens the framing that cuts a command's inputs into rows. Each kind is loaded on demand. */
export async function openFraming(options: FramingOptions): Promise<Framing> {
  const { kernel, lineEnd, records, skipsBlank, links, isText = false, mayHaveTabs = false, added = [] } = options;
  if (links !== undefined) return linkRows(kernel, links);
  if (records === undefined) {
    const lines = linesEndingIn(options);
    return isText ? lines : urlLines(lines, lineEnd, mayHaveTabs);
  }
  const { kind, delimiter, column } = records;
  if (kind === 'json') return (await import('../read/json-lines.ts')).jsonLines(kernel, column, skipsBlank, added);
  if (kind === 'cdx') return (await import('../read/cdx.ts')).cdxRecords(kernel, skipsBlank, added);
  if (kind === 'log')
    return (await import('../read/access-log/access-log.ts')).accessLog(options.logFlags ?? {}, options);
  const { TableFraming } = await import('../read/table.ts');
  return new TableFraming({ separator: delimiter.charCodeAt(0), isQuoted: kind === 'csv' }, column, options);
}

/** @throws {Fault} where `--hash-name` is given for input without records */
export function mustHaveRecords(hashName: string | undefined, { records, framing }: LinePlan): void {
  if (hashName === undefined || records !== undefined) return;
  throw usageFault(`--hash-name needs ${framing.blocksOf === undefined ? RECORDS : RECORDS_OF_PARQUET}`);
}

type LinePlan = Awaited<ReturnType<typeof linePlan>>;

/** The inputs whose rows gain fields, as a message names them, and what adds fields to those of Parquet. */
export const RECORDS = 'records (--json, --column, --cdx, --log)';
export const RECORDS_OF_PARQUET = 'urlsum sql where the input is Parquet';
