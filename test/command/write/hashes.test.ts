import { DuckDBInstance } from '@duckdb/node-api';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hostOf, siteOf, surtOf } from '../../../src/entries/site.ts';
import { type Options, PROFILE, profileOf, tryCanonicalize, UrlHash, UrlHasher } from '../../../src/index.ts';
import { mutated, SAMPLE_URLS } from '../../support/samples.ts';
import { file } from '../../support/scratch.ts';
import { random } from '../../support/seed.ts';
import { mustGive, textOf, urlsum } from '../command.ts';

const tests = suite('structured formats and --add, read back by DuckDB');

/** Characters that a format may have to escape, in lines and in canonical forms; a line feed would end the line. */
const HOSTILE = [
  ...['http://a.example/s?\\', 'http://a.example/s?\\\t\\n\\', 'http://a.example/#\\"\'`|\\\\', 'x:\\\\"\''],
  ...['x:\u2028\u2029"\\', 'data:,\0\\0\x01\x1f\x7f', '\thttp://a.example/\t\\t\tb', 'http://a.example/\r?\\r\rx'],
  ...['bad\t\\\0"\u2028\r.', '"', '\\', '\\N', 'null', '\0', '\t', '\ufeffhttp://a.example/'],
  ...['http://a.example/\u{1f600}\u{e000}\ufffd', 'https://u@www.Bbc.co.uk:8080/a/?b#c', 'http://a.github.io./'],
];

const next = random();
const LINES = [
  ...HOSTILE,
  ...Array.from({ length: 2000 }, () => mutated(SAMPLE_URLS[next(SAMPLE_URLS.length)]!, next)),
  ...HOSTILE,
].map((line) => line.toWellFormed().replaceAll('\n', '').replace(/\r+$/, ''));
const INPUT = `${LINES.join('\n')}\n`;

/** The flags and options of the forms that are tried, each on one thread or on two. */
const FORMS: readonly (readonly [flags: readonly string[], options: Options])[] = [
  [[], {}],
  [['--fold', 'www', '--sort-params', '-j', '2'], { fold: ['www'], sortParams: true }],
];

/** The fields of a row, by the library: null where there is none. */
function expectedOf(options: Options) {
  const hashes = new UrlHasher(options).hashMany(LINES);
  return LINES.map((url, row) => ({
    url,
    canonical: tryCanonicalize(url, options),
    hash: hashes.hex(row) ?? null,
    word: hashes.hex(row) === undefined ? null : hashes.words[4 * row]!,
    ...groupKeysOf(url, options),
  }));
}

function groupKeysOf(url: string, options: Options) {
  const isUrl = tryCanonicalize(url, options) !== null;
  const [surt, host, site] = [surtOf, hostOf, siteOf].map((of) => (isUrl ? of(url, options) : null));
  return { surt, host, site };
}

const ADDED = ['--add', 'surt,host,site'];

/** The rows that a query finds in what the command writes in a format: `FILE` stands for it. */
async function rowsOf(format: string, flags: readonly string[], query: string): Promise<Record<string, unknown>[]> {
  const { stdout, status } = urlsum(['--format', format, ...ADDED, ...flags], INPUT);
  assert.is(status, 1);
  const connection = await (await DuckDBInstance.create()).connect();
  const reader = await connection.runAndReadAll(query.replace('FILE', `'${file(`hostile.${format}`, stdout)}'`));
  connection.closeSync();
  return reader.getRowObjectsJS();
}

/** Compares row by row: the difference of 2,000 takes a minute to print. */
function same(found: readonly object[], expected: readonly { readonly url: string | null }[]): void {
  assert.is(found.length, expected.length);
  for (const [index, row] of expected.entries()) assert.equal(found[index], row, JSON.stringify(row.url));
}

/** Texts come as hex of their bytes: what makes a string of them in JavaScript takes a byte order mark away. */
function textOfHex(hex: unknown): string | null {
  return hex === null ? null : Buffer.from(String(hex), 'hex').toString();
}

const UNESCAPED: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', '\\': '\\' };

/** Reads a field as ClickHouse's TabSeparated and PostgreSQL's COPY do. */
function unescaped(field: string | null): string | null {
  if (field === null) return null;
  return field.replace(/\\(.)/gs, (_, letter: string) => UNESCAPED[letter] ?? `unknown escape \\${letter}`);
}

const NAMES = ['url', 'canonical', 'surt', 'host', 'site'];
const HEX_COLUMNS = NAMES.map((name) => `hex(encode(${name})) AS ${name}`).join(', ');

for (const [flags, options] of FORMS) {
  const expected = expectedOf(options);
  const profile = profileOf(options);

  tests(`tsv ${flags.join(' ')}`, async () => {
    const rows = await rowsOf(
      'tsv',
      flags,
      `SELECT ${HEX_COLUMNS}, hash, profile
      FROM read_csv(FILE, delim = '\t', quote = '', escape = '', new_line = '\\n', header = false, auto_detect = false,
        nullstr = 'none of them', columns = { url: 'VARCHAR', canonical: 'VARCHAR', hash: 'VARCHAR', profile: 'VARCHAR',
        surt: 'VARCHAR', host: 'VARCHAR', site: 'VARCHAR' })`,
    );
    const found = rows.map((row) => ({
      ...Object.fromEntries(NAMES.map((name) => [name, unescaped(textOfHex(row[name])) || null])),
      hash: row['hash'] || null,
      profile: row['profile'],
    }));
    const orNull = (text: string | null | undefined) => text || null; // tsv has no other empty text
    same(
      found,
      expected.map(({ url, canonical, surt, host, site, hash }) => ({
        ...{ url: orNull(url), canonical, surt: orNull(surt), host: orNull(host), site: orNull(site), hash, profile },
      })),
    );
  });

  tests(`ndjson ${flags.join(' ')}`, async () => {
    const rows = await rowsOf(
      'ndjson',
      flags,
      `SELECT ${HEX_COLUMNS}, hash, u64[1] AS word, profile, error
      FROM read_json(FILE, format = 'newline_delimited', columns = { url: 'VARCHAR', canonical: 'VARCHAR', hash: 'VARCHAR',
        u64: 'UBIGINT[]', profile: 'VARCHAR', error: 'VARCHAR', surt: 'VARCHAR', host: 'VARCHAR', site: 'VARCHAR' })`,
    );
    assert.ok(
      rows.every(({ profile: named, error, hash }) => named === profile && (error === null) === (hash !== null)),
    );
    same(
      rows.map(({ hash, word, ...row }) => ({
        ...Object.fromEntries(NAMES.map((name) => [name, textOfHex(row[name])])),
        ...{ hash, word },
      })),
      expected,
    );
  });
}

tests('without --add, which WebAssembly does not write, rows are the same but for its fields', () => {
  const linesOf = (...args: string[]) =>
    urlsum(['--format', ...args], INPUT)
      .stdout.toString()
      .split('\n')
      .slice(0, -1);
  const objects = linesOf('ndjson', ...ADDED).map((line) => JSON.parse(line) as Record<string, unknown>);
  const [tsv, ndjson] = [linesOf('tsv', ...ADDED), linesOf('ndjson')];
  assert.ok(linesOf('tsv').join() === tsv.map((line) => line.split('\t').slice(0, 4).join('\t')).join());
  for (const [row, { surt: _, host: _host, site: _site, ...rest }] of objects.entries())
    assert.is(ndjson[row], JSON.stringify(rest));
});

tests('tsv: what a text between NULs may hold is escaped, line feeds too', () => {
  const { stdout } = urlsum(['-z', '--format', 'tsv'], 'http://a/\n?\tb\0');
  assert.is(stdout.toString(), `http://a/\\n?\\tb\thttp://a/?b\t${UrlHash.of('http://a/?b').hex}\t${PROFILE}\0`);
});

tests('--add: records of JSON lines and of tables gain the same', () => {
  const urls = LINES.filter((line) => !/[\t\r\0"\\]/.test(line) && line.trim() !== '');
  const expected = urls.map((url) => groupKeysOf(url, {}));
  const recordsOf = (...args: readonly string[]) =>
    textOf(['--json', 'url', ...ADDED, ...args], urls.map((url) => `${JSON.stringify({ url })}\n`).join(''))
      .stdout.trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, string | null>);
  const keysIn = (record: Record<string, string | null>, name: string) => {
    const [surt, host, site] = ['surt', 'host', 'site'].map((key) => record[`${name}_${key}`] ?? null);
    return { surt, host, site };
  };
  const plain = recordsOf();
  assert.equal(
    plain.map((record) => keysIn(record, 'urlsum')),
    expected,
  );
  const named = recordsOf('--hash-name', 'key', '--canonical');
  assert.equal(
    named.map((record) => [keysIn(record, 'key'), record['key_canonical']]),
    urls.map((url, row) => [expected[row], tryCanonicalize(url)]),
  );
  const table = textOf(['--tsv', '-f', 'url', ...ADDED], `url\n${urls.join('\n')}\n`).stdout;
  const fields = ({ surt, host, site }: (typeof expected)[number]) => [surt ?? '', host ?? '', site ?? ''].join('\t');
  assert.equal(
    table
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t').slice(2).join('\t')),
    ['urlsum_surt\turlsum_host\turlsum_site', ...expected.map(fields)],
  );
});

tests('--add: what has no place for columns, and names that are none, are refused', () => {
  for (const [args, reason] of [
    [['--add', 'host'], /--add needs --format tsv or ndjson, or records/],
    [['--add', 'host', '--format', 'bin'], /--add needs/],
    [
      ['--add', 'hosts', '--format', 'tsv'],
      /--add must be some of host, site, surt, with commas between them, not 'hosts'/,
    ],
    [['--add', '', '--format', 'tsv'], /--add must be some of/],
  ] as const) {
    mustGive(textOf([...args], 'http://a/\n'), { status: 2, says: reason });
  }
});

tests.run();
