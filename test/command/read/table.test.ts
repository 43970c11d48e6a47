import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { parse, unparse } from 'papaparse';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { UrlHash, UrlHasher } from '../../../src/index.ts';
import { file } from '../../support/scratch.ts';
import { cases, SEED } from '../../support/seed.ts';
import { mustGive, spawned, urlsum } from '../command.ts';

const tests = suite('urlsum --column');
const [A, B] = ['http://a/', 'http://b/'].map((url) => UrlHash.of(url).hex) as [string, string];

tests('CSV by name: the header is kept, records pass through, with the hash at the end', () => {
  const input = 'id,url,note\n1,http://a/,"x, ""y""\nz"\n2,"http://b/",\r\n3,"no\nurl",ü';
  mustGive(urlsum(['--csv', '-f', 'url'], input), {
    status: 1,
    stdout: `id,url,note,urlsum\n1,http://a/,"x, ""y""\nz",${A}\n2,"http://b/",,${B}\r\n3,"no\nurl",ü,\n`,
    says: /^urlsum: -:4: not a URL: "no\\nurl"/,
  });
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
  assert.match(other.stderr, /d\.csv: its header differs from that of the first file/);
  assert.is(other.stdout.toString(), `url,n,urlsum\nhttp://a/,1,${A}\n`);
});

tests('a record that does not fit costs its own row', () => {
  const { status, stdout, stderr } = urlsum(['--csv', '-f', 'url'], 'n,url\n1\n2,http://a/,x\n\n3,http://b/\n');
  assert.is(stdout.toString(), `n,url,urlsum\n1,\n2,http://a/,x,\n,\n3,http://b/,${B}\n`);
  assert.is(status, 1);
  assert.match(stderr, /-:2: not a record of this table: it has 1 column, not 2 \(malformed-record\)\n/);
  assert.match(stderr, /-:3: not a record of this table: it has 3 columns, not 2 \(malformed-record\)\n/);
});

tests('an input without the column: one error, and the next is read', () => {
  const without = file('without.csv', 'id,link\n1,http://a/\n');
  const having = file('having.csv', 'url,n\nhttp://b/,1\n');
  const { status, stdout, stderr } = urlsum(['-f', 'url', without, having]);
  assert.is(status, 2);
  assert.is(stdout.toString(), `url,n,urlsum\nhttp://b/,1,${B}\n`);
  assert.is(stderr, `urlsum: ${without}: it has no column "url" but "id", "link"\n`);
  for (const [table, delimiter] of [
    ['--csv', ','],
    ['--tsv', '\t'],
  ] as const) {
    const narrow = file('narrow', `a${delimiter}b${delimiter}c\n`.repeat(1000));
    const wide = file('wide', `${delimiter.repeat(8)}http://a/\n`.repeat(2));
    const numbered = urlsum([table, '-f', '9', narrow, wide]);
    assert.is(numbered.status, 2);
    assert.is(numbered.stdout.toString(), `${delimiter.repeat(8)}http://a/${delimiter}${A}\n`.repeat(2));
    assert.is(numbered.stderr, `urlsum: ${narrow}: it has no column 9: its first record has 3 columns\n`);
  }
});

tests("--delimiter ' ': spaces in a row separate two fields, and records may have any number", () => {
  const log = '  1.2   10.0.0.7 GET http://a/ x\n3 10.0.0.8 http://b/ \r\nGET http://a/ http://b/ - "a b c"\n\n1 2\n';
  const { stdout, stderr, status } = urlsum(['--delimiter', ' ', '-f', '3'], log);
  const invalid = 'not a URL: "GET": it has no scheme, and there is no base URL (missing-scheme-non-relative-URL)';
  assert.is(
    stdout.toString(),
    `  1.2   10.0.0.7 GET http://a/ x \n3 10.0.0.8 http://b/  ${B}\r\nGET http://a/ http://b/ - "a b c" ${B}\n \n1 2 \n`,
  );
  assert.equal(stderr.split('\n').slice(0, -1), [
    `urlsum: -:1: ${invalid}`,
    'urlsum: -:4: not a record with a column 3: it has 0 columns (malformed-record)',
    'urlsum: -:5: not a record with a column 3: it has 2 columns (malformed-record)',
  ]);
  assert.is(status, 1);
  const named = urlsum(['--delimiter', ' ', '-f', 'url'], 'n  url more\n1 http://b/\n');
  assert.is(named.stdout.toString(), `n  url more urlsum\n1 http://b/ ${B}\n`);
});

tests('a field of 14 MB that is malformed costs its length in memory', () => {
  const peakOf = (field: string) => {
    const { status, stderr } = spawned(
      ['--csv', '-f', '1', '--stats=json', '--format', 'hex'],
      `http://a/\n${field}\nhttp://b/\n`,
    );
    const { lines, peakMemoryBytes } = JSON.parse(stderr.trimEnd().split('\n').at(-1)!) as Record<string, number>;
    assert.equal([status, lines], [1, 3]);
    return peakMemoryBytes!;
  };
  for (const [start, unit] of [
    ['"x"', 'y'],
    ['"', '""'],
  ] as const) {
    const peak = peakOf(start + unit.repeat(14e6 / unit.length));
    assert.ok(peak < 400e6, `${peak} bytes`);
  }
});

tests('a byte order mark before a quoted header', () => {
  const { stdout, status } = urlsum(['--csv', '-f', 'u\nrl'], '\ufeff"u\nrl",n\nhttp://a/,1\n');
  assert.is(stdout.toString(), `"u\nrl",n,urlsum\nhttp://a/,1,${A}\n`);
  assert.is(status, 0);
});

tests('wrong usage, a column that does not exist, a quotation mark left open', () => {
  for (const args of [
    ['-f', 'url'],
    ['--csv', '--tsv', '-f', '1'],
    ['-z', '--csv', '-f', '1'],
    ['--csv', '-f', '1', '--format', 'tsv'],
  ]) {
    assert.is(urlsum(args, '').status, 2, args.join(' '));
  }
  assert.match(urlsum(['--csv', 'url']).stderr, /^urlsum: --csv needs --column, such as -f url\n/);
  const none = urlsum(['--csv', '-f', 'link'], 'id,url\n1,http://a/\n');
  assert.is(none.status, 2);
  assert.is(none.stderr, 'urlsum: -: it has no column "link" but "id", "url"\n');
  const header = urlsum(['--csv', '-f', 'link'], '"link"s,url\n1,http://a/\n');
  assert.is(header.stderr, 'urlsum: -: its header is not a record: text follows a closing quotation mark\n');
});

tests('a quotation mark left open for more than 16 MiB costs its line', () => {
  const url = `http://a/${'x'.repeat(1 << 14)}`;
  const input = `"${url}\n`.concat(`${url}\n`.repeat(1100), '"no","end\n', `${url}\n`);
  const { status, stdout, stderr } = urlsum(['--csv', '-f', '1', '--format', 'hex', '--width', '8'], input);
  assert.is(status, 1);
  const hashes = stdout
    .toString()
    .split('\n')
    .map((line) => line.slice(line.lastIndexOf(',') + 1));
  assert.equal(hashes, [
    '',
    ...Array(1100).fill(UrlHash.of(url).veryShort().hex),
    '',
    UrlHash.of(url).veryShort().hex,
    '',
  ]);
  assert.equal(
    stderr.split('\n').map((line) => line.replace(/^urlsum: -:/, '')),
    ['1', '1102'].map((row) => `${row}: not a record: a quotation mark is left open (malformed-record)`).concat(''),
  );
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
    { numRuns: cases(100), seed: SEED },
  );
});

tests('a first record that is passed over does not say how many columns there are', () => {
  const { status, stdout } = urlsum(['--tsv', '-f', '2', '--skip-blank', '--width', '8'], '\nx\thttp://a/\n');
  assert.is(stdout.toString(), `x\thttp://a/\t${A.slice(0, 16)}\n`);
  assert.is(status, 0);
});

tests('--csv with another separator: quotes as in CSV, in the input and in what is added', () => {
  const input = 'a;url\r\n"x;\n""y""";"http://a/"\r\n1,5;http://b/\r\n';
  assert.is(
    urlsum(['--csv', '--delimiter', ';', '-f', 'url'], input).stdout.toString(),
    `a;url;urlsum\r\n"x;\n""y""";"http://a/";${A}\r\n1,5;http://b/;${B}\r\n`,
  );
  const canonical = urlsum(['canon', '--csv', '--delimiter', ';', '-f', '1'], '"http://a/?a;b"\n');
  assert.is(canonical.stdout.toString(), '"http://a/?a;b";"http://a/?a;b"\n');
  assert.match(urlsum(['--tsv', '--delimiter', ';', '-f', '1'], '').stderr, /--tsv and --delimiter cannot be combined/);
});

tests('sep=; names the separator of a CSV, unless an option does', () => {
  const input = 'sep=;\r\nid;url\r\n1;"http://a/"\r\n2;http://b/\r\n';
  const expected = `id;url;urlsum\r\n1;"http://a/";${A}\r\n2;http://b/;${B}\r\n`;
  for (const threads of ['1', '2'])
    assert.is(urlsum(['--csv', '-f', 'url', '-j', threads], input).stdout.toString(), expected);
  const numbered = urlsum(['--csv', '-f', '2', '--stats=json'], input.replace('id;url\r\n', ''));
  assert.is(numbered.stdout.toString(), expected.replace('id;url;urlsum\r\n', ''));
  assert.is((JSON.parse(numbered.stderr) as Record<string, unknown>)['comments'], 1);
  assert.is(outputOf(['--csv', '--delimiter', ';', '-f', 'url'], input), expected);
  const other = urlsum(['--csv', '--delimiter', ',', '-f', 'url'], input);
  assert.equal([other.status, other.stderr], [2, 'urlsum: -: it has no column "url" but "sep=;"\n']);
  const ofFirst = outputOf(['--csv', '--delimiter', ',', '-f', '1'], 'sep=;\nhttp://a/\n');
  assert.is(ofFirst, `sep=;,\nhttp://a/,${A}\n`);
  const many = `sep=|\nurl|n\n${'http://a/|1\n'.repeat(200_000)}`;
  const all = `url|n|urlsum\n${`http://a/|1|${A}\n`.repeat(200_000)}`;
  assert.ok(urlsum(['--csv', '-f', 'url', '-j', '2'], many).stdout.toString() === all);
});

tests('lines whose first looks like the header of a table are refused', () => {
  for (const input of [
    'id,url,note\n1,http://a/,x\n',
    '"Page URL";"n"\r\n"http://a/";1\r\n',
    'page_title\tlink\nx\thttp://a/\n',
  ]) {
    const { status, stdout, stderr } = urlsum(['canon', '--exclude-fragment'], input);
    assert.equal([status, stdout.length], [2, 0]);
    assert.match(stderr, /^urlsum: -: it is a table; --csv, --tsv or .* reads a column \(docs\/bulk\.md#tables\)\n$/);
  }
  for (const input of ['url\nhttp://a/\n', 'http://a/?url,x\nhttp://a/,b\n', 'id,url\nx,y\n', 'url,http://a/\n'])
    assert.not.match(urlsum([], input).stderr, /is a table/, input);
});

const W3C = '#Version: 1.0\n#Fields: date cs-uri n\n';

function outputOf(args: readonly string[], input: string): string {
  return urlsum(args, input).stdout.toString();
}

tests('comments and directives are left out, before rows and between them; #Fields and #fields are headers', () => {
  const zeek =
    '#separator \\x09\n#fields\tts\turi\n#types\ttime\tstring\n1\thttp://a/\n#close\t2026\tx\n2\thttp://b/\n';
  const rows = `1\thttp://a/\t${A}\n2\thttp://b/\t${B}\n`;
  const all = ['--comment', '#'];
  assert.is(outputOf(['--tsv', '-f', 'uri', ...all], zeek), `#fields\tts\turi\turlsum\n${rows}`);
  assert.is(outputOf(['--tsv', '-f', '2', ...all], zeek), rows);
  const cloudFront = `${W3C}1\thttp://a/\t2\n${W3C}1\thttp://b/\t2\n`;
  const found = `1\thttp://a/\t2\t${A}\n1\thttp://b/\t2\t${B}\n`;
  assert.is(outputOf(['--tsv', '-f', 'cs-uri', ...all], cloudFront), `#Fields: date cs-uri n\turlsum\n${found}`);
  assert.is(outputOf(['--tsv', '-f', '2', ...all], cloudFront), found);
  const iis = `${W3C}1 http://a/ 2\n#Date: x\n`;
  const named = `#Fields: date cs-uri n urlsum\n1 http://a/ 2 ${A}\n`;
  assert.is(outputOf(['--delimiter', ' ', '-f', 'cs-uri', ...all], iis), named);
  assert.is(outputOf(['--delimiter', ' ', '-f', '2', ...all], iis), `1 http://a/ 2 ${A}\n`);
  const exported = '# Exported by x, 2026, y\n# y\nid,url\n1,"http://a/\n#"\n#\n#2,http://b/\n';
  const kept = urlsum(['--csv', '-f', 'url', '--stats=json'], exported);
  const fragment = UrlHash.of('http://a/#').hex;
  assert.is(kept.stdout.toString(), `id,url,urlsum\n1,"http://a/\n#",${fragment}\n#2,http://b/,${B}\n`);
  assert.equal([kept.status, (JSON.parse(kept.stderr) as Record<string, unknown>)['comments']], [0, 3]);
  const first = '#1,http://a/\n# x\n2,http://b/\n';
  assert.is(outputOf(['--csv', '-f', '2'], first), `#1,http://a/,${A}\n2,http://b/,${B}\n`);
  const commented = '# x\n# id,url\n1,http://a/\n';
  assert.is(outputOf(['--csv', '-f', 'url'], commented), `# id,url,urlsum\n1,http://a/,${A}\n`);
});

tests('without quoting, lines after the header that begin with # are rows, unless --comment says otherwise', () => {
  for (const [table, separator] of [
    [['--tsv'], '\t'],
    [['--delimiter', ' '], ' '],
    [['--delimiter', ','], ','],
  ] as const) {
    const line = (...fields: string[]) => `${fields.join(separator)}\n`;
    const rows = line('1', 'http://a/') + line('#2', 'http://b/');
    const hashed = line('1', 'http://a/', A) + line('#2', 'http://b/', B);
    const named = [...table, '-f', 'url'];
    const header = line('id', 'url');
    for (const preamble of ['', '# x\n', '#\n\n', line('# a', 'b')])
      assert.is(outputOf(named, preamble + header + rows), line('id', 'url', 'urlsum') + hashed, preamble);
    assert.is(outputOf([...table, '-f', '2'], `#\n${rows}`), hashed);
    const comment = urlsum([...named, '--stats=json'], `${header}# a b${separator}c${separator}d\n${rows}`);
    const bad = table[1] === ' ' ? 'not a URL: "a"' : 'not a record of this table: it has 3 columns, not 2';
    assert.match(comment.stderr, `urlsum: -:2: ${bad}`);
    assert.is(comment.status, 1);
    const asked = urlsum([...named, '--comment', '#', '--stats=json'], `${header}#${separator}b${separator}c\n${rows}`);
    assert.equal(
      [asked.status, (JSON.parse(asked.stderr) as Record<string, unknown>)['comments']],
      [0, table[1] === ' ' ? 2 : 1],
    );
  }
  const injected = `id\turl\n#x http://evil.example/\n#\thttp://evil.example/\n`;
  const evil = UrlHash.of('http://evil.example/').hex;
  const { status, stdout } = urlsum(['--tsv', '-f', 'url'], injected);
  assert.equal([status, stdout.toString().split('\n')[2]], [1, `#\thttp://evil.example/\t${evil}`]);
});

tests('a preamble may end in blank lines, as exports of Google Analytics have it', () => {
  const ga4 = '# ----\n# Pages and screens\n# Account: x, y\n#\n\nPage location,Views\nhttp://a/,2\nhttp://b/,1\n';
  for (const [args, text] of [
    [['--csv'], ga4],
    [['--csv'], ga4.replace('#\n\n', '\r\n \n')],
    [['--tsv'], ga4.replace(/,(?=[V\d])/g, '\t')],
  ] as const) {
    const separator = args[0] === '--csv' ? ',' : '\t';
    const { status, stdout, stderr } = urlsum([...args, '-f', 'Page location', '--stats=json'], text);
    const rows = [
      ['http://a/', '2', A],
      ['http://b/', '1', B],
    ]
      .map((row) => `${row.join(separator)}\n`)
      .join('');
    assert.is(stdout.toString(), `${['Page location', 'Views', 'urlsum'].join(separator)}\n${rows}`);
    assert.equal([status, (JSON.parse(stderr) as Record<string, unknown>)['lines']], [0, 2]);
    assert.is(outputOf([...args, '-f', '1'], text.replace(/# Account.*\n|Page location.*\n/g, '')), rows);
  }
});

tests('a space before a quotation mark is refused with the reason: readers do not agree on what it means', () => {
  const header = urlsum(['--csv', '-f', 'url'], 'id, "url"\n1, "http://a/"\n');
  assert.is(header.status, 2);
  assert.is(header.stderr, 'urlsum: -: its header is not a record: a space comes before an opening quotation mark\n');
  const rows = urlsum(['--csv', '-f', '2'], '1,http://a/\n2, "http://b/"\n3, http://b/\n4," ""http://b/"\n');
  assert.is(rows.status, 1);
  assert.is(rows.stdout.toString().split('\n')[2], `3, http://b/,${B}`);
  const reason = 'not a record: a space comes before an opening quotation mark (malformed-record)';
  assert.ok(rows.stderr.startsWith(`urlsum: -:2: ${reason}\nurlsum: -:4: not a URL: `), rows.stderr);
  assert.is(urlsum(['--csv', '-f', '2'], '1, "http://a/"\n').status, 2);
});

tests('columns that change in the middle of a table end its reading', () => {
  const input = `${W3C}1 http://a/ 2\n#Fields: date n cs-uri\n1 2 http://b/\n`;
  for (const column of ['cs-uri', '2']) {
    const { status, stderr } = urlsum(['--delimiter', ' ', '-f', column], input);
    assert.is(status, 2);
    assert.match(stderr, /its columns change at #Fields: date n cs-uri/);
  }
});

tests('--comment chooses what comments begin with, or turns them off', () => {
  const input = '; x\nurl,n\nhttp://a/,1\n#\n';
  mustGive(urlsum(['--csv', '-f', 'url', '--comment', ';'], input), { stdout: `url,n,urlsum\nhttp://a/,1,${A}\n#,\n` });
  assert.match(urlsum(['--csv', '-f', 'url', '--comment', ''], '# x\nurl\n').stderr, /no column "url" but "# x"/);
  assert.is(outputOf(['--log', '--comment', ''], '#Fields: cs-uri\n'), '#Fields: cs-uri\turlsum\n'); // a W3C log's own
  assert.match(urlsum(['--comment', 'ab'], '').stderr, /--comment must be one ASCII character, or ''/);
});

tests('two columns of the name that is asked for: the numbers of both', () => {
  const table = 'url,n,url\nhttp://a/,1,http://b/\n';
  const stderr = 'urlsum: -: it has two columns "url": name one by its number, -f 1 or -f 3\n';
  mustGive(urlsum(['--csv', '-f', 'url'], table), { status: 2, stdout: '', stderr });
  assert.is(urlsum(['--csv', '-f', 'n', '--exit-zero'], table).status, 0);
});

tests.run();
