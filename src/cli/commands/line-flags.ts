import { availableParallelism } from 'node:os';
import { LINE_FEED } from '../../bytes/code-points.ts';
import { NUL } from '../rows/lines.ts';
import { delimiterOf, openFraming, type TableName } from '../rows/open-framing.ts';
import { choice, group, optionalChoice, parsed, text, toggle, type ValuesOf } from '../terminal/flag.ts';
import { UsageError } from '../terminal/usage-error.ts';
import type { LinePlan } from './plan.ts';

const TABLES = ['csv', 'tsv'] as const;

/** How inputs are cut into rows that are whole lines. */
export const LINE_FLAGS = group('Rows', {
  zero: toggle('lines end in NUL, on input and output', { short: 'z' }),
  skipBlank: toggle('pass over blank lines; else each is a bad line'),
});

/** How inputs are cut into rows that may be records of a table. */
export const ROW_FLAGS = {
  ...LINE_FLAGS,
  ...group('Rows', {
    column: text('COLUMN', 'work on this column of a table, by number from 1 or by name in the header', { short: 'f' }),
    csv: toggle('the table is CSV (RFC 4180), whatever the names of the files say'),
    tsv: toggle('the table is TSV: one record per line, no quoting, no escapes'),
  }),
};

export const ON_ERROR_FLAG = group('Bad lines', {
  onError: choice(
    'WAY',
    { null: '', keep: '', skip: '', fail: '' },
    'null',
    'what comes out for a bad line: null (default), an empty field; keep, what the line as given ' +
      'comes to; skip, nothing; fail, the end of the run',
  ),
});

/** What is said of bad lines. */
export const COMPLAINT_FLAGS = group('Bad lines', {
  quiet: toggle('only count bad lines, by reason'),
  allErrors: toggle('show every bad line, not the first 10 of each input'),
  exitZero: toggle('exit status 0 although lines are bad; trouble with files stays 2'),
});

export const RUN_FLAGS = group('Run', {
  out: text('FILE', 'write to FILE, which appears when it is whole, or not at all', { isPath: true }),
  stats: optionalChoice('HOW', { text: '', json: '' }, 'text', 'at the end, counts, time and memory on standard error'),
  jobs: parsed('N', 'work on N threads; 0: as many as the machine runs at once', 1, threadCountOf, { short: 'j' }),
});

/** Of the commands that make something of each URL. */
export const EXPLAIN_FLAG = group('One URL', {
  explain: text('URL', 'print each step on the way of one URL, with its clause, or why it has no canonical form'),
});

/** Of every command that reads lines of any kind. */
export const ALL_LINE_FLAGS = { ...ROW_FLAGS, ...ON_ERROR_FLAG, ...COMPLAINT_FLAGS, ...RUN_FLAGS };

type LineValues = ValuesOf<typeof LINE_FLAGS & typeof COMPLAINT_FLAGS & typeof RUN_FLAGS> &
  Partial<ValuesOf<typeof ROW_FLAGS & typeof ON_ERROR_FLAG>>;

/** @throws {UsageError} where flags exclude each other */
export async function linePlan(values: LineValues, operands: readonly string[]): Promise<LinePlan> {
  const { zero, column, csv, tsv, jobs } = values;
  mustFit(values);
  const lineEnd = zero ? NUL : LINE_FEED;
  const table = csv ? 'csv' : tsv ? 'tsv' : column === undefined ? undefined : tableOf(operands);
  return {
    framing: await openFraming({ lineEnd, column, table, skipsBlank: values.skipBlank }),
    lineEnd,
    delimiter: delimiterOf(table),
    onError: values.onError ?? 'null',
    shown: values.allErrors ? 'all' : values.quiet ? 'none' : 'few',
    exitsZero: values.exitZero,
    out: values.out,
    statistics: values.stats,
    threadCount: jobs,
  };
}

function mustFit({ csv, tsv, column, jobs, zero, quiet, allErrors }: LineValues): void {
  if (csv && tsv) throw new UsageError('--csv and --tsv exclude each other');
  if (quiet && allErrors) throw new UsageError('--quiet and --all-errors exclude each other');
  if (column === undefined && (csv || tsv)) throw new UsageError(`--${csv ? 'csv' : 'tsv'} needs --column`);
  if (column !== undefined && jobs !== 1) throw new UsageError('--column and --jobs exclude each other');
  if (column !== undefined && zero) throw new UsageError('--column and --zero exclude each other');
}

function threadCountOf(value: string, option: string): number {
  if (!/^\d{1,3}$/.test(value)) throw new UsageError(`${option} must be a whole number up to 999, not '${value}'`);
  return Number(value) || availableParallelism();
}

/** What the names of the files say: all of them the same. */
function tableOf(paths: readonly string[]): TableName {
  const names = paths.map((path) => path.toLowerCase().replace(/\.(?:gz|zst)$/, ''));
  const found = TABLES.find((table) => names.length > 0 && names.every((name) => name.endsWith(`.${table}`)));
  if (found === undefined)
    throw new UsageError('--column needs --csv or --tsv where the names of the files do not say which');
  return found;
}
