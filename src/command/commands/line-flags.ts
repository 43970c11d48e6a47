import { existsSync } from 'node:fs';
import { LINE_FEED } from '../../core/bytes/code-points.ts';
import type { Kernel } from '../../core/kernel/kernel.ts';
import { openKernel, preferKernel } from '../../core/kernel/open.ts';
import { choice, group, matching, parsed, text, toggle, type ValuesOf } from '../arguments/flag.ts';
import { DEFAULT_MEMORY_BYTES, NUMBER } from '../arguments/numbers.ts';
import { baseUrl, DEFAULT_SCHEME, KERNEL } from '../arguments/url-flags.ts';
import { usageFault } from '../fault.ts';
import type { LogFlags } from '../read/access-log/request.ts';
import { encodingNamed, UTF_8 } from '../read/encoding.ts';
import { certainKindOf } from '../read/file-kind.ts';
import type { Framing, Records, RowForm } from '../read/framing.ts';
import type { Input } from '../read/inputs.ts';
import { type LineOptions, linesEndingIn, NUL, urlLines } from '../read/lines.ts';
import type { LinkOptions } from '../read/link-lines.ts';
import { linkRows } from '../read/link-rows.ts';
import type { TypeColumn } from '../read/table.ts';
import { SHOWN_LIMIT } from '../work/run-report.ts';

/** The flags for what is not a URL per line; of these, CSV alone may have a delimiter of its own. */
export const READER_FLAGS = ['csv', 'tsv', 'delimiter', 'json', 'cdx', 'log', 'logFormat', 'links'] as const;
const A_COLUMN = ['--column, such as -f url'];

function readersBefore(flag: (typeof READER_FLAGS)[number]): readonly string[] {
  return READER_FLAGS.slice(0, READER_FLAGS.indexOf(flag));
}

const COMMENT = matching(/^[!-~]?$/, "one ASCII character, or '' for none");

/** Flags for input whose rows are whole lines. */
export const LINE_FLAGS = group('Input', {
  zero: toggle('lines end in NUL, in input and output', { short: 'z', without: [...readersBefore('links'), 'column'] }),
  skipBlank: toggle('skip blank lines, which are bad lines otherwise'),
  encoding: parsed('LABEL', 'read text in this encoding, such as latin1; default utf-8', undefined, encodingNamed),
});

/** Flags for input whose rows may be records of a table. */
export const ROW_FLAGS = {
  ...LINE_FLAGS,
  ...group('Input', {
    column: text('COLUMN', 'read this column of a table or Parquet, by number from 1 or by name', {
      short: 'f',
      without: ['json', 'cdx', 'log', 'logFormat', 'links'],
    }),
    csv: toggle('read CSV (RFC 4180), under any file name', { needs: A_COLUMN }),
    tsv: toggle('read TSV: one record per line, no quoting, no escapes', { needs: A_COLUMN, without: ['csv'] }),
    delimiter: parsed('CHAR', "the same with CHAR for tabs; for ' ', spaces in a row are one", undefined, delimiterOf, {
      needs: A_COLUMN,
      without: ['tsv'],
    }),
    json: text('FIELD', 'read the string in FIELD of JSON lines; a.b: b in a, or the field a.b', {
      without: readersBefore('json'),
    }),
    cdx: toggle('read the original URL of each CDX or CDXJ record', { without: readersBefore('cdx') }),
    log: toggle('read the URL of each request in an access log (docs/logs.md lists formats)', {
      without: readersBefore('log'),
    }),
    logFormat: text('FORMAT', 'the same in FORMAT, as nginx and Apache have it: docs/logs.md', {
      without: readersBefore('log'),
    }),
    links: toggle('read the links of HTML, bookmarks, sitemaps, RSS, Atom and OPML', {
      without: readersBefore('links'),
    }),
    comment: parsed(
      'CHAR',
      'leave out lines that begin with CHAR; default #, in TSV before the header',
      undefined,
      COMMENT,
    ),
    memory: parsed('SIZE', 'memory for Parquet and waiting links; default 256M', undefined, NUMBER.bytes),
  }),
};

export const ON_ERROR_FLAG = group('Bad lines', {
  onError: choice(
    'ACTION',
    ['null', 'keep', 'skip', 'fail'],
    'null',
    'null (default): empty field; keep: use the line; skip; fail: end the run',
  ),
});

/** The flag for the fields that records gain. */
export const HASH_NAME_FLAG = group('Input', {
  hashName: parsed(
    'NAME',
    'name the fields that records gain NAME and NAME_…; default urlsum',
    undefined,
    matching(/^[A-Za-z_][\w.-]*$/, 'letters, digits, _, . and -, and begin with a letter or _'),
  ),
});

/** @throws {Fault} where `--hash-name` is given for input without records */
export function mustHaveRecords(hashName: string | undefined, { records, framing }: LinePlan): void {
  if (hashName === undefined || records !== undefined) return;
  throw usageFault(`--hash-name needs ${framing.blocksOf === undefined ? RECORDS : RECORDS_OF_PARQUET}`);
}

type LinePlan = Awaited<ReturnType<typeof linePlan>>;

/** The inputs whose rows gain fields, as a message names them, and what adds fields to those of Parquet. */
export const RECORDS = 'records (--json, --column, --cdx, --log)';
export const RECORDS_OF_PARQUET = 'urlsum sql where the input is Parquet';

/** Flags for the reports on bad lines. */
export const COMPLAINT_FLAGS = group('Bad lines', {
  quiet: toggle('say nothing of bad lines; --stats counts them by reason'),
  allErrors: toggle('show every bad line, not the first 10 of each input', { without: ['quiet'] }),
  exitZero: toggle('exit with 0 even if lines are bad; file errors still exit with 2'),
});

export const RUN_FLAGS = group('Run', {
  out: parsed(
    'FILE',
    'write to FILE, which appears when it is complete; it may be an input, too',
    undefined,
    outputOfLines,
    { short: 'o', isPath: true },
  ),
  stats: {
    ...choice(
      'FORMAT',
      ['text', 'json'],
      undefined,
      'print counts, time and memory at the end: text (default) or json',
    ),
    bare: 'text',
  },
  kernel: KERNEL,
  jobs: parsed('N', 'use N threads; 0 for one per processor', 1, NUMBER.threads, { short: 'j' }),
});

/** The flag of commands that canonicalize URLs. */
export const EXPLAIN_FLAG = group('Run', {
  explain: text('URL', 'show each step to the canonical form of URL, and nothing else'),
});

/** Flags of commands that read a scheme or a base of their own only for logs and links. */
export const ORIGIN_FLAGS = group('Input', {
  base: text('URL', 'with --log: the origin of paths without a host; with --links: of relative links', {
    needs: ['--log', '--log-format', '--links'],
  }),
  defaultScheme: {
    ...DEFAULT_SCHEME,
    help: 'with --log: the scheme of requests whose log names none',
    needs: ['--log', '--log-format'],
  },
});

/** Flags of logs whose URLs are only looked up in lists, whose entries have no scheme. */
export const ANY_SCHEME: LogFlags = { needsNoScheme: true };

/** Flags of every command that reads lines of any kind. */
export const ALL_LINE_FLAGS = { ...ROW_FLAGS, ...ON_ERROR_FLAG, ...COMPLAINT_FLAGS, ...RUN_FLAGS };

type LinePlanOptions = Partial<Pick<FramingOptions, 'isText' | 'keepsComments' | 'added' | 'types'>>;

type LineValues = ValuesOf<typeof LINE_FLAGS & typeof COMPLAINT_FLAGS & typeof RUN_FLAGS> &
  Partial<ValuesOf<typeof ROW_FLAGS & typeof ON_ERROR_FLAG>> &
  LogFlags;

/**
 * Returns the part of a plan that comes from the flags of all line commands.
 *
 * @param options whether lines are any text, not one URL each; whether records of a table can be comments; what records
 *   gain
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

const PARQUET_NAME = /\.(?:parquet|parq|pq)$/i;

/** @throws {Fault} where lines would have the name of a table */
function outputOfLines(path: string, option: string): string {
  if (!PARQUET_NAME.test(path)) return path;
  throw usageFault(
    `${option} ${path}: this command writes lines, not Parquet; urlsum sql "COPY (SELECT *, url_hash(url) AS key ` +
      `FROM 'FILE') TO '${path.replaceAll("'", "''")}'" does`,
  );
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

function delimiterOf(value: string, option: string): string {
  const delimiter = value === '\\t' ? '\t' : value;
  if (/^[\0-\x7f]$/.test(delimiter) && !/[\r\n]/.test(delimiter)) return delimiter;
  throw usageFault(`${option} must be one ASCII character that does not end a line, or \\t, not '${value}'`);
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

export interface FramingOptions extends LineOptions {
  readonly records: RowForm['records'];
  readonly added?: RowForm['added'];
  /** Whether lines are any text, not one URL each. */
  readonly isText?: boolean;
  /** The byte that comments of tables begin with. */
  readonly comment?: number | undefined;
  /** Whether that byte, and the separator of tables, were asked for. */
  readonly isCommentGiven?: boolean;
  readonly isSeparatorGiven?: boolean;
  /** Whether comments of tables are rows whose value is all of them. Others are left out. */
  readonly keepsComments?: boolean;
  /** The column of a table that says what the values are, if it is wanted. */
  readonly types?: TypeColumn | undefined;
  /** The parts of URLs that a log lacks. */
  readonly logFlags?: LogFlags;
  /** The options of links, if inputs are markup whose links are the rows. */
  readonly links?: LinkOptions | undefined;
}

/** Opens the framing that cuts a command's inputs into rows. Each kind is loaded on demand. */
export async function openFraming(options: FramingOptions): Promise<Framing> {
  const { kernel, lineEnd, records, skipsBlank, links, isText = false, keepsComments = false, added = [] } = options;
  if (links !== undefined) return linkRows(kernel, links);
  if (records === undefined) {
    const lines = linesEndingIn(options);
    return isText ? lines : urlLines(lines, lineEnd);
  }
  const { kind, delimiter, column } = records;
  if (kind === 'json') return (await import('../read/json-lines.ts')).jsonLines(kernel, column, skipsBlank, added);
  if (kind === 'cdx') return (await import('../read/cdx.ts')).cdxRecords(kernel, skipsBlank, added);
  if (kind === 'log')
    return (await import('../read/access-log/access-log.ts')).accessLog(options.logFlags ?? {}, options);
  const { TableFraming } = await import('../read/table.ts');
  const form = { separator: delimiter.charCodeAt(0), isQuoted: kind === 'csv' };
  const { comment, isCommentGiven, isSeparatorGiven } = options;
  return new TableFraming(form, column, {
    kernel,
    skipsBlank,
    comment,
    isCommentGiven,
    isSeparatorGiven,
    keepsComments,
    added,
    types: options.types,
  });
}
