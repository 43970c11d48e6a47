// Every door through which a URL is looked up answers as the table of docs/safe-browsing-lists.md says.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { COMMANDS } from '../src/command/commands/commands.ts';
import { READER_FLAGS } from '../src/command/commands/line-flags.ts';
import { FULL_FORM } from '../src/core/url/options.ts';
import { SafeBrowsingChecker } from '../src/entries/safe-browsing/check.ts';
import { HashList } from '../src/entries/safe-browsing/lists.ts';
import { type ExpressionColumn, ExpressionHasher, hashes } from '../src/entries/safe-browsing.ts';
import { tableFunctions, URL_PREFIX } from '../src/tables/functions.ts';
import { register } from '../src/tables/register.ts';
import { urlsum } from './command/command.ts';
import { parquet } from './command/parquet.ts';
import { MALWARE } from './service/check/scripted-server.ts';
import { LookUps } from './service/http/look-ups.ts';
import { ListProcess } from './service/http/served-lists.ts';

const tests = suite('look-ups: every door');

type Answer = 'listed' | 'not listed' | 'not looked up';
type Door = (text: string) => Promise<Answer> | Answer;

const LISTED = ['evil.example/', 'worse.example/a"b"%20c'];

/** Rows of the table: a text, and the answer where it is a line, a value, or a URL of a request. */
const ROWS = tableIn(readFileSync('docs/safe-browsing-lists.md', 'utf8'));

function tableIn(document: string): { text: string; line: string; value: string; request: string }[] {
  const [, table = ''] = /\n\| text +\| [^\n]*\n\|[-| ]+\n((?:\|.*\n)+)/.exec(document) ?? [];
  return table
    .trimEnd()
    .split('\n')
    .map((row) => {
      const [, quoted = '', line = '', value = '', request = ''] = row.split('|').map((cell) => cell.trim());
      return { text: quoted.slice(1, -1).replaceAll('\\t', '\t'), line, value, request };
    });
}

let folder: string;
let path: string;
let list: HashList;
let lists: ListProcess;
let server: LookUps;
let held: string[];

tests.before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'urlsum-doors-'));
  path = join(folder, 'bad.list');
  list = HashList.from(Buffer.concat(LISTED.map((each) => hashes(each)[0]!)), 32);
  writeFileSync(path, list.toBytes());
  lists = await ListProcess.start({ 'mw-4b': LISTED });
  held = ['--store', join(folder, 'store'), '--server', lists.url, '--list', 'mw-4b'];
  assert.is(urlsum(['safe-browsing', 'update', ...held]).status, 0);
  server = new LookUps();
  for (const each of LISTED) server.list(each, [MALWARE]);
  await server.start();
});
tests.after(async () => {
  await Promise.all([lists.stop(), server.stop()]);
  rmSync(folder, { recursive: true });
});

/** The exit status of `lookup` and `safe-browsing check`. */
const BY_STATUS: readonly Answer[] = ['not listed', 'listed', 'not looked up'];

function run(args: readonly string[], input: string | Uint8Array = ''): Answer {
  const { status, stderr } = urlsum(args, input);
  assert.ok(status !== 2 || /up: |unsure: no-host/.test(stderr), stderr);
  return BY_STATUS[status!]!;
}

const lookup = (args: readonly string[], input?: string | Uint8Array) =>
  run(['lookup', '--list', path, ...args], input);
const check = (args: readonly string[], input: string) =>
  run(['safe-browsing', 'check', '--when-unsure', 'block', ...held, ...args], input);

const csvOf = (text: string) => `url\n"${text.replaceAll('"', '""')}"\n`;
const jsonOf = (url: string) => `${JSON.stringify({ url })}\n`;
const attributeOf = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
const bytesOf = (text: string) => new TextEncoder().encode(text);

function inColumn(column: ExpressionColumn): Answer {
  const [isListed, ...others] = [list.matches(column), list.prefixSets[0]!.matches(column)].map(
    (rows) => rows.length > 0,
  );
  assert.equal(others, [isListed]);
  const isRefused = column.invalid.length + column.doubtful.length > 0;
  assert.is(isRefused, (column.errorAt(0) ?? column.doubtAt(0)) !== undefined);
  return isListed ? 'listed' : isRefused ? 'not looked up' : 'not listed';
}

async function ofAnswer(checker: SafeBrowsingChecker, text: string): Promise<Answer> {
  const answers = [await checker.check(text), ...(await checker.checkMany([text, bytesOf(text)]))];
  const [{ verdict, reason }] = answers as [(typeof answers)[0]];
  for (const each of answers) assert.is(each.verdict, verdict);
  if (verdict === 'unsure') assert.is(reason, 'unsure: no-host');
  return { safe: 'not listed', unsafe: 'listed', unsure: 'not looked up' }[verdict] as Answer;
}

function ofRow([entry, reason]: readonly unknown[]): Answer {
  assert.not(entry !== null && reason !== null);
  return entry !== null ? 'listed' : reason !== null ? 'not looked up' : 'not listed';
}

const QUERY = (file: string, text: string) => `url_on_list(${text}, '${file}'), url_reason(${text}, '${file}')`;

const LINE_DOORS: Readonly<Record<string, Door>> = {
  lookup: (text) => lookup([], `${text}\n`),
  'lookup, by JavaScript': (text) => lookup(['--kernel', 'js'], `${text}\n`),
  'safe-browsing check': (text) => check([], `${text}\n`),
};

const isPlain = (text: string) => /^http:\/\/[!#-~]+$/.test(text);
const logLineOf = (text: string) =>
  isPlain(text) ? `192.0.2.1 - - [24/Nov/2026:02:01:00 +0000] "GET ${text} HTTP/1.1" 200 5\n` : undefined;

/** How a value is written where an input of each kind has it; undefined where none can have it. */
const WRITTEN: Readonly<Record<string, (text: string) => string | undefined>> = {
  csv: csvOf,
  tsv: (text) => (text.includes('\t') ? undefined : `url\n${text}\n`),
  delimiter: (text) => `url\x1fn\n${text}\x1f1\n`,
  json: jsonOf,
  cdx: (text) => `example,a)/ 20260102030405 ${JSON.stringify({ url: text })}\n`,
  log: logLineOf,
  logFormat: logLineOf,
  links: (text) => (/^http:[^\t]*$/.test(text) ? `<html><a href="${attributeOf(text)}">x</a></html>` : undefined),
};

const FLAGS: Readonly<Record<string, readonly string[]>> = {
  csv: ['--csv', '-f', 'url'],
  tsv: ['--tsv', '-f', 'url'],
  delimiter: ['--delimiter', '\x1f', '-f', 'url'],
  json: ['--json', 'url'],
  logFormat: ['--log-format', '%h %l %u %t "%r" %>s %b'],
};

const VALUE_DOORS: Readonly<Record<string, Door>> = {
  'lookup of Parquet': (text) => {
    const cells = join(folder, 'cells.parquet');
    writeFileSync(cells, parquet([{ name: 'url', data: [text] }]));
    return lookup(['-f', 'url', cells]);
  },
  'lookup --explain': (text) => lookup(['--explain', text]),
  'safe-browsing check --json': (text) => check(['--json', 'url'], jsonOf(text)),
  'safe-browsing check --csv': (text) => check(['--csv', '-f', 'url'], csvOf(text)),
  SafeBrowsingChecker: (text) => ofAnswer(server.checker, text),
};

/** Functions that look all values up in one query. */
const SQL_DOORS: Readonly<Record<string, (texts: readonly string[]) => Promise<Answer[]> | Answer[]>> = {
  'urlsum sql': (texts) => {
    const values = texts.map((text, id) => `(${id}, '${text.replaceAll("'", "''")}')`).join(', ');
    const query = `SELECT ${QUERY(path, 'url')} FROM (VALUES ${values}) AS t(id, url) ORDER BY id`;
    const lines = urlsum(['sql', '--format', 'ndjson', query]).stdout.toString().trimEnd().split('\n');
    return lines.map((line) => ofRow(Object.values(JSON.parse(line) as object)));
  },
  'url_on_list, url_reason': async (texts) => {
    const connection = await (await DuckDBInstance.create()).connect();
    await register(connection);
    const answersOf = (value: string) =>
      Promise.all(
        texts.map(async (text) => {
          const result = await connection.run(`SELECT ${QUERY(path, value)}`, [text]);
          return ofRow((await result.getRowsJS())[0]!);
        }),
      );
    const answers = await answersOf('$1::VARCHAR');
    assert.equal(await answersOf('encode($1::VARCHAR)'), answers, 'of BLOB');
    assert.equal((await (await connection.run(`SELECT ${QUERY(path, 'NULL')}`)).getRowsJS())[0], [null, null]);
    return answers;
  },
};

/** The doors that are methods of `ExpressionHasher`, and where their rows come from. */
const HASHER_DOORS: Readonly<Record<string, { source: 'line' | 'value'; door: Door }>> = {
  hashLines: { source: 'line', door: (text) => inColumn(new ExpressionHasher().hashLines(bytesOf(`${text}\n`))) },
  hashMany: {
    source: 'value',
    door: (text) => {
      const answer = inColumn(new ExpressionHasher().hashMany([text]));
      assert.is(inColumn(new ExpressionHasher({ kernel: 'js' }).hashMany([bytesOf(text)])), answer);
      return answer;
    },
  },
  hashRows: {
    source: 'value',
    door: (text) => inColumn(new ExpressionHasher().hashRows(bytesOf(text), Uint32Array.of(0, bytesOf(text).length))),
  },
};

const REQUEST_DOORS: Readonly<Record<string, (text: string) => Promise<Answer>>> = {
  'v5/urls:search': async (text) => {
    const { status, json } = await server.v5([text]);
    if (status === 400) return refused(json);
    return json.threats === undefined ? 'not listed' : 'listed';
  },
  'v4/threatMatches:find': async (text) => {
    const { status, json } = await server.v4([text]);
    if (status === 400) return refused(json);
    return json.matches === undefined ? 'not listed' : 'listed';
  },
};

// biome-ignore lint/suspicious/noExplicitAny: an error of a server
function refused({ error }: any): Answer {
  assert.is(error.status, 'INVALID_ARGUMENT');
  assert.match(error.message, /no host that could be looked up/);
  return 'not looked up';
}

tests('the table has the texts that pass for clean elsewhere', () => {
  assert.ok(ROWS.length >= 18, `${ROWS.length} rows`);
  for (const { text, line, value, request } of ROWS) {
    for (const answer of [line, value, request]) assert.ok(BY_STATUS.includes(answer as Answer), `${text}: ${answer}`);
    assert.is(request, value, text);
    // what names a listed host is clean nowhere, but in the path of another URL
    if (/evil|worse/.test(text) && !text.startsWith('http://good.example/'))
      assert.not([line, value].includes('not listed'));
  }
});

tests('no door is missing', async () => {
  assert.equal([...READER_FLAGS].sort(), Object.keys(WRITTEN).sort(), 'kinds of inputs');
  const own = async (flag: string) => {
    const found: string[] = [];
    for (const { name, load } of COMMANDS) if (flag in (await load()).flags) found.push(name);
    return found;
  };
  assert.equal(await own('spaces'), ['lookup', 'safe-browsing check'], 'commands that look lines up');
  assert.equal(
    [...(await own('list')), ...(await own('own'))],
    ['lookup', 'safe-browsing update', 'safe-browsing check', 'safe-browsing serve', 'safe-browsing serve'],
    'commands that take lists',
  );
  const files = tableFunctions({ prefix: URL_PREFIX, width: 32, form: FULL_FORM }).filter(({ takesFile }) => takesFile);
  assert.equal(
    files.map(({ name }) => name),
    ['url_in_index', 'url_on_list', 'url_reason'],
  );
  const methodsOf = (type: { prototype: object }, start: string) =>
    Object.getOwnPropertyNames(type.prototype).filter((name) => name.startsWith(start));
  assert.equal(methodsOf(ExpressionHasher, 'hash').sort(), Object.keys(HASHER_DOORS).sort());
  assert.equal(methodsOf(SafeBrowsingChecker, 'check'), ['check', 'checkMany']);
});

for (const [name, door] of Object.entries(LINE_DOORS))
  tests(`a line: ${name}`, async () => {
    for (const { text, line } of ROWS) assert.is(await door(text), line, text);
  });

for (const kind of READER_FLAGS)
  tests(`a value: lookup --${kind}`, () => {
    for (const { text, value } of ROWS) {
      const input = WRITTEN[kind]!(text);
      if (input !== undefined) assert.is(lookup(FLAGS[kind] ?? [`--${kind}`], input), value, text);
    }
  });

for (const [name, door] of Object.entries(VALUE_DOORS))
  tests(`a value: ${name}`, async () => {
    for (const { text, value } of ROWS) assert.is(await door(text), value, text);
  });

for (const [name, answersTo] of Object.entries(SQL_DOORS))
  tests(`a value: ${name}`, async () => {
    const answers = await answersTo(ROWS.map(({ text }) => text));
    for (const [at, { text, value }] of ROWS.entries()) assert.is(answers[at], value, text);
  });

for (const [name, { source, door }] of Object.entries(HASHER_DOORS))
  tests(`a ${source}: ExpressionHasher.${name}`, async () => {
    for (const { text, line, value } of ROWS) {
      // the hashes of a line that is more than a URL are in the column all the same
      const expected = source === 'value' || value === 'listed' ? value : line;
      assert.is(await door(text), expected, text);
    }
  });

for (const [name, door] of Object.entries(REQUEST_DOORS))
  tests(`a request: ${name}`, async () => {
    for (const { text, request } of ROWS) assert.is(await door(text), request, text);
  });

tests.run();
