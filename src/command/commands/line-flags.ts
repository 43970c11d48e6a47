import { choice, group, matching, parsed, text, toggle } from '../arguments/flag.ts';
import { NUMBER } from '../arguments/numbers.ts';
import { DEFAULT_SCHEME, KERNEL } from '../arguments/url-flags.ts';
import { usageFault } from '../fault.ts';
import type { LogFlags } from '../read/access-log/request.ts';
import { encodingNamed } from '../read/encoding.ts';

/** The flags for what is not a URL per line; of these, CSV alone may have a delimiter of its own. */
export const READER_FLAGS = ['csv', 'tsv', 'delimiter', 'json', 'cdx', 'log', 'logFormat', 'links'] as const;
const A_COLUMN = { column: ', such as -f url' };

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
    needs: { log: '', logFormat: '', links: '' },
  }),
  defaultScheme: {
    ...DEFAULT_SCHEME,
    help: 'with --log: the scheme of requests whose log names none',
    needs: { log: '', logFormat: '' },
  },
});

/** Flags of logs whose URLs are only looked up in lists, whose entries have no scheme. */
export const ANY_SCHEME: LogFlags = { needsNoScheme: true };

/** Flags of every command that reads lines of any kind. */
export const ALL_LINE_FLAGS = { ...ROW_FLAGS, ...ON_ERROR_FLAG, ...COMPLAINT_FLAGS, ...RUN_FLAGS };

export const PARQUET_NAME = /\.(?:parquet|parq|pq)$/i;

/** @throws {Fault} where lines would have the name of a table */
function outputOfLines(path: string, option: string): string {
  if (!PARQUET_NAME.test(path)) return path;
  throw usageFault(
    `${option} ${path}: this command writes lines, not Parquet; urlsum sql "COPY (SELECT *, url_hash(url) AS key ` +
      `FROM 'FILE') TO '${path.replaceAll("'", "''")}'" does`,
  );
}

function delimiterOf(value: string, option: string): string {
  const delimiter = value === '\\t' ? '\t' : value;
  if (/^[\0-\x7f]$/.test(delimiter) && !/[\r\n]/.test(delimiter)) return delimiter;
  throw usageFault(`${option} must be one ASCII character that does not end a line, or \\t, not '${value}'`);
}
