import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { HashList } from '../../../src/entries/safe-browsing/lists.ts';
import { expressions } from '../../../src/entries/safe-browsing.ts';
import { SAMPLE_URLS } from '../../support/samples.ts';
import { FOLDER, file } from '../../support/scratch.ts';
import { cases, random } from '../../support/seed.ts';
import { mustGive, urlsum } from '../command.ts';

const tests = suite('urlsum list build');
const next = random();
const at = (name: string) => join(FOLDER, name);
const listAt = (name: string) => HashList.fromBytes(readFileSync(at(name)));

/** The prefixes of expressions, as a list of one length has them, by node:crypto. */
function prefixesOf(entries: Iterable<string>, length: number): string {
  const all = Array.from(entries, (entry) =>
    createHash('sha256').update(entry).digest().subarray(0, length).toString('hex'),
  );
  return [...new Set(all)].sort().join('');
}

const prefixesIn = ({ groups: [group] }: HashList) => Buffer.from(group?.prefixes ?? []).toString('hex');

/** An expression whose host no browser looks up: it has spaces, wildcards, the marks of other formats. */
const NO_HOST = /^(?!\[[^\]]*\]\/)[^/]*(?:%20|[*|^"<>,;@:\\[\]])/;

/**
 * Returns what each line is listed as, by another path: the first expression that the library has for it, if it is one
 * URL.
 */
function entriesOf(lines: readonly string[]): string[] {
  return lines.flatMap((line) => {
    const url = line.replace(/ #.*/, '');
    try {
      return line.startsWith('#') || /[^\t-\r ] +[^\t-\r ]/.test(url)
        ? []
        : expressions(url).filter((each, at) => at === 0 && !NO_HOST.test(each));
    } catch {
      return []; // has no host
    }
  });
}

const LINES = [
  ...SAMPLE_URLS.filter((line) => !line.includes('\n')),
  ...Array.from({ length: cases(5000) }, () => `http://h${next(cases(1500))}.example/${next(3)}`),
];
file('lines.txt', `${LINES.join('\n')}\n`);

tests('build: the entries of all lines, each once, on one thread or two; lines without a host are refused', () => {
  const entries = entriesOf(LINES);
  for (const length of [4, 8, 16, 32]) {
    const expected = prefixesOf(entries, length);
    for (const threads of ['1', '2']) {
      const name = `${length}-${threads}.list`;
      mustGive(urlsum(['list', 'build', '--prefix', `${length}`, '-j', threads, '--out', at(name), at('lines.txt')]), {
        status: 1,
        stdout: '',
        says: /lines\.txt:\d+: nothing to look up: .* \(scheme-without-authority\)/,
      });
      assert.is(prefixesIn(listAt(name)), expected);
    }
    assert.equal(readFileSync(at(`${length}-1.list`)), readFileSync(at(`${length}-2.list`)));
  }
});

tests('build: hosts, expressions and URLs of one page are one entry; columns and profiles', () => {
  file(
    'few.csv',
    'n,url\n1,EVIL.example\n2,http://x@evil.example:80/#y\n3,evil.example/\n4,http://[::ffff:1.2.3.4]/\n',
  );
  assert.is(urlsum(['list', 'build', '-f', 'url', '--name', 'ours', '--out', at('few.list'), at('few.csv')]).status, 0);
  assert.is(prefixesIn(listAt('few.list')), prefixesOf(['evil.example/', '1.2.3.4/'], 8));
  assert.equal([listAt('few.list').name, listAt('few.list').profile], ['ours', 'v5']);
  urlsum(['list', 'build', '-f', 'url', '--profile', 'web-risk', '--out', at('risk.list'), at('few.csv')]);
  assert.is(prefixesIn(listAt('risk.list')), prefixesOf(['evil.example/', '[::ffff:1.2.3.4]/'], 8));
  const slashes = 'http://evil.example\\@good.example/\n';
  for (const [mode, entry] of [
    ['spec', 'good.example/'],
    ['browser', 'evil.example/@good.example/'],
  ] as const) {
    urlsum(['list', 'build', '--mode', mode, '--out', at('mode.list')], slashes);
    assert.is(prefixesIn(listAt('mode.list')), prefixesOf([entry], 8));
  }
});

tests('build: what is listed and what is not is counted by kind, on one thread or two', () => {
  const lines = 'a.evil.example\nhttp://a.evil.example/\nb.example/x/\nb.example/x?y\n# one\n#\n';
  for (const threads of ['1', '2']) {
    const { status, stderr } = urlsum(['list', 'build', '-j', threads, '--out', at('kinds.list')], lines);
    assert.is(status, 0);
    assert.equal(stderr.split('\n'), [
      'urlsum: 4 entries: 2 hosts, 1 folder, 1 page',
      'urlsum: 1 entry is merged with another of the same prefix',
      'urlsum: not listed: 2 comments',
      '',
    ]);
    assert.is(listAt('kinds.list').size, 3);
  }
});

tests('build: entries whose host is a public suffix are counted, on one thread or two', () => {
  const lines = ['evil.example', 'http://a.evil.example/', 'github.io/x', 'co.uk', '1.2.3.4', 'http://[::1]/'].join(
    '\n',
  );
  const note = (line: number, entry: string) => `-:${line}: "${entry}": it has a public suffix as host (public-suffix)`;
  const consequence = 'a public suffix as host: look-ups match that host alone, not the hosts under it';
  for (const [args, notes, messages] of [
    [[], [note(3, 'github.io/x'), note(4, 'co.uk/')], [`2 entries have ${consequence}`]],
    [
      ['--suffix-list', file('suffixes.dat', '// VERSION: 2026-01-02\nexample\nevil.example\n')],
      [note(1, 'evil.example/')],
      [`1 entry has ${consequence}`],
    ],
    [['--profile', 'web-risk'], [], []],
  ] as const)
    for (const threads of ['1', '2']) {
      const { status, stderr } = urlsum(['list', 'build', ...args, '-j', threads, '--out', at('x-hosts.list')], lines);
      const said = [...notes, '6 entries: 5 hosts, 1 page', ...messages];
      assert.equal([status, stderr], [0, said.map((line) => `urlsum: ${line}\n`).join('')]);
    }
});

tests('build: entries too deep for the expressions of other URLs are counted, and the first ones named', () => {
  const lines = [
    ...['a.b.c.evil.example', 'a.b.c.d.evil.example', 'evil.example/1/2/3/', 'evil.example/1/2/3/4/', '*.evil.example'],
  ];
  const deep = Array.from({ length: 12 }, (_, n) => `http://1.2.3.4/1/2/3/${n}/`);
  const path = file('deep.txt', [...lines, ...deep].join('\n'));
  const pathNote = (line: number, entry: string) =>
    `${path}:${line}: "${entry}": it has a path of more than three folders (deep-path)`;
  const notes = [
    `${path}:2: "a.b.c.d.evil.example/": it has a host of too many labels (deep-host)`,
    pathNote(4, 'evil.example/1/2/3/4/'),
    ...deep.map((_, n) => pathNote(6 + n, `1.2.3.4/1/2/3/${n}/`)),
  ];
  const refused = `${path}:5: not listed: "*.evil.example": `;
  for (const threads of ['1', '2'])
    for (const [args, shownCount] of [
      [[], 10],
      [['--all-errors'], 14],
      [['--quiet'], 0],
    ] as const) {
      const { status, stderr } = urlsum(['list', 'build', '-j', threads, '--out', at('deep.list'), ...args, path]);
      const said = stderr
        .split('\n')
        .map((line) => line.replace(/^urlsum: /, ''))
        .filter((line) => !line.startsWith(refused) && !/^1 bad line:$|^ /.test(line));
      assert.is(status, 1, 'of the line that is refused');
      assert.equal(said, [
        ...notes.slice(0, shownCount),
        '16 entries: 2 hosts, 14 folders',
        '1 entry has a host of too many labels: look-ups match that host alone, not the hosts under it',
        '13 entries have a path of more than three folders: look-ups match that path alone, not what is under it',
        '',
      ]);
    }
});

tests('build: hosts files and ad-block rules are listed as the hosts alone would be, on one thread or two', () => {
  const hosts = Array.from({ length: 2000 }, (_, at) => `h${at}.evil.example`);
  const expected = prefixesOf(
    hosts.map((host) => `${host}/`),
    8,
  );
  const hostsFile = ['# head', '127.0.0.1 localhost', '', ...hosts.map((host) => `0.0.0.0\t${host} # why`)];
  const adblock = ['[Adblock Plus 2.0]', '! head', '##.ad', '||x.example^$popup', ...hosts.map((host) => `||${host}^`)];
  for (const [input, lines, leftOut] of [
    ['hosts', hostsFile, '1 comment, 1 local name'],
    ['adblock', adblock, '2 comments, 1 cosmetic rule, 1 rule for types of requests'],
  ] as const) {
    const path = file(`${input}.txt`, lines.join('\r\n'));
    for (const threads of ['1', '2']) {
      const args = ['list', 'build', '--input', input, '-j', threads, '--stats=json', '--out', at('input.list'), path];
      const { status, stderr } = urlsum(args);
      const [statistics, ...summary] = stderr.split('\n');
      assert.equal([status, ...summary], [0, 'urlsum: 2000 entries: 2000 hosts', `urlsum: not listed: ${leftOut}`, '']);
      const { hosts: hostCount, comments, invalid } = JSON.parse(statistics!) as Record<string, number>;
      assert.equal([hostCount, comments, invalid], [2000, Number(leftOut[0]), 0]);
      assert.is(prefixesIn(listAt('input.list')), expected);
    }
  }
});

tests('build: exceptions lift entries, and one that cannot is named, on one thread or two', () => {
  const rules = '||a.example^\n||b.example^\n||x.b.example/y/$all\n@@||b.example^\n@@||c.a.example^\n@@/d/\n';
  for (const threads of ['1', '2']) {
    const args = ['list', 'build', '--input', 'adblock', '-j', threads, '--out', at('except.list')];
    const { status, stderr } = urlsum(args, rules);
    assert.is(status, 1);
    assert.match(stderr, /^urlsum: -:6: not listed: "@@\/d\/": .*--ignore-exceptions.*\(exception\)$/m);
    assert.match(stderr, /^urlsum: 2 exceptions: 2 lines lifted$/m);
    assert.match(stderr, /^urlsum: no effect: "@@\|\|c\.a\.example\^": .* stays listed$/m);
    assert.is(prefixesIn(listAt('except.list')), prefixesOf(['a.example/'], 8));
  }
  const { status, stderr } = urlsum(
    ['list', 'build', '--input', 'adblock', '--ignore-exceptions', '--out', at('excepted.list')],
    rules,
  );
  const summary = ['3 entries: 2 hosts, 1 folder', 'not listed: 3 exceptions'];
  assert.equal([status, stderr], [0, summary.map((line) => `urlsum: ${line}\n`).join('')]);
  assert.is(prefixesIn(listAt('excepted.list')), prefixesOf(['a.example/', 'b.example/', 'x.b.example/y/'], 8));
});

tests('build: what is left out is named with --all-errors, and more than half of the lines is a warning', () => {
  for (let rules = 0; rules < 8; rules++) {
    const text = `! head\n!\n!\n!\n${'||a.example^\n||b.example^$all\n'.repeat(2)}${'||x.example^$script\n'.repeat(rules)}`;
    for (const input of ['adblock', 'auto']) {
      const args = ['list', 'build', '--allow-shrink', '--all-errors', '--input', input, '--out', at('half.list')];
      const { status, stderr } = urlsum(args, text);
      const named = stderr.match(/^urlsum: -:\d+: left out: "\|\|x\.example\^\$script": rule for types/gm) ?? [];
      assert.equal(
        named.map((line) => Number(line.split(':')[2])),
        Array.from({ length: rules }, (_, at) => 9 + at),
      );
      assert.is(status, rules > 4 ? 1 : 0);
      assert.is(stderr.includes(`warning: ${rules} of ${rules + 4} lines are not listed, more than half`), rules > 4);
    }
  }
  const { stderr } = urlsum(['list', 'build', '--allow-empty', '--out', at('none.list')], 'a b\n');
  assert.match(stderr, 'warning: 1 of 1 line is not listed, more than half');
});

tests('build: what URLhaus, OpenPhish and PhishTank publish', () => {
  const expected = prefixesOf(['evil.example/a.exe', '192.0.2.1/b?c'], 8);
  const [one, other] = ['http://evil.example:8080/a.exe', 'https://192.0.2.1/b?c'];
  const head = '#####\r\n# "Terms, of use" #\r\n#\r\n';
  for (const [args, text, comments] of [
    [[], `${one}\n${other}\n`, 0],
    [[], `${head}${one}\r\n${other}\r\n`, 3],
    [
      ['--csv', '-f', '3'],
      `${head}# id,dateadded,url\r\n"2","2026-01-02","${one}"\r\n"1","x","${other}"\r\n# end\r\n`,
      5,
    ],
    [['--csv', '-f', 'url'], `phish_id,url,target\n7,${one},Other\n8,"${other}",Other\n`, 0],
    [['--csv', '-f', 'url'], `${head}phish_id,url,target\n7,${one},Other\n8,"${other}",Other\n`, 3],
    [['--json', 'url'], `{"url":"${one}"}\n{"url":"${other}"}\n`, 0],
  ] as const)
    for (const threads of ['1', '2']) {
      const { status, stderr } = urlsum(['list', 'build', ...args, '-j', threads, '--out', at('feed.list')], text);
      const summary = ['2 entries: 2 pages', ...(comments === 0 ? [] : [`not listed: ${comments} comments`])];
      assert.equal([status, stderr], [0, summary.map((line) => `urlsum: ${line}\n`).join('')], text);
      assert.is(prefixesIn(listAt('feed.list')), expected);
    }
  const { stderr } = urlsum(
    ['list', 'build', '--csv', '-f', 'url', '--out', at('feed.list')],
    `${head}id,url\n1,${one}\n2\n`,
  );
  assert.match(stderr, /^urlsum: -:6: not a record of this table: it has 1 column, not 2 \(malformed-record\)$/m);
});

const OF_TYPES: readonly (readonly [type: string, value: string, entry?: string])[] = [
  ['url', 'http://evil.example/a', 'evil.example/a'],
  ['URL', 'http://evil.example/report.zip', 'evil.example/report.zip'],
  ['domain', 'report.zip', 'report.zip/'],
  ['hostname', 'b.evil.example', 'b.evil.example/'],
  ['ip:port', '192.0.2.5:443', '192.0.2.5/'],
  ['domain|ip', 'c.evil.example|192.0.2.6', 'c.evil.example/'],
  ['ip-dst', '192.0.2.7', '192.0.2.7/'],
  ['filename', 'setup.exe'],
  ['filename|md5', 'setup.exe|d41d8cd98f00b204e9800998ecf8427e'],
  ['md5_hash', 'd41d8cd98f00b204e9800998ecf8427e'],
  ['mutex', 'Global-x'],
  ['email', 'joe@evil.example'],
  ['', 'd.evil.example'],
];

tests('build: of a table with a column of types, rows of URLs and hosts are listed, the others counted by type', () => {
  for (const [column, args] of [
    ['type', []],
    ['ioc_type', []],
    ['indicator_type', []],
    ['kind, "of"', ['--type-column', 'kind, "of"']],
  ] as const)
    for (const threads of ['1', '2']) {
      const rows = Array.from({ length: cases(60) }, () => OF_TYPES[next(OF_TYPES.length)]!);
      const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
      const text = rows.map(([type, value]) => `x,${quoted(type)},${next(2) === 0 ? quoted(value) : value}\n`).join('');
      const table = `id,${quoted(column)},value\n# why\n${text}`;
      const build = [
        'list',
        'build',
        '--csv',
        '-f',
        'value',
        '-j',
        threads,
        '--allow-shrink',
        '--out',
        at('types.list'),
      ];
      const { stderr } = urlsum([...build, ...args], table);
      assert.is(
        prefixesIn(listAt('types.list')),
        prefixesOf(
          rows.flatMap(([, , entry]) => entry ?? []),
          8,
        ),
        table,
      );
      const others = rows.filter(([, , entry]) => entry === undefined);
      assert.match(stderr, new RegExp(`not listed: 1 comment, ${others.length} rows? of other types, `));
      const mutexCount = others.filter(([type]) => type === 'mutex').length;
      assert.is(stderr.includes('of type "mutex"'), mutexCount > 0);
      if (mutexCount > 0) assert.ok(stderr.includes(`${mutexCount} of type "mutex"`), stderr);
    }
  const numbered = urlsum(
    ['list', 'build', '--csv', '-f', '2', '--type-column', '1', '--allow-shrink', '--out', at('types.list')],
    'md5,x.example\nurl,y.example\n',
  );
  assert.is(numbered.status, 0, numbered.stderr);
  mustGive(urlsum(['list', 'build', '--csv', '-f', 'a', '--type-column', 'b', '--out', at('types.list')], 'a\nx\n'), {
    status: 2,
    stderr: 'urlsum: -: it has no column "b" of types\n',
  });
});

tests(
  'build: words of a table that could be files or hashes are left out, unless it has a type, or hosts are asked for',
  () => {
    const words = ['report.zip', 'Setup.EXE', 'a'.repeat(32), 'A'.repeat(40), '0'.repeat(64)];
    const table = ['value', 'evil.example', 'http://evil.example/report.zip', ...words, ''].join('\n');
    const build = (...args: string[]) =>
      urlsum(['list', 'build', '--csv', '-f', 'value', '--allow-shrink', '--out', at('words.list'), ...args], table);
    mustGive(build(), { says: /not listed: 5 unclear words$/m });
    assert.is(prefixesIn(listAt('words.list')), prefixesOf(['evil.example/', 'evil.example/report.zip'], 8));
    build('--input', 'hosts');
    assert.is(listAt('words.list').size, 7);
  },
);

tests('build: wrong usage', () => {
  for (const [args, message] of [
    [[], /list build needs --out FILE/],
    [['--prefix', '5x'], /--prefix must be a number of bytes from 4 to 32, not '5x'/],
    [['--prefix', '33'], /--prefix must be a number of bytes from 4 to 32, not '33'/],
    [['--input', 'host'], /--input must be one of lines, hosts, adblock, auto, not 'host'/],
    [['--input', 'adblock', '-f', '1', '--csv'], /--input adblock and --column cannot be combined/],
    [['--name', 'mw-4b'], /--name mw-4b says that prefixes have 4 bytes, but some have 8/],
    [['--ignore-exceptions'], /--ignore-exceptions needs --input adblock or auto/],
  ] as const) {
    const out = args.length === 0 ? [] : ['--out', at('x.list')];
    mustGive(urlsum(['list', 'build', ...args, ...out, at('lines.txt')]), { status: 2, says: message });
  }
});

tests.run();
