import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { parse, unparse } from 'papaparse';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { UrlHash, UrlHasher } from '../../src/index.ts';
import { SEED } from '../seed.ts';
import { urlsum } from './command.ts';
import { file } from './scratch.ts';

const tests = suite('urlsum --column');
const [A, B] = ['http://a/', 'http://b/'].map((url) => UrlHash.of(url).toHex()) as [string, string];

tests('CSV by name: the header is kept, records pass through, the hash behind them', () => {
  const input = 'id,url,note\n1,http://a/,"x, ""y""\nz"\n2,"http://b/",\r\n3,"no\nurl",ü';
  const { status, stdout, stderr } = urlsum(['--csv', '-f', 'url'], input);
  assert.is(
    stdout.toString(),
    `id,url,note,urlsum\n1,http://a/,"x, ""y""\nz",${A}\n2,"http://b/",,${B}\r\n3,"no\nurl",ü,\n`,
  );
  assert.is(status, 1);
  assert.match(stderr, /^urlsum: -:4: not a URL: "no\\nurl"/);
});

tests('TSV by number: no header, no quoting, the last column too', () => {
  const input = `1\t"x\thttp://a/\r\n\\t\ty\thttp://b/`;
  const { status, stdout } = urlsum(['--tsv', '--column', '3'], input);
  assert.is(stdout.toString(), `1\t"x\thttp://a/\t${A}\r\n\\t\ty\thttp://b/\t${B}\n`);
  assert.is(status, 0);
});

tests('the names of the files say which, packed or not; several files with the same header are one table', () => {
  const csv = file('a.csv', 'url,n\nhttp://a/,1\n');
  const packed = file('b.CSV.gz', gzipSync('url,n\nhttp://b/,2\n'));
  assert.is(urlsum(['-f', 'url', csv, packed]).stdout.toString(), `url,n,urlsum\nhttp://a/,1,${A}\nhttp://b/,2,${B}\n`);
  assert.is(urlsum(['-f', '1', file('c.tsv', 'http://a/\tx\n')]).stdout.toString(), `http://a/\tx\t${A}\n`);
  const other = urlsum(['-f', 'url', csv, file('d.csv', 'n,url\n1,http://b/\n')]);
  assert.is(other.status, 2);
  assert.match(other.stderr, /d\.csv: its header is not that of the first file/);
  assert.is(other.stdout.toString(), `url,n,urlsum\nhttp://a/,1,${A}\n`);
});

tests('formats, widths, --on-error and --dedup', () => {
  const input = 'u,v\nhttp://a/,1\nbad,2\nHTTP://A,3\n';
  const output = (...args: string[]) => urlsum(['--csv', '-f', 'u', ...args], input).stdout.toString();
  const word = UrlHash.of('http://a/').veryShort().toString();
  assert.is(output('--format', 'u64', '--width', '8'), `u,v,urlsum\nhttp://a/,1,${word}\nbad,2,\nHTTP://A,3,${word}\n`);
  assert.is(output('--on-error', 'skip', '--dedup'), `u,v,urlsum\nhttp://a/,1,${A}\n`);
  assert.is(output('--on-error', 'fail'), `u,v,urlsum\nhttp://a/,1,${A}\n`);
  assert.match(output('--on-error', 'keep'), /\nbad,2,[0-9a-f]{64}\n/);
});

tests('a record that does not fit costs its own row', () => {
  const { status, stdout, stderr } = urlsum(['--csv', '-f', 'url'], 'n,url\n1\n2,http://a/,x\n\n3,http://b/\n');
  assert.is(stdout.toString(), `n,url,urlsum\n1,\n2,http://a/,x,\n,\n3,http://b/,${B}\n`);
  assert.is(status, 1);
  assert.match(stderr, /-:2: not a record of this table: it has 1 columns, not 2\n/);
  assert.match(stderr, /-:3: not a record of this table: it has 3 columns, not 2\n/);
  assert.match(urlsum(['--tsv', '-f', '5'], 'a\tb\n').stderr, /not a record with a column 5: it has 2 columns/);
});

tests('wrong usage, a column there is not, a quotation mark left open', () => {
  for (const args of [
    ['-f', 'url'],
    ['--csv'],
    ['--csv', '--tsv', '-f', '1'],
    ['-z', '--csv', '-f', '1'],
    ['--csv', '-f', '1', '--format', 'tsv'],
  ]) {
    assert.is(urlsum(args, '').status, 2, args.join(' '));
  }
  const none = urlsum(['--csv', '-f', 'link'], 'id,url\n1,http://a/\n');
  assert.is(none.status, 2);
  assert.is(none.stderr, 'urlsum: -: it has no column "link" but "id", "url"\n');
  const open = urlsum(['--csv', '-f', '1'], `http://a/\n"${'x\n'.repeat(10 << 20)}`);
  assert.is(open.status, 2);
  assert.match(open.stderr, /-: a record is longer than 16 MiB/);
  assert.ok(open.stdout.toString().startsWith(`http://a/,${A}\n`));
});

tests('bytes that are not UTF-8 pass through', () => {
  const { stdout } = urlsum(['--csv', '-f', '1'], Buffer.from('http://a/\xff,"\xfe\n"\n', 'latin1'));
  assert.is(stdout.toString('latin1'), `http://a/\xff,"\xfe\n",${UrlHash.of('http://a/\ufffd').toHex()}\n`);
});

const field = fc.oneof(
  fc.constantFrom(
    'http://a/',
    'http://b/x,y',
    'http://c/"',
    'http://d/\ne',
    'http://ü/',
    '',
    'bad',
    '"',
    ',',
    '\r\n',
    'a"b',
  ),
  fc.string(),
);

tests('any table that papaparse writes comes back with a column more', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(field, field, field), { minLength: 1, maxLength: 30 }),
      fc.constantFrom('\n', '\r\n'),
      fc.boolean(),
      (rows, newline, quotes) => {
        const { stdout } = urlsum(['--csv', '-f', 'u'], unparse([['a', 'u', 'c'], ...rows], { newline, quotes }));
        const column = new UrlHasher().hashMany(rows.map(([, url]) => (url.isWellFormed() ? url : url.toWellFormed())));
        const { data } = parse<string[]>(stdout.toString().replace(/\r?\n$/, ''), { delimiter: ',', newline });
        assert.equal(data.length, rows.length + 1);
        for (const [row, [first, url, last]] of rows.entries())
          assert.equal(data[row + 1], [first, url, last, column.hex(row) ?? '']);
      },
    ),
    { numRuns: 25, seed: SEED },
  );
});

tests('a large table, in blocks that end anywhere in it', () => {
  const rows = Array.from({ length: 40_000 }, (_, row) => [
    `${row}`,
    `http://${row}.example/"${row}"\n,`,
    row % 3 === 0 ? 'a\nb' : 'plain',
  ]);
  const { stdout } = urlsum([
    '--format',
    'u64',
    '--width',
    '8',
    '-f',
    '2',
    file('large.csv', unparse(rows, { newline: '\n' })),
  ]);
  const column = new UrlHasher({ width: 8 }).hashMany(rows.map(([, url]) => url!));
  const { data } = parse<string[]>(stdout.toString().trimEnd(), { delimiter: ',', newline: '\n' });
  assert.is(data.length, rows.length);
  for (let row = 0; row < rows.length; row += 17) assert.equal(data[row], [...rows[row]!, String(column.words[row])]);
});

tests.run();
