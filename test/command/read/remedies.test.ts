import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasProgram, WITH_PROGRAMS } from '../../programs.ts';
import { FOLDER, file } from '../../scratch.ts';
import { textOf } from '../command.ts';

const tests = suite('the command that a message offers');

/** Two URLs that shells, XML and JSON each write in a way of their own, and one that is as the other without its case. */
const URLS = ['http://a.example/x y?b=1&c=2', 'http://b.example/it\'s"$HOME`\\?q=%22', 'HTTP://A.example/%7Eé'];
const CSV_OF_URLS = URLS.map((url) => ['k', url]);

/** A file in a folder and with a name that a shell must not see bare. */
function named(name: string, content: string | Uint8Array): string {
  return file(`it's $HOME ${name}`, content);
}

/** A run, as a user types it, that is refused with a command in its message. */
interface Refused {
  readonly name: string;
  readonly content: string | Uint8Array;
  readonly program: string | undefined;
  /** The options of the run on the file. */
  readonly options?: readonly string[];
  /** What the command says; the rest is the file and the options. */
  readonly command: string;
}

const SPACES = URLS.map((url) => url.replaceAll(' ', '%20')); // warcio replaces them, as no WARC may have them

function warc(): string {
  const record = (type: string, fields: readonly string[], body: string) =>
    [`WARC/1.0`, `WARC-Type: ${type}`, ...fields, 'WARC-Record-ID: <urn:uuid:1>', 'WARC-Date: 2026-01-02T00:00:00Z']
      .concat([`Content-Length: ${body.length}`, '', body, '', ''])
      .join('\r\n');
  const responses = SPACES.map((url) =>
    record('response', [`WARC-Target-URI: ${url}`, 'Content-Type: application/http'], 'HTTP/1.1 200 OK\r\n\r\nhi'),
  );
  return [record('warcinfo', ['Content-Type: application/warc-fields'], 'software: none\r\n'), ...responses].join('');
}

function arc(): string {
  const about = '1 0 InternetArchive\nURL IP-address Archive-date Content-type Archive-length\n';
  const document = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\nhi\n';
  const records = SPACES.map((url) => `${url} 192.0.2.1 20260102000000 text/html ${document.length}\n${document}\n`);
  return `filedesc://a.arc 0.0.0.0 20260102000000 text/plain ${about.length}\n${about}\n${records.join('')}`;
}

const HAR = {
  log: { version: '1.2', pages: [{ title: 'http://no.example/' }], entries: URLS.map((url) => ({ request: { url } })) },
};
const WAYBACK = [['urlkey', 'timestamp', 'original'], ...URLS.map((url) => ['com,a)/', '2026', url])];
const PACKED = { xz: ['-c'], bzip2: ['-c'], lz4: ['-c'], zstd: ['-c', '--ultra', '-19'] } as const;

function packedBy(program: keyof typeof PACKED): Buffer {
  return execFileSync(program, PACKED[program], { input: `${URLS.join('\n')}\n`, stdio: ['pipe', 'pipe', 'ignore'] });
}

function database(table: string, sql: string): Buffer {
  const path = `${FOLDER}/made.db`;
  const values = URLS.map((url) => `('${url.replaceAll("'", "''")}')`).join();
  execFileSync('sqlite3', [path, `${sql}; INSERT INTO ${table}(url) VALUES ${values}, (NULL)`]);
  const bytes = readFileSync(path);
  rmSync(path);
  return bytes;
}

function tarred(): Buffer {
  return execFileSync('tar', [
    '-cf',
    '-',
    '-C',
    FOLDER,
    file('in.txt', `${URLS.join('\n')}\n`)
      .split('/')
      .at(-1)!,
  ]);
}

const zipped = () => {
  const path = file('in.txt', `${URLS.join('\n')}\n`);
  execFileSync('python3', ['-m', 'zipfile', '-c', `${FOLDER}/in.zip`, path]);
  return readFileSync(`${FOLDER}/in.zip`);
};

function packedBy7z(): Buffer {
  execFileSync('7z', ['a', '-bd', `${FOLDER}/in.7z`, file('in.txt', `${URLS.join('\n')}\n`)], { stdio: 'ignore' });
  return readFileSync(`${FOLDER}/in.7z`);
}

const json = (value: unknown, indent?: number) => JSON.stringify(value, null, indent);
const of = (program: string | undefined, make: () => string | Uint8Array) =>
  program === undefined || hasProgram(program) ? make() : '';
const objects = URLS.map((url, id) => ({ id, url }));
const ESCAPED = URLS.map((url) => url.replaceAll('&', '&amp;').replaceAll('"', '&quot;'));

const REFUSED: readonly Refused[] = [
  {
    name: 'a.warc',
    content: warc(),
    program: 'warcio',
    command: "warcio index -f warc-target-uri FILE | grep -v '^{}$' | urlsum canon --json warc-target-uri",
  },
  {
    name: 'a.warc.gz',
    content: gzipSync(warc()),
    program: 'warcio',
    command: "gzip -dc FILE | warcio index -f warc-target-uri | grep -v '^{}$' | urlsum canon --json warc-target-uri",
  },
  {
    name: 'a.arc',
    content: arc(),
    program: 'warcio',
    command: "warcio index -f warc-target-uri FILE | grep -v '^{}$' | urlsum canon --json warc-target-uri",
  },
  {
    name: 'a.har',
    content: json(HAR, 2),
    program: 'jq',
    command: "jq -c '.log.entries[]' FILE | urlsum canon --json request.url",
  },
  {
    name: 'one-line.har',
    content: json(HAR),
    program: 'jq',
    command: "jq -c '.log.entries[]' FILE | urlsum canon --json request.url",
  },
  {
    name: 'a.har.gz',
    content: gzipSync(json(HAR)),
    program: 'jq',
    command: "gzip -dc FILE | jq -c '.log.entries[]' | urlsum canon --json request.url",
  },
  { name: 'array.json', content: json(objects), program: 'jq', command: "jq -c '.[]' FILE | urlsum canon --json url" },
  {
    name: 'array.json.gz',
    content: gzipSync(json(objects)),
    program: 'jq',
    command: "gzip -dc FILE | jq -c '.[]' | urlsum canon --json url",
  },
  {
    name: 'asked.json',
    content: json(objects),
    program: 'jq',
    options: ['--json', 'url'],
    command: "jq -c '.[]' FILE | urlsum canon --json url",
  },
  {
    name: 'deep.json',
    content: json([{ a: { 'b-c': URLS[0] } }, { a: { 'b-c': URLS[1] } }, { a: { 'b-c': URLS[2] } }], 1),
    program: 'jq',
    command: "jq -c '.[]' FILE | urlsum canon --json a.b-c",
  },
  {
    name: 'wrapped.json',
    content: json({ count: 3, 'the data': { items: objects } }, 2),
    program: 'jq',
    command: `jq -c '.["the data"].items[]' FILE | urlsum canon --json url`,
  },
  {
    name: 'lists.json',
    content: json([{ links: [URLS[0]] }, { links: URLS.slice(1) }]),
    program: 'jq',
    command: "jq -r '.[].links[]' FILE | urlsum canon",
  },
  { name: 'strings.json', content: json(URLS, 2), program: 'jq', command: "jq -r '.[]' FILE | urlsum canon" },
  {
    name: 'indented.json',
    content: objects.map((each) => json(each, 2)).join('\n'),
    program: 'jq',
    command: 'jq -c . FILE | urlsum canon --json url',
  },
  {
    name: 'wayback.json',
    content: `[${WAYBACK.map((row) => json(row)).join(',\n')}]`,
    program: 'jq',
    options: ['--cdx'],
    command: "jq -r '.[] | @csv' FILE | urlsum canon --csv -f original",
  },
  {
    name: 'rows.json',
    content: json(CSV_OF_URLS),
    program: 'jq',
    command: "jq -r '.[] | @csv' FILE | urlsum canon --csv -f 2",
  },
  {
    name: 'places.sqlite',
    content: of('sqlite3', () =>
      database(
        'moz_places',
        'CREATE TABLE other(link TEXT); CREATE TABLE moz_places(id INTEGER PRIMARY KEY, url LONGVARCHAR)',
      ),
    ),
    program: 'sqlite3',
    command: "sqlite3 FILE 'SELECT url FROM moz_places WHERE url IS NOT NULL' | urlsum canon",
  },
  {
    name: 'any.db',
    content: of('sqlite3', () => database('seen', 'CREATE TABLE seen(n INT, url TEXT)')),
    program: 'sqlite3',
    command: "sqlite3 FILE 'SELECT url FROM seen WHERE url IS NOT NULL' | urlsum canon",
  },
  { name: 'a.tar', content: of('tar', tarred), program: 'tar', command: 'tar -xOf - < FILE | urlsum canon' },
  {
    name: 'a.tar.gz',
    content: of('tar', () => gzipSync(tarred())),
    program: 'tar',
    command: 'gzip -dc FILE | tar -xOf - | urlsum canon',
  },
  { name: 'a.zip', content: of('python3', zipped), program: 'unzip', command: 'unzip -p FILE | urlsum canon' },
  { name: 'a.7z', content: of('7z', packedBy7z), program: '7z', command: '7z x -so FILE | urlsum canon' },
  ...(['xz', 'bzip2', 'lz4'] as const).map(
    (program): Refused => ({
      name: `a.${program}`,
      content: of(program, () => packedBy(program)),
      program,
      command: `${program} -dc FILE | urlsum canon`,
    }),
  ),
  {
    name: 'cr.txt',
    content: `http://z/\r${URLS.join('\r').replaceAll('"', '%22')}\r`,
    program: 'tr',
    command: "tr '\\r' '\\n' < FILE | urlsum canon",
  },
  {
    name: 'utf16.txt',
    content: Buffer.from(`${['http://z/', ...URLS].join('\n')}\n`, 'utf16le'),
    program: undefined,
    command: 'urlsum canon --encoding utf-16le FILE',
  },
  {
    name: 'page.html',
    content: `<!DOCTYPE html><p>${ESCAPED.map((url) => `<a href="${url}">x</a>`).join('')}`,
    program: undefined,
    command: 'urlsum canon --links FILE',
  },
  {
    name: 'sitemap.xml.gz',
    content: gzipSync(
      `<?xml version="1.0"?><urlset>${ESCAPED.map((url) => `<url><loc> ${url}\n</loc></url>`).join('\n')}</urlset>`,
    ),
    program: undefined,
    command: 'urlsum canon --links FILE',
  },
];

/** Forms of the URLs, as lines give them. */
const EXPECTED = textOf(['canon', '--exclude-fragment'], `${URLS.join('\n')}\n`)
  .stdout.trim()
  .split('\n');

/** In the place of urlsum: keeps what it is given, which the test then gives to urlsum in one process. */
const SHIM = '#!/bin/sh\nprintf "%s\\0" "$@" > "$KEPT.args"\ncat > "$KEPT.in"\n';

tests('is right for the file: with its name, the command and its options, and run by the program itself', () => {
  chmodSync(file('urlsum', SHIM), 0o755);
  const env = { ...WITH_PROGRAMS, PATH: `${FOLDER}:${WITH_PROGRAMS.PATH}`, KEPT: join(FOLDER, 'kept') };
  for (const { name, content, program, options = [], command } of REFUSED) {
    if (program !== undefined && !hasProgram(program)) continue;
    const path = named(name, content);
    const { status, stdout, stderr } = textOf(['canon', '--exclude-fragment', ...options, path]);
    assert.equal([status, stdout], [2, ''], name);
    const line = /; try: (.*)\n$/.exec(stderr)?.[1] ?? assert.unreachable(`${name}: ${stderr}`);
    const quoted = `'${path.replaceAll("'", "'\\''")}'`;
    assert.is(line, command.replace('FILE', quoted).replace('urlsum canon', 'urlsum canon --exclude-fragment'), name);
    execFileSync('sh', ['-c', line!], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    const args = readFileSync(`${env.KEPT}.args`, 'utf8').split('\0').slice(0, -1);
    const output = textOf(args, readFileSync(`${env.KEPT}.in`));
    assert.equal([output.status, output.stderr], [0, ''], name);
    const forms = output.stdout
      .split('\n')
      .filter((each) => each !== '' && !/^http:\/\/z\/|original|^\{\}$/.test(each));
    assert.equal(forms.map(canonicalIn), EXPECTED, name);
  }
});

/** Returns the canonical form that a line of `canon` adds to a record, or is. */
function canonicalIn(line: string): string {
  if (line.startsWith('{')) return (JSON.parse(line) as { urlsum_canonical: string }).urlsum_canonical;
  return line.startsWith('"')
    ? line
        .replace(/^.*,(?=[^,]*$)/, '')
        .replace(/^"(.*)"$/, '$1')
        .replaceAll('""', '"')
    : line;
}

tests('reads standard input where the run did', () => {
  const tryOf = (input: string | Uint8Array, ...args: readonly string[]) =>
    /; try: (.*)\n$/.exec(textOf(args, input).stderr)?.[1];
  assert.is(tryOf(json(objects), '--quiet', '-'), "jq -c '.[]' | urlsum --quiet --json url");
  assert.is(tryOf(gzipSync(json(objects))), "gzip -dc | jq -c '.[]' | urlsum --json url");
  assert.is(
    tryOf('<html>', '-z', '--width=8', '--drop-param', 'a b'),
    'urlsum -z --width=8 --drop-param "a b" --links',
  );
  assert.is(tryOf(tarred()), 'tar -xOf - | urlsum');
  assert.is(
    tryOf(warc(), 'list', 'build', '-o', `${FOLDER}/x.list`),
    `warcio index -f warc-target-uri | grep -v '^{}$' | urlsum list build -o ${FOLDER}/x.list --json warc-target-uri`,
  );
});

tests('is not offered where it would not be right', () => {
  for (const [content, sentence] of [
    ['[{"a":1},\n{"a":2}]', 'it is a JSON array, not one object per line'],
    ['{\n "a": "b"\n}', 'it is JSON over several lines, not one object per line'],
    [
      Buffer.from(`SQLite format 3\0${'\0'.repeat(100)}CREATE TABLE a(b)`),
      'it is an SQLite database, not lines of text',
    ],
    [gzipSync('SQLite format 3\0CREATE TABLE a(url TEXT)'), 'it is an SQLite database, not lines of text'],
    [Buffer.from('PAR1\x15\0', 'latin1'), 'it is Parquet, not lines of text; -f NAME reads the column of that name'],
  ] as const)
    assert.is(textOf([], content).stderr, `urlsum: -: ${sentence}\n`);
});

tests.run();
