import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { COMMANDS } from '../../../src/command/commands/commands.ts';
import { HASH_LIST, HashList } from '../../../src/entries/safe-browsing/lists.ts';
import { FOLDER, file } from '../../support/scratch.ts';
import { random } from '../../support/seed.ts';
import { mustGive, type Result, spawned, urlsum } from '../command.ts';

const tests = suite('urlsum list');
const next = random();
const at = (name: string) => join(FOLDER, name);
const listAt = (name: string) => HashList.fromBytes(readFileSync(at(name)));

const prefixesIn = ({ groups: [group] }: HashList) => Buffer.from(group?.prefixes ?? []).toString('hex');

/** Lines, and lists of all, of the first and of the last two thirds; and one of Web Risk. */
const LINES = Array.from({ length: 900 }, (_, row) => `http://h${next(600)}.example/${row % 3}`);
file('lines.txt', LINES.join('\n'));
for (const [name, lines] of [
  ['all', LINES],
  ['a', LINES.slice(0, 600)],
  ['b', LINES.slice(300)],
] as const)
  urlsum(['list', 'build', '--out', at(`${name}.list`)], lines.join('\n'));
urlsum(['list', 'build', '--profile', 'web-risk', '--out', at('risk.list')], 'http://evil.example/');

tests('every command that writes a list keeps the one in its file from an empty or a much shorter one', async () => {
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

const SUFFIXES = ['2026-01-02', '2026-03-04'].map((version) =>
  file(`suffixes-${version}.dat`, `// VERSION: ${version}\nexample\nevil.example\n`),
) as [string, string];

tests('build: a list for another Public Suffix List says so, and all that is made of it does', () => {
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

tests('info: what the list holds, all of it checked', () => {
  const { stdout, status } = urlsum(['list', 'info', at('all.list')]);
  assert.is(status, 0);
  const list = listAt('all.list');
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
  const bytes = readFileSync(at('all.list'));
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
  assert.is(urlsum(['list', 'build', '--allow-empty', '--out', at('empty.list')]).status, 0);
  mustGive(urlsum(['list', 'info', at('empty.list')]), { stdout: /^prefixes {7}0\nprefix length {2}none$/m });
});

tests('merge: what one run over all lines makes', () => {
  assert.is(urlsum(['list', 'merge', '--out', at('ab.list'), at('a.list'), at('b.list')]).status, 0);
  assert.equal(readFileSync(at('ab.list')), readFileSync(at('all.list')));
  const profiles = urlsum(['list', 'merge', '--out', at('x.list'), at('a.list'), at('risk.list')]);
  assert.match(profiles.stderr, /risk\.list: its profile is web-risk; the first list has v5/);
  assert.not(readdirSync(FOLDER).includes('x.list'));
});

const sha256 = (text: string) => createHash('sha256').update(text).digest();

tests('build and merge: prefixes of any width from 4 to 32, mixed in one list', () => {
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

tests('diff and apply: an update in protobuf or JSON makes the newer list of the older one', () => {
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

tests('apply: an update that was applied already is said, and changes nothing', () => {
  urlsum(['list', 'diff', '--out', at('again.bin'), at('a.list'), at('b.list')]);
  const { status, stderr } = urlsum(['list', 'apply', '--out', at('again.list'), at('b.list'), at('again.bin')]);
  const version = Buffer.from(listAt('b.list').version).toString('hex');
  assert.equal([status, stderr], [0, `urlsum: ${at('again.bin')}: already at version ${version}\n`]);
  assert.equal(readFileSync(at('again.list')), readFileSync(at('b.list')));
  const twice = urlsum(['list', 'apply', '--out', at('again.list'), at('a.list'), at('again.bin'), at('again.bin')]);
  assert.equal([twice.status, twice.stderr], [0, stderr]);
  assert.equal(readFileSync(at('again.list')), readFileSync(at('b.list')));
});

tests('- is standard input in place of a list or an update, and standard output in place of --out FILE', () => {
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
    [['build', '--allow-empty', '--out', '-', '-'], readFileSync(at('lines.txt'))],
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

tests('apply: an update does not name its profile, so an empty list is given one', () => {
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

tests('apply: an update of another version, or a damaged one, is refused, and nothing is written', () => {
  const before = readFileSync(at('made.list'));
  const bytes = readFileSync(at('up.bin'));
  const damaged = file('damaged.bin', bytes.subarray(0, bytes.length - 1));
  for (const [list, update, reason] of [
    [at('all.list'), at('up.bin'), /up\.bin: (?:removals|additions|checksum): /],
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

tests('usage: what is missing is said', () => {
  for (const [args, message] of [
    [['merge', '--out', at('x.list')], /list merge needs a list/],
    [['merge', at('a.list')], /list merge needs --out FILE/],
    [['info'], /list info needs one list/],
    [['diff'], /list diff needs OLD and NEW, or NEW alone/],
    [['diff', '--wait', 'x', at('a.list')], /--wait must be a whole number of seconds, not 'x'/],
    [['diff', '--wait', '1.5', at('a.list')], /--wait must be a whole number of seconds, not '1.5'/],
    [['diff', '--json', at('a.list')], /--json needs --out FILE/],
    [['diff', '--wait', '60', at('a.list')], /--wait needs --out FILE/],
    [['apply', at('a.list')], /list apply needs LIST and UPDATE/],
    [
      ['merge', '--name', 'mw-4b', '--out', at('x.list'), at('a.list')],
      /--name mw-4b says that prefixes have 4 bytes, but some have 8/,
    ],
    [['bild'], /list needs one of build, info, merge, diff, apply, serve, not 'bild'/],
  ] as const) {
    mustGive(urlsum(['list', ...args]), { status: 2, says: message });
  }
});

tests.run();
