import { spawnSync } from 'node:child_process';
import { linkSync, openSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { text, texts } from '../../../src/command/arguments/flag.ts';
import { mustNotClash } from '../../../src/command/commands/named-files.ts';
import { type Fault, isFault } from '../../../src/command/fault.ts';
import { openIndexes } from '../../../src/command/work/indexes.ts';
import { PROFILE } from '../../../src/index.ts';
import { FOLDER, file } from '../../support/scratch.ts';
import { spawned, textOf } from '../command.ts';

const tests = suite('files that a command line names');

const FLAGS = {
  out: text('FILE', '', { isPath: true }),
  unseen: text('INDEX', '', { isPath: true }),
  against: texts('FILE', '', { isPath: true }),
  base: text('URL', ''),
};

const at = (name: string) => join(FOLDER, name);

function refusal(values: Record<string, unknown>, operands: readonly string[] = [], isInputRead = true): string {
  try {
    mustNotClash(FLAGS, values, operands, isInputRead);
    return '';
  } catch (error) {
    assert.ok(isFault(error, 'usage'));
    return (error as Fault).message;
  }
}

file('a.idx', 'a');
linkSync(at('a.idx'), at('hard.idx'));
symlinkSync('a.idx', at('soft.idx'));
symlinkSync('new.idx', at('dangling.idx'));

tests('--out is refused where it is the file of another option: by name, symbolic link and hard link', () => {
  for (const out of ['a.idx', 'hard.idx', 'soft.idx', '../' + FOLDER.split('/').at(-1) + '/a.idx']) {
    assert.match(refusal({ out: at(out), unseen: at('a.idx') }), /is the file of --unseen, which this run still needs/);
    assert.match(refusal({ out: at(out), against: [at('b.idx'), at('a.idx')] }), /is the file of --against/);
  }
  for (const out of ['new.idx', 'dangling.idx'])
    assert.match(refusal({ out: at(out), unseen: at('new.idx') }), /is the file of --unseen/, 'not there yet');
  assert.is(refusal({ out: at('other'), unseen: at('a.idx'), against: ['/dev/null'], base: at('other') }), '');
  assert.is(refusal({ out: '/dev/null', against: ['/dev/null'] }), '', 'a device is not replaced');
  assert.is(refusal({ out: at('a.idx') }, [at('a.idx')]), '', 'an input is replaced at the end');
});

tests('the name of a file is not empty', () => {
  for (const values of [{ unseen: '' }, { against: ['a', ''] }])
    assert.match(refusal(values), /^--(?:unseen|against): the name of a file cannot be empty$/);
  for (const command of ['index --info', 'list info', 'hash-uri check', 'hash-uri name', 'list build --out x'])
    assert.match(textOf([...command.split(' '), '']).stderr, /^urlsum: an argument is empty: /, command);
});

tests('standard input is read once', () => {
  assert.match(refusal({ against: ['-'] }), /standard input can be read only once, not as both --against and FILE/);
  assert.match(refusal({ against: ['-', '-'] }, ['a']), /--against and --against/);
  assert.match(refusal({ unseen: '-', jobs: 2 }, ['a']), /--unseen - and --jobs cannot be combined/);
  assert.is(refusal({ against: ['-'], jobs: 2 }, ['a']), '');
  assert.is(refusal({ against: ['-'] }, [], false), '', 'a command without inputs');
});

tests('urlsum --unseen X --out X, index --merge --out A A: nothing is written', () => {
  const index = at('seen.idx');
  textOf(['index', '-o', index], 'https://a/\n');
  const before = readFileSync(index);
  for (const args of [
    ['--unseen', index, '--out', index],
    ['--unseen', index, '--out', `${index}.lock`],
    ['--against', index, '-o', index],
    ['index', '--merge', '-o', index, index],
  ]) {
    const { status, stderr } = textOf(args, 'https://b/\n');
    assert.is(status, 2, args.join(' '));
    assert.match(stderr, /which this run still needs: write to another file\nTry/);
    assert.ok(readFileSync(index).equals(before), args.join(' '));
  }
});

tests('--out may be an input, as with sort -o, and the help says so', () => {
  const path = file('in-place', 'https://a/\n');
  assert.is(textOf(['canon', path, '-o', path]).status, 0);
  assert.is(readFileSync(path, 'utf8'), 'https://a/\n');
  assert.match(textOf(['--help']).stdout, /-o, --out FILE .*it may be an input, too/);
});

tests('standard output is no input: it would be empty, or grow as it is read', () => {
  for (const [flag, text] of [
    ['w', ''],
    ['a', 'https://a/\n'],
  ] as const)
    for (const operands of [['PATH'], ['https://b/', 'PATH'], ['-'], []]) {
      const path = file('fed', 'https://a/\n');
      const args = operands.map((each) => (each === 'PATH' ? path : each));
      const stdio = [openSync(path, 'r'), openSync(path, flag), 'pipe'] as const;
      const { status, stderr } = spawnSync(process.execPath, ['dist/esm/cli.js', ...args], { stdio: [...stdio] });
      assert.is(status, 2);
      assert.match(
        stderr.toString(),
        /^urlsum: standard output is the input (?:-|\/.*\/fed): write to another file, or with/,
      );
      assert.is(readFileSync(path, 'utf8'), text);
    }
});

tests('an index does not replace the URLs that it is made of', () => {
  const path = file('urls-kept', 'https://a/\n');
  for (const [command, kind] of [
    ['index', 'index'],
    ['list build', 'list'],
  ] as const) {
    const { status, stderr } = textOf([...command.split(' '), '--out', path, path]);
    assert.is(status, 2);
    assert.match(stderr, `--out ${path} is the input ${path}: the ${kind} would replace what it is made of`);
    const redirected = spawnSync(process.execPath, ['dist/esm/cli.js', ...command.split(' '), '--out', path], {
      stdio: [openSync(path, 'r'), 'pipe', 'pipe'],
    });
    assert.is(redirected.status, 2);
    assert.match(redirected.stderr.toString(), `--out ${path} is the input -: the ${kind} would replace`);
    assert.is(readFileSync(path, 'utf8'), 'https://a/\n');
  }
});

tests('- is standard input for indexes, and standard output for --out', () => {
  const index = at('from-standard-input.idx');
  assert.is(textOf(['index', '-o', index], 'https://a/\n').status, 0);
  const bytes = readFileSync(index);
  assert.match(spawned(['index', '--info', '-'], bytes).stdout.toString(), /^hashes +1\n/);
  const merged = at('merged.idx');
  assert.is(spawned(['index', '--merge', '-o', merged, '-'], bytes).status, 0);
  assert.ok(readFileSync(merged).equals(bytes));
  assert.is(spawned(['--against', '-', 'https://a/'], bytes).stdout.toString().slice(66), 'https://a/\n');
  assert.is(textOf(['canon', '-o', '-', 'HTTPS://A']).stdout, 'https://a/\n');
});

tests('an index that is not there: a sentence, in place of the text of the system', () => {
  const none = at('none.idx');
  assert.throws(() => openIndexes([none], { width: 32, profile: PROFILE }), `${none}: no such file`);
});

tests.run();
