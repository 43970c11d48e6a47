import { spawnSync } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Flag, optionOf, parseArguments } from '../../../src/command/arguments/flag.ts';
import { manualOf } from '../../../src/command/commands/command.ts';
import { COMMANDS, commandOf } from '../../../src/command/commands/commands.ts';
import { textOf } from '../command.ts';

const tests = suite('help, suggestions, the man page');
const MANUALS = await Promise.all(COMMANDS.map(manualOf));

/** Lines as a terminal has room for them. */
const LINE_LIMIT = 66;
const COLUMN_LIMIT = 100;

for (const { name, flags, examples } of MANUALS) {
  tests(`urlsum ${name} --help: examples first, every flag, at most ${LINE_LIMIT} lines`, () => {
    const { stdout, stderr, status } = textOf([...name.split(' ').filter(Boolean), '--help']);
    assert.equal([stderr, status], ['', 0]);
    assert.match(stdout, /^Examples:\n {2}urlsum /);
    const lines = stdout.trimEnd().split('\n');
    assert.ok(lines.length <= LINE_LIMIT, `${lines.length} lines`);
    for (const line of lines) assert.ok([...line].length <= COLUMN_LIMIT, line);
    for (const each of ['help', ...Object.keys(flags)])
      assert.ok(
        lines.some((line) => new RegExp(`^ {2}(?:-[a-zA-Z], | {4})${optionOf(each)}\\b`).test(line)),
        each,
      );
    assert.ok(examples.length > 0);
    assert.ok(
      lines.every((line) => line === line.trimEnd()),
      'spaces at an end',
    );
    const headings = lines.filter((line) => /^\S.*:$/.test(line));
    assert.equal(headings, [...new Set(headings)], 'a heading comes once');
  });
}

tests('each example is a call that the command understands', () => {
  for (const { name, examples } of MANUALS) {
    for (const [line] of examples) {
      const words = [...name.split(' ').filter(Boolean), ...line.replace(/ [>|<] ?.*| && .*/, '').split(' ')];
      const { entry, rest } = commandOf(words);
      const { flags } = MANUALS.find((each) => each.name === entry.name)!;
      assert.not.throws(() => parseArguments(flags, rest), `urlsum ${words.join(' ')}`);
    }
  }
});

tests('urlsum help: that of urlsum, of a command, of a group of them; and of none', () => {
  assert.is(textOf(['help']).stdout, textOf(['--help']).stdout);
  assert.is(textOf(['help', 'canon']).stdout, textOf(['canon', '-h']).stdout);
  assert.is(textOf(['help', 'canon']).stdout, textOf(['-h', 'canon']).stdout);
  assert.is(textOf(['help', 'list', 'build']).stdout, textOf(['--help', 'list', 'build']).stdout);
  assert.is(textOf(['help', 'hash-uri', 'make']).stdout, textOf(['hash-uri', 'make', '--help']).stdout);
  assert.match(textOf(['hash-uri', '--help']).stdout, /urlsum hash-uri make.*urlsum hash-uri find/s);
  assert.match(textOf(['-c', '--help']).stdout, /whether|OK or FAILED/);
  assert.match(
    textOf(['--help']).stdout,
    /\nCommands, each with its own --help: canon, expressions, hashed-uri, hash-uri, /,
  );
  assert.equal(textOf(['help', 'cannon']), {
    stdout: '',
    stderr: "urlsum: there is no command 'cannon' (did you mean 'canon'?)\nTry 'urlsum help --help'.\n",
    status: 2,
  });
});

tests('what follows -- is a file, not a flag', () => {
  assert.match(textOf(['--', '--help']).stderr, /^urlsum: --help: no such file\n$/);
  assert.match(textOf(['--quiet', '--', 'canon']).stderr, /^urlsum: canon: no such file\n$/);
});

tests('a slip is answered with the nearest', () => {
  for (const [args, answer] of [
    [['--formt', 'hex'], "unknown option '--formt' (did you mean '--format'?)\nTry 'urlsum --help'."],
    [['--format', 'jsno'], /not 'jsno' \(did you mean 'ndjson'\?\)\nTry/],
    [['--format', 'ndjsno'], /not 'ndjsno' \(did you mean 'ndjson'\?\)\nTry/],
    [
      ['canon', '--on-eror', 'x'],
      "unknown option '--on-eror' (did you mean '--on-error'?)\nTry 'urlsum canon --help'.",
    ],
    [['--hlep'], "unknown option '--hlep' (did you mean '--help'?)\nTry 'urlsum --help'."],
    [['canon', '-v'], "unknown option '-v' (did you mean '--version'?)\nTry 'urlsum canon --help'."],
    [['--format', 'json'], /not 'json' \(did you mean 'ndjson'\?\)\nTry/],
    [
      ['hash', 'https://example.com'],
      "'hash' is not a command; no command is needed to hash: urlsum https://example.com\nTry 'urlsum --help'.",
    ],
    [
      ['version'],
      "'version' is neither a file, a URL nor a command: did you mean 'urlsum --version'?\nTry 'urlsum --help'.",
    ],
    [
      ['apply', 'file'],
      "'apply' is neither a file, a URL nor a command: did you mean 'list apply'?\nTry 'urlsum --help'.",
    ],
    [['--zzzzz'], "unknown option '--zzzzz'\nTry 'urlsum --help'."],
    [
      ['canonn', 'file'],
      "'canonn' is neither a file, a URL nor a command: did you mean 'canon'?\nTry 'urlsum --help'.",
    ],
    [
      ['lookp', '--list', 'bad.list', 'file'],
      "'lookp' is neither a file, a URL nor a command: did you mean 'lookup'?\nTry 'urlsum --help'.",
    ],
    [
      ['hash-uri', 'mak'],
      /^urlsum: hash-uri needs one of make, .*, not 'mak' \(did you mean 'make'\?\)\nTry 'urlsum hash-uri --help'/,
    ],
    [['--quiet', 'canon', 'u.txt'], /'canon' is a command, and a command comes before its options\nTry/],
    [['-j', '2', 'hash-uri', 'find', 'x'], /'hash-uri' is a command, and a command comes before its options\nTry/],
    [['-q'], /unknown option '-q' \(did you mean '--quiet'\?\)/],
    [['-w', '8'], /unknown option '-w' \(did you mean '--width'\?\)/],
    [['-0'], /unknown option '-0' \(did you mean '--zero'\?\)/],
    [['--delim', ','], /unknown option '--delim' \(did you mean '--delimiter'\?\)/],
    [['--exclude-frag'], /unknown option '--exclude-frag' \(did you mean '--exclude-fragment'\?\)/],
    [['--drop'], /unknown option '--drop'\n/],
    [['--unqiue'], /unknown option '--unqiue' \(did you mean '--dedup'\?\)/],
    [['--md5'], "unknown option '--md5'\nTry 'urlsum --help'."],
    [['--count'], "unknown option '--count'\nTry 'urlsum --help'."],
    [[''], "an argument is empty: '' names neither a file nor a URL\nTry 'urlsum --help'."],
    [['canon', 'http://a/', ''], /an argument is empty/],
    [
      ['--json', 'crawl.jsonl'],
      "--json takes a field, and crawl.jsonl looks like a file: --json FIELD crawl.jsonl\nTry 'urlsum --help'.",
    ],
    [['--json', 'test/README.md'], /--json takes a field, and test\/README\.md looks like a file/],
    [['completion', 'bahs'], /not 'bahs' \(did you mean 'bash'\?\)\nTry 'urlsum completion --help'/],
  ] as const) {
    const { stdout, stderr, status } = textOf(args, 'http://a/\n');
    assert.equal([stdout, status], ['', 2], args.join(' '));
    if (typeof answer === 'string') assert.is(stderr, `urlsum: ${answer}\n`);
    else assert.match(stderr, answer);
  }
});

tests('-o is --out in every command, and -V is --version', () => {
  for (const { flags } of MANUALS) if (flags['out'] !== undefined) assert.is(flags['out'].short, 'o');
  assert.is(textOf(['-V']).stdout, textOf(['--version']).stdout);
});

tests('the man page: every command and flag, and no warning from man', () => {
  const { stdout: page } = textOf(['help', '--man']);
  assert.match(page, /^\.TH URLSUM 1\n\.SH NAME\nurlsum \\- /);
  const typed = (text: string) => text.replaceAll('-', '\\-');
  for (const { name, flags } of MANUALS) {
    assert.ok(page.includes(`.SH ${typed(`urlsum ${name}`.trimEnd().toUpperCase())}\n`), name);
    for (const [each, flag] of Object.entries<Flag>(flags)) {
      const short = flag.short === undefined ? '' : `-${flag.short}, `;
      assert.ok(page.includes(`.B ${typed(short + optionOf(each))}`), each);
    }
  }
  const { error, stdout, stderr } = spawnSync('man', ['--warnings', '-l', '-'], {
    input: page,
    encoding: 'utf8',
    env: { ...process.env, MANWIDTH: '100', LC_ALL: 'C.UTF-8' },
  });
  if (error !== undefined || stdout.length < 1000) return console.log('man shows no pages on this system');
  assert.is(stderr, '');
  assert.match(stdout, /--exclude-fragment/);
});

tests.run();
