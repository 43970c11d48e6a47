import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { COMMANDS } from '../../../src/command/commands/commands.ts';
import { HASH_LIST, HashList } from '../../../src/entries/safe-browsing/lists.ts';
import { expressions } from '../../../src/entries/safe-browsing.ts';
import { SAMPLE_URLS } from '../../support/samples.ts';
import { FOLDER, file } from '../../support/scratch.ts';
import { cases, random } from '../../support/seed.ts';
import { mustGive, type Result, spawned, urlsum } from '../command.ts';

const test = suite('urlsum list');
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

test('build: the entries of all lines, each once, on one thread or two; lines without a host are refused', () => {
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

test('build: hosts, expressions and URLs of one page are one entry; columns and profiles', () => {
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

const SUFFIXES = ['2026-01-02', '2026-03-04'].map((version) =>
  file(`suffixes-${version}.dat`, `// VERSION: ${version}\nexample\nevil.example\n`),
) as [string, string];

test('build: what is listed and what is not is counted by kind, on one thread or two', () => {
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

test('build: entries whose host is a public suffix are counted, on one thread or two', () => {
  const lines = ['evil.example', 'http://a.evil.example/', 'github.io/x', 'co.uk', '1.2.3.4', 'http://[::1]/'].join(
    '\n',
  );
  const note = (line: number, entry: string) => `-:${line}: "${entry}": it has a public suffix as host (public-suffix)`;
  const consequence = 'a public suffix as host: look-ups match that host alone, not the hosts under it';
  for (const [args, notes, messages] of [
    [[], [note(3, 'github.io/x'), note(4, 'co.uk/')], [`2 entries have ${consequence}`]],
    [['--suffix-list', SUFFIXES[0]], [note(1, 'evil.example/')], [`1 entry has ${consequence}`]],
    [['--profile', 'web-risk'], [], []],
  ] as const)
    for (const threads of ['1', '2']) {
      const { status, stderr } = urlsum(['list', 'build', ...args, '-j', threads, '--out', at('x-hosts.list')], lines);
      const said = [...notes, '6 entries: 5 hosts, 1 page', ...messages];
      assert.equal([status, stderr], [0, said.map((line) => `urlsum: ${line}\n`).join('')]);
    }
});

test('build: entries too deep for the expressions of other URLs are counted, and the first ones named', () => {
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

test('build: lines of hosts files and ad blockers are refused with the option that reads them, and no entries', () => {
  const lines = ['*.wild.example', '0.0.0.0 ads.example', '||adblock.example^', 'http//typo.example/x'];
  const { status, stderr } = urlsum(['list', 'build', '--out', at('never.list')], lines.join('\n'));
  assert.is(status, 2);
  assert.equal(stderr.match(/\([a-z-]+\)$/gm), [
    ...['(wildcard-host)', '(hosts-file-line)', '(adblock-rule)', '(scheme-without-colon)', '(--allow-empty)'],
  ]);
  assert.match(stderr, /^urlsum: -:2: not listed: "0\.0\.0\.0 ads\.example": .*--input hosts /m);
  assert.match(stderr, /^urlsum: -:3: not listed: "\|\|adblock\.example\^": .*--input adblock /m);
  assert.match(stderr, /^urlsum: 0 entries$/m);
  assert.not(readdirSync(FOLDER).includes('never.list'));
});

test('build: hosts files and ad-block rules are listed as the hosts alone would be, on one thread or two', () => {
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

test('build: exceptions lift entries, and one that cannot is named, on one thread or two', () => {
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

test('every command that writes a list keeps the one in its file from an empty or a much shorter one', async () => {
  const out = at('replaced.list');
  const linesOf = (count: number) => Array.from({ length: count }, (_, n) => `h${n}.evil.example\n`).join('');
  const write = (path: string, count: number) =>
    urlsum(['list', 'build', '--allow-empty', '--allow-shrink', '--out', path], linesOf(count));
  const none = HashList.empty().toBytes();
  const applied = (
    older: readonly string[],
    args: readonly string[],
    base: string,
    input: string | Uint8Array = '',
  ) => {
    urlsum(['list', 'diff', '--out', at('new.bin'), ...older, at('new.list')]);
    return urlsum(['list', 'apply', ...args, '--out', out, base, at('new.bin')], input);
  };
  const runs: readonly (readonly [name: string, run: (...args: string[]) => Result])[] = [
    ['list build', (...args) => urlsum(['list', 'build', ...args, '--out', out], linesOf(listAt('new.list').size))],
    ['list merge', (...args) => urlsum(['list', 'merge', ...args, '--out', out, at('new.list')])],
    ['list apply', (...args) => applied([], args, '-', none)],
    ['list apply', (...args) => applied([out], args, out)],
  ];
  const writers: string[] = [];
  for (const { name, load } of COMMANDS)
    if (name.startsWith('list ') && 'out' in (await load()).flags && name !== 'list diff') writers.push(name);
  assert.equal(writers.sort(), [...new Set(runs.map(([name]) => name))].sort(), 'list diff writes an update');
  for (const [name, run] of runs)
    for (let count = 0; count < 12; count++) {
      write(out, 10);
      write(at('new.list'), count);
      const isGood = count >= 5;
      const { status, stderr } = run();
      const found = [status, listAt('replaced.list').size];
      assert.equal(found, isGood ? [0, count] : [2, 10], `${name} ${count}: ${stderr}`);
      if (!isGood)
        assert.match(stderr, count === 0 ? /no list is written: .*--allow-empty/ : /in place of 10.*--allow-shrink/);
      else if (name === 'list build') assert.match(stderr, /^urlsum: \d+ entr/);
      write(out, 10);
      assert.is(run('--allow-empty', '--allow-shrink').status, 0);
      assert.is(listAt('replaced.list').size, count, name);
    }
  write(out, 10);
  const page = '<!DOCTYPE html>\n<html><body>\nAccess denied\n</body></html>\n';
  assert.is(urlsum(['list', 'build', '--out', out], page).status, 2);
  assert.is(listAt('replaced.list').size, 10);
});

test('build: what is left out is named with --all-errors, and more than half of the lines is a warning', () => {
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
});

test('build: what URLhaus, OpenPhish and PhishTank publish', () => {
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

test('build: of a table with a column of types, rows of URLs and hosts are listed, the others counted by type', () => {
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

test('build: words of a table that could be files or hashes are left out, unless it has a type, or hosts are asked for', () => {
  const words = ['report.zip', 'Setup.EXE', 'a'.repeat(32), 'A'.repeat(40), '0'.repeat(64)];
  const table = ['value', 'evil.example', 'http://evil.example/report.zip', ...words, ''].join('\n');
  const build = (...args: string[]) =>
    urlsum(['list', 'build', '--csv', '-f', 'value', '--allow-shrink', '--out', at('words.list'), ...args], table);
  mustGive(build(), { says: /not listed: 5 unclear words$/m });
  assert.is(prefixesIn(listAt('words.list')), prefixesOf(['evil.example/', 'evil.example/report.zip'], 8));
  build('--input', 'hosts');
  assert.is(listAt('words.list').size, 7);
});

test('build: a list for another Public Suffix List says so, and all that is made of it does', () => {
  const [first, second] = SUFFIXES;
  const build = (name: string, input: string, ...args: string[]) => {
    assert.is(urlsum(['list', 'build', '--out', at(name), ...args], input).status, 0);
    return at(name);
  };
  const older = build('psl.list', 'a.example', '--suffix-list', first);
  const newer = build('psl-newer.list', 'b.example', '--suffix-list', first);
  const other = build('psl-other.list', 'b.example', '--suffix-list', second);
  const any = build('psl-any.list', 'b.example');
  const editionOf = (name: string) => listAt(name).suffixList;
  assert.equal(['psl.list', 'psl-any.list'].map(editionOf), ['psl/2026-01-02', undefined]);
  assert.match(urlsum(['list', 'info', older]).stdout.toString(), /^suffix list {4}psl\/2026-01-02$/m);

  assert.is(urlsum(['list', 'merge', '--out', at('psl-merged.list'), any, older]).status, 0);
  assert.is(editionOf('psl-merged.list'), 'psl/2026-01-02');
  urlsum(['list', 'diff', '--out', at('psl.bin'), older, newer]);
  urlsum(['list', 'diff', '--out', at('psl-whole.bin'), newer]);
  for (const operands of [
    [older, at('psl.bin')],
    ['--suffix-list', first, '-', at('psl-whole.bin')],
  ]) {
    assert.is(urlsum(['list', 'apply', '--out', at('psl-made.list'), ...operands]).status, 0);
    assert.equal(readFileSync(at('psl-made.list')), readFileSync(newer));
  }

  for (const [args, message] of [
    [
      ['merge', older, other],
      /psl-other\.list: it was built with the Public Suffix List psl\/2026-03-04, another list with psl\/2026/,
    ],
    [
      ['diff', older, other],
      /psl-other\.list: it was built with the Public Suffix List psl\/2026-03-04, another list with psl\/2026/,
    ],
    [
      ['diff', older, any],
      /psl-any\.list: the newer list is for any edition of the Public Suffix List, not edition psl\//,
    ],
    [['apply', '--suffix-list', first, older, at('psl.bin')], /--suffix-list needs an empty list, -/],
    [['apply', '--profile', 'web-risk', '--suffix-list', first, '-', at('psl.bin')], /needs the profile safe-browsing/],
    [['build', '--profile', 'web-risk', '--suffix-list', first], /needs the profile safe-browsing, not web-risk/],
    [['build', '--suffix-list', at('absent.dat')], /--suffix-list .*absent\.dat: no such file/],
  ] as const) {
    const { status, stderr } = urlsum(['list', ...args, '--out', at('x.list')], 'a.example');
    assert.is(status, 2, args.join(' '));
    assert.match(stderr, message);
    assert.not(readdirSync(FOLDER).includes('x.list'));
  }
});

test('info: what the list holds, all of it checked', () => {
  const { stdout, status } = urlsum(['list', 'info', at('8-1.list')]);
  assert.is(status, 0);
  const list = listAt('8-1.list');
  const checksum = createHash('sha256')
    .update(Buffer.from(prefixesIn(list), 'hex'))
    .digest('hex');
  assert.equal(stdout.toString().split('\n'), [
    'name           ',
    `version        ${checksum.slice(0, 32)}`,
    'profile        safe-browsing',
    `prefixes       ${list.size}`,
    'prefix length  8 bytes',
    `checksum       ${checksum}`,
    `false matches  ${((list.size * 1e9) / 2 ** 64).toPrecision(3)} expected in 10^9 look-ups of expressions`,
    '',
  ]);
  const bytes = readFileSync(at('8-1.list'));
  for (let trial = 0; trial < 12; trial++) {
    const damaged = Buffer.from(bytes);
    damaged[next(damaged.length)]! ^= 1 << next(8);
    const found = urlsum([
      'list',
      'info',
      file('damaged.list', trial % 2 === 0 ? damaged : bytes.subarray(0, next(bytes.length))),
    ]);
    assert.is(found.status, 2);
    assert.match(found.stderr, /^urlsum: .*damaged\.list: file: /);
    assert.is(found.stdout.length, 0);
  }
});

test('info: an empty list', () => {
  assert.is(urlsum(['list', 'build', '--allow-empty', '--out', at('empty.list')]).status, 0);
  mustGive(urlsum(['list', 'info', at('empty.list')]), { stdout: /^prefixes {7}0\nprefix length {2}none$/m });
});

test('merge: what one run over all lines makes', () => {
  for (const [name, lines] of [
    ['a', LINES.slice(0, (2 * LINES.length) / 3)],
    ['b', LINES.slice(LINES.length / 3)],
  ] as const)
    urlsum(['list', 'build', '--out', at(`${name}.list`)], lines.join('\n'));
  assert.is(urlsum(['list', 'merge', '--out', at('ab.list'), at('a.list'), at('b.list')]).status, 0);
  assert.equal(readFileSync(at('ab.list')), readFileSync(at('8-1.list')));
  const profiles = urlsum(['list', 'merge', '--out', at('x.list'), at('a.list'), at('risk.list')]);
  assert.match(profiles.stderr, /risk\.list: its profile is web-risk; the first list has v5/);
  assert.not(readdirSync(FOLDER).includes('x.list'));
});

const sha256 = (text: string) => createHash('sha256').update(text).digest();

test('build and merge: prefixes of any width from 4 to 32, mixed in one list', () => {
  const urls = ['a.example', 'b.example', 'c.example'];
  const widths = [5, 4, 31];
  for (const [index, width] of widths.entries())
    urlsum(['list', 'build', '--prefix', String(width), '--out', at(`w${index}.list`)], urls.slice(index).join('\n'));
  const lists = widths.map((_, index) => at(`w${index}.list`));
  assert.is(urlsum(['list', 'merge', '--name', 'ours', '--out', at('mixed.list'), ...lists]).status, 0);
  const { groups, name } = listAt('mixed.list');
  assert.is(name, 'ours');
  assert.equal(
    groups.map(({ width, prefixes }) => [width, Buffer.from(prefixes).toString('hex')]),
    [
      [
        4,
        ['b.example/', 'c.example/']
          .map((entry) => sha256(entry).subarray(0, 4).toString('hex'))
          .sort()
          .join(''),
      ],
      [5, sha256('a.example/').subarray(0, 5).toString('hex')],
    ],
  );
  const { status, stdout } = urlsum(['lookup', '--list', at('mixed.list')], urls.join('\n'));
  assert.equal([status, stdout.toString().split('\n').length - 1], [1, 3]);
  assert.match(urlsum(['list', 'info', at('mixed.list')]).stdout.toString(), /^prefix length {2}4 bytes, 5 bytes$/m);
});

test('apply: an update that was applied already is said, and changes nothing', () => {
  urlsum(['list', 'diff', '--out', at('again.bin'), at('a.list'), at('b.list')]);
  const { status, stderr } = urlsum(['list', 'apply', '--out', at('again.list'), at('b.list'), at('again.bin')]);
  const version = Buffer.from(listAt('b.list').version).toString('hex');
  assert.equal([status, stderr], [0, `urlsum: ${at('again.bin')}: already at version ${version}\n`]);
  assert.equal(readFileSync(at('again.list')), readFileSync(at('b.list')));
  const twice = urlsum(['list', 'apply', '--out', at('again.list'), at('a.list'), at('again.bin'), at('again.bin')]);
  assert.equal([twice.status, twice.stderr], [0, stderr]);
  assert.equal(readFileSync(at('again.list')), readFileSync(at('b.list')));
});

test('diff and apply: an update in protobuf or JSON makes the newer list of the older one', () => {
  assert.is(urlsum(['list', 'diff', '--out', at('up.bin'), at('a.list'), at('b.list')]).status, 0);
  const update = HASH_LIST.decode(readFileSync(at('up.bin')));
  assert.equal([update.isPartial, update.minimumWaitMs], [true, 1_800_000]);
  assert.is(prefixesIn(listAt('a.list').updated(update)), prefixesIn(listAt('b.list')));
  urlsum(['list', 'diff', '--json', '--wait', '60', '--out', at('up.json'), at('a.list'), at('b.list')]);
  assert.is(HASH_LIST.fromJson(JSON.parse(readFileSync(at('up.json'), 'utf8'))).minimumWaitMs, 60_000);
  urlsum(['list', 'diff', '--out', at('whole.bin'), at('b.list')]);
  for (const operands of [
    [at('a.list'), at('up.bin')],
    [at('a.list'), at('up.json')],
    ['-', at('whole.bin')],
    [at('a.list'), at('up.bin'), at('whole.bin')],
  ]) {
    assert.is(urlsum(['list', 'apply', '--out', at('made.list'), ...operands]).status, 0, operands.join(' '));
    assert.equal(readFileSync(at('made.list')), readFileSync(at('b.list')));
  }
  const { stdout } = urlsum(['list', 'diff', at('a.list'), at('b.list')]);
  assert.match(stdout.toString(), new RegExp(`^removed  ${update.removals.length}$`, 'm'));
});

test('- is standard input in place of a list or an update, and standard output in place of --out FILE', () => {
  const [a, b] = [readFileSync(at('a.list')), readFileSync(at('b.list'))];
  for (const [operands, input] of [
    [['info', '-'], a],
    [['info', '--', '-'], b],
    [['diff', '-', at('b.list')], a],
    [['diff', at('a.list'), '-'], b],
    [['diff', '-'], b],
    [['diff', '--out', '-', '-', at('b.list')], a],
    [['merge', '--out', '-', '-', at('b.list')], a],
    [['apply', '--out', '-', at('a.list'), '-'], readFileSync(at('up.bin'))],
    [['apply', '--out', '-', '-', '-'], readFileSync(at('whole.bin'))],
    [['build', '--allow-empty', '--out', '-', '-'], readFileSync(at('few.csv'))],
  ] as const) {
    const named = operands.map((word, index) => {
      const isOption = word !== '-' || operands[index - 1] === '--out';
      const isEmptyList = operands[0] === 'apply' && index === 3;
      return isOption || isEmptyList ? word : file(`named-${operands.join('').replaceAll('/', '')}`, input); // a process reads a file once
    });
    const [piped, expected] = [spawned(['list', ...operands], input), urlsum(['list', ...named])];
    assert.equal([piped.status, piped.stdout], [expected.status, expected.stdout], operands.join(' '));
    assert.ok(piped.stdout.length > 0);
  }
  for (const operands of [
    ['merge', '--out', at('x.list'), '-', '-'],
    ['diff', '-', '-'],
    ['apply', '--out', at('x.list'), at('a.list'), '-', '-'],
  ]) {
    const { status, stderr } = urlsum(['list', ...operands], a);
    assert.is(status, 2);
    assert.match(stderr, /standard input, -, can be read only once, but is named twice/);
  }
  const { status, stderr } = spawned(['list', 'info', '-'], a.subarray(1));
  assert.is(status, 2);
  assert.match(stderr, /^urlsum: -: it is not a list; 'urlsum list build --out LIST -' makes one/);
  assert.match(urlsum(['lookup', '--list', '-']).stderr, /--list takes a file, not -: standard input is for lines/);
});

test('apply: an update does not name its profile, so an empty list is given one', () => {
  urlsum(['list', 'diff', '--out', at('risk.bin'), at('risk.list')]);
  for (const [args, profile] of [
    [[], 'v5'],
    [['--profile', 'web-risk'], 'web-risk'],
  ] as const) {
    assert.is(urlsum(['list', 'apply', ...args, '--out', at('profile.list'), '-', at('risk.bin')]).status, 0);
    assert.is(listAt('profile.list').profile, profile);
  }
  mustGive(urlsum(['list', 'apply', '--profile', 'v5', '--out', at('x.list'), at('a.list'), at('up.bin')]), {
    status: 2,
    says: /--profile needs an empty list, -/,
  });
});

test('apply: an update of another version, or a damaged one, is refused, and nothing is written', () => {
  const before = readFileSync(at('made.list'));
  const bytes = readFileSync(at('up.bin'));
  const damaged = file('damaged.bin', bytes.subarray(0, bytes.length - 1));
  for (const [list, update, reason] of [
    [at('8-1.list'), at('up.bin'), /up\.bin: (?:removals|additions|checksum): /],
    [at('a.list'), damaged, /damaged\.bin: /],
    [at('a.list'), file('text.json', '{'), /text\.json: /],
    [at('a.list'), file('empty.bin', ''), /empty\.bin: checksum: /],
    [at('lines.txt'), at('up.bin'), /lines\.txt: it is not a list; /],
    [at('absent.list'), at('up.bin'), /absent\.list: no such file/],
  ] as const) {
    mustGive(urlsum(['list', 'apply', '--out', at('made.list'), list, update]), { status: 2, says: reason });
    assert.equal(readFileSync(at('made.list')), before);
  }
});

test('usage: what is missing is said', () => {
  for (const [args, message] of [
    [['build', at('lines.txt')], /list build needs --out FILE/],
    [['merge', '--out', at('x.list')], /list merge needs a list/],
    [['merge', at('a.list')], /list merge needs --out FILE/],
    [['info'], /list info needs one list/],
    [['diff'], /list diff needs OLD and NEW, or NEW alone/],
    [['diff', '--wait', 'x', at('a.list')], /--wait must be a whole number of seconds, not 'x'/],
    [['diff', '--wait', '1.5', at('a.list')], /--wait must be a whole number of seconds, not '1.5'/],
    [['diff', '--json', at('a.list')], /--json needs --out FILE/],
    [['diff', '--wait', '60', at('a.list')], /--wait needs --out FILE/],
    [['apply', at('a.list')], /list apply needs LIST and UPDATE/],
    [['build', '--prefix', '5x', '--out', at('x.list')], /--prefix must be a number of bytes from 4 to 32, not '5x'/],
    [
      ['build', '--input', 'host', '--out', at('x.list')],
      /--input must be one of lines, hosts, adblock, auto, not 'host'/,
    ],
    [
      ['build', '--input', 'adblock', '-f', '1', '--csv', '--out', at('x.list')],
      /--input adblock and --column cannot be combined/,
    ],
    [['build', '--prefix', '33', '--out', at('x.list')], /--prefix must be a number of bytes from 4 to 32, not '33'/],
    [
      ['build', '--name', 'mw-4b', '--out', at('x.list')],
      /--name mw-4b says that prefixes have 4 bytes, but some have 8/,
    ],
    [
      ['merge', '--name', 'mw-4b', '--out', at('x.list'), at('4-1.list'), at('a.list')],
      /--name mw-4b says that prefixes have 4 bytes, but some have 8/,
    ],
    [['build', '--ignore-exceptions', '--out', at('x.list')], /--ignore-exceptions needs --input adblock or auto/],
    [['bild'], /list needs one of build, info, merge, diff, apply, serve, not 'bild'/],
  ] as const) {
    mustGive(urlsum(['list', ...args]), { status: 2, says: message });
  }
});

test.run();
