import { availableParallelism } from 'node:os';
import type { Width } from '../../kernel/kernel.ts';
import { kernelName } from '../../kernel/open.ts';
import { FORMATS, formatOf } from '../format/formats.ts';
import { FormatSink, PackedSink, type Sink } from '../format/sink.ts';
import { tableFormat } from '../format/table-format.ts';
import type { Framing } from '../rows/framing.ts';
import { LINES, ZERO_LINES } from '../rows/lines.ts';
import { FirstOfEach } from '../select/first-of-each.ts';
import { Membership } from '../select/membership.ts';
import { bothOf, type Selection } from '../select/selection.ts';
import { SortedWords } from '../select/sorted-words.ts';
import { ON_ERROR, type OnError, oneOf, parseOptions, widthOf } from '../terminal/options.ts';
import { UsageError } from '../terminal/usage.ts';

const FORMAT_NAMES = [...FORMATS, 'arrow', 'parquet'] as const;
const TABLES = ['csv', 'tsv'] as const;
const STATISTICS = ['text', 'json'] as const;

/** The options of the default action, checked. */
export interface SumOptions {
  readonly format: (typeof FORMAT_NAMES)[number];
  readonly width: Width;
  readonly onError: OnError;
  readonly lineEnd: number;
  readonly out: string | undefined;
  readonly stats: (typeof STATISTICS)[number] | undefined;
  readonly dedup: boolean;
  readonly against: string | undefined;
  readonly not: boolean;
  readonly column: string | undefined;
  readonly threads: number;
  readonly table: (typeof TABLES)[number] | undefined;
}

const FLAGS = {
  format: { type: 'string', default: 'text' },
  width: { type: 'string', default: '32' },
  'on-error': { type: 'string', default: 'null' },
  zero: { type: 'boolean', short: 'z', default: false },
  out: { type: 'string' },
  stats: { type: 'string' },
  dedup: { type: 'boolean', default: false },
  against: { type: 'string' },
  not: { type: 'boolean', default: false },
  column: { type: 'string', short: 'f' },
  jobs: { type: 'string', short: 'j', default: '1' },
  csv: { type: 'boolean', default: false },
  tsv: { type: 'boolean', default: false },
} as const;

/** @throws {UsageError} on an option there is not, a value it has not, or options that exclude each other */
export function sumOptions(args: readonly string[]): {
  readonly options: SumOptions;
  readonly paths: readonly string[];
} {
  const { values, positionals: paths } = parseOptions(withStatsText(args), FLAGS);
  const { out, dedup, against, not, column, csv, tsv } = values;
  if (csv && tsv) throw new UsageError('--csv and --tsv exclude each other');
  const options: SumOptions = {
    format: oneOf('format', values.format, FORMAT_NAMES),
    width: widthOf(values.width),
    onError: oneOf('on-error', values['on-error'], ON_ERROR),
    lineEnd: values.zero ? 0x00 : 0x0a,
    stats: values.stats === undefined ? undefined : oneOf('stats', values.stats, STATISTICS),
    table: csv ? 'csv' : tsv ? 'tsv' : column === undefined ? undefined : tableOf(paths),
    threads: threadsOf(values.jobs),
    out,
    dedup,
    against,
    not,
    column,
  };
  mustFit(options);
  return { options, paths };
}

/** Which options exclude, or need, each other. */
function mustFit({ format, lineEnd, against, not, column, table, threads }: SumOptions): void {
  if (not && against === undefined) throw new UsageError('--not goes with --against');
  if (column === undefined && table !== undefined) throw new UsageError(`--${table} needs --column`);
  if (column === undefined) return;
  if (threads !== 1) throw new UsageError('--column and --jobs exclude each other');
  if (lineEnd === 0x00) throw new UsageError('--column and --zero exclude each other');
  if (!['text', 'hex', 'u64'].includes(format))
    throw new UsageError(`--column goes with --format text, hex or u64, not ${format}`);
}

function threadsOf(value: string): number {
  if (!/^\d{1,3}$/.test(value)) throw new UsageError(`--jobs must be a whole number up to 999, not '${value}'`);
  return Number(value) || availableParallelism();
}

/** parseArgs knows no optional values: `--stats` alone would take the file behind it for one. */
function withStatsText(args: readonly string[]): string[] {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  return args.map((arg, index) => (arg === '--stats' && index < end ? '--stats=text' : arg));
}

/** What the names of the files say: all of them the same. */
function tableOf(paths: readonly string[]): (typeof TABLES)[number] {
  const names = paths.map((path) => path.toLowerCase().replace(/\.(?:gz|zst)$/, ''));
  const found = TABLES.find((table) => names.length > 0 && names.every((name) => name.endsWith(`.${table}`)));
  if (found === undefined)
    throw new UsageError('--column needs --csv or --tsv where the names of the files do not say which');
  return found;
}

export async function framingOf({ lineEnd, column, table }: SumOptions): Promise<Framing> {
  if (column === undefined) return lineEnd === 0 ? ZERO_LINES : LINES;
  const { TableFraming } = await import('../rows/table-framing.ts');
  return new TableFraming(
    table === 'csv' ? (await import('../rows/csv.ts')).CSV : (await import('../rows/tsv.ts')).TSV,
    column,
  );
}

export async function sinkOf({ format, width, lineEnd, column, table }: SumOptions): Promise<Sink> {
  if (format === 'arrow') return (await import('../format/arrow.ts')).openArrow(width);
  if (format === 'parquet') return (await import('../format/parquet.ts')).openParquet(width);
  if (column !== undefined) return new FormatSink(tableFormat(table === 'csv' ? ',' : '\t', format === 'u64'), lineEnd);
  if (format === 'bin') return new PackedSink(formatOf(format), lineEnd);
  const hasLineSink = (format === 'text' || format === 'hex') && kernelName() === 'simd';
  return hasLineSink
    ? new (await import('../format/text-lines.ts')).LineSink(format, lineEnd)
    : new FormatSink(formatOf(format), lineEnd);
}

/** What --dedup and --against select together: the first row of each hash among the members. */
export function selectionOf({ dedup, against, not, width }: SumOptions): Selection | undefined {
  const members = against === undefined ? undefined : new Membership(new SortedWords(against), !not);
  return bothOf(members, dedup ? new FirstOfEach(width) : undefined);
}
