import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { FOLDER, file } from '../support/scratch.ts';
import { SCALE } from '../support/seed.ts';
import { mustGive, spawned, textOf, urlsum } from './command.ts';

const tests = suite('what all commands that read lines have in common');

const SAMPLE = readFileSync('bench/sample/urls.txt', 'utf8');
const SUMS = urlsum([], SAMPLE).stdout.toString();
const SHA1 = 'hashed:sha1=87ed28009f511ed7ef630180a229ba257180a481';

/** Each command, and text in which it finds bad lines. */
const COMMANDS: readonly (readonly [args: readonly string[], text: string])[] = [
  [[], SAMPLE],
  [['canon'], SAMPLE],
  [['canon', '--profile', 'web-risk'], SAMPLE],
  [['canon', '--profile', 'hashed-uri-p'], SAMPLE],
  [['expressions', '--prefix', '4'], SAMPLE],
  [['hashed-uri'], SAMPLE],
  [['hash-uri', 'parse'], SAMPLE],
  [['--check'], `${SUMS}malformed\n`],
];
/** Commands that say nothing of any line. */
const QUIET: typeof COMMANDS = [[['hash-uri', 'find'], `${SAMPLE}FA47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU\n`]];
const MATCH: typeof COMMANDS = [[['hashed-uri', '--match', SHA1], `${SAMPLE}http://www.thus.net\n`]];

for (const [args, text] of [...COMMANDS, ...QUIET, ...MATCH]) {
  const name = ['urlsum', ...args].join(' ').replace(/hashed:.*/, 'HASHED');
  const path = file(`lines-${name.replaceAll(/[^a-z]/g, '-')}`, text);
  const plain = urlsum([...args, path]);

  tests(`${name}: the same in a process of its own`, () => {
    assert.equal(spawned([...args, path]), plain);
  });

  tests(`${name} --zero: the same between NULs`, () => {
    assert.ok(plain.stdout.length > 40);
    const zero = urlsum([...args, '-z'], text.replaceAll('\n', '\0'));
    assert.ok(zero.stdout.toString() === plain.stdout.toString().replaceAll('\n', '\0'));
    assert.is(zero.status, plain.status);
  });

  tests(`${name} --out: the same in a file`, () => {
    const out = `${FOLDER}/out`;
    mustGive(urlsum([...args, '--out', out, path]), { status: plain.status, stdout: '' });
    assert.ok(readFileSync(out).equals(plain.stdout));
  });

  tests(`${name} --stats=json: its lines, bad ones by reason`, () => {
    const { stdout, stderr } = urlsum([...args, '--stats=json', '--quiet', path]);
    const { lines, bytes, invalid, invalidByReason, threads } = JSON.parse(
      stderr.split('\n').find((line) => line.startsWith('{'))!,
    ) as {
      [name: string]: unknown;
      invalidByReason: Record<string, number>;
    };
    assert.equal([lines, bytes, threads], [text.split('\n').length - 1, Buffer.byteLength(text), 1]);
    assert.is(
      Object.values(invalidByReason).reduce((sum, count) => sum + count, 0),
      invalid,
    );
    assert.ok(QUIET.some(([each]) => each === args) ? invalid === 0 : Number(invalid) > 0);
    if (args[0] !== '--check') assert.ok(stdout.equals(plain.stdout));
  });

  tests(`${name} --skip-blank: blank lines are passed over, and counted`, () => {
    const lines = text.split('\n').slice(0, 12);
    const blank = `\n${lines.map((line) => `${line}\n \t\r\n\n`).join('')}http://[`;
    const { stdout, stderr } = textOf([...args, '--skip-blank', '--all-errors'], blank);
    const without = textOf([...args, '--all-errors'], `${lines.join('\n')}\nhttp://[`);
    if (args[0] === 'expressions') assert.match(stdout, /^2\t/);
    else assert.is(stdout, without.stdout);
    if (!QUIET.some(([each]) => each === args)) assert.match(stderr, /^urlsum: -:38: /m);
  });
}

// test/command/commands/sum.test.ts has the command without a name, in every format
for (const [number, [args, text]] of [...COMMANDS, ...QUIET].entries()) {
  if (args.length === 0) continue;
  const name = ['urlsum', ...args].join(' ');
  tests(`${name} -j: the same bytes and complaints, of files, pipes and between NULs`, () => {
    const many = text.repeat(5); // more than a thread takes of a file at a time
    const path = file('many', many);
    const one = urlsum([...args, path]);
    const two = urlsum([...args, '-j', '2', path]);
    assert.ok(two.stdout.equals(one.stdout) && one.stdout.length > 300);
    assert.equal([two.status, two.stderr], [one.status, one.stderr]);
    const isLong = SCALE >= 10;
    if (isLong || number % 4 === 0) assert.ok(urlsum([...args, '-j', '3'], many).stdout.equals(one.stdout));
    if (!isLong && number % 4 !== 2) return;
    const zero = urlsum([...args, '-j', '2', '-z'], many.replaceAll('\n', '\0')).stdout.toString();
    assert.ok(zero === one.stdout.toString().replaceAll('\n', '\0'));
  });
}

for (const [args, text] of COMMANDS) {
  const name = ['urlsum', ...args].join(' ');
  const bad = text
    .split('\n')
    .slice(0, -1)
    .concat(Array.from({ length: 30 }, () => 'http://['));
  const isCheck = args[0] === '--check';

  tests(`${name}: the first ten bad lines, then counts by reason; --all-errors all, --quiet none`, () => {
    const input = bad.join('\n');
    const shown = (stderr: string) => stderr.split('\n').filter((line) => /^urlsum: -:\d+: /.test(line)).length;
    const [few, all] = [textOf([...args], input), textOf([...args, '--all-errors'], input)];
    assert.is(shown(few.stderr), 10);
    assert.ok(shown(all.stderr) >= 30);
    const total = /^urlsum: (\d+) bad lines, 10 shown \(--all-errors shows each\):$/m.exec(few.stderr)?.[1];
    assert.is(Number(total), shown(all.stderr));
    const counts = few.stderr.matchAll(/^urlsum: +(\d+) [a-z]\S+$/gim);
    assert.is(
      [...counts].reduce((sum, [, count]) => sum + Number(count), 0),
      Number(total),
    );
    if (isCheck) return;
    mustGive(textOf([...args, '--quiet'], input), { stdout: all.stdout, stderr: '' });
    assert.is(textOf([...args, '--quiet', '--all-errors'], '').status, 2);
  });

  tests(`${name} --exit-zero: status 0 although lines are bad; trouble stays 2`, () => {
    assert.is(urlsum([...args, '--exit-zero'], text).status, 0);
    assert.is(urlsum(args, text).status, 1);
    assert.is(urlsum([...args, '--exit-zero', `${FOLDER}/none`], text).status, 2);
    if (!isCheck) assert.is(urlsum([...args, '--exit-zero', '--on-error', 'fail'], text).status, 1);
  });

  tests(`${name}: a file that is not there is named, and the others are read`, () => {
    const path = file('there', text);
    const [one, two] = [urlsum([...args, path]), urlsum([...args, path, `${FOLDER}/none`])];
    mustGive(two, { status: 2, stdout: one.stdout.toString(), says: /^urlsum: \S+none: no such file\n/m });
    assert.is(urlsum([...args, `${FOLDER}/none`, path]).stdout.length, one.stdout.length);
  });

  if (isCheck) continue;

  tests(`${name} --on-error: null, keep, skip, fail`, () => {
    const good = args[0] === 'hash-uri' ? 'FA47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU' : 'http://a.example/';
    const output = (onError: string) => textOf([...args, '--on-error', onError], `${good}\nhttp://[\n${good}\n`).stdout;
    const [line] = textOf(args, good).stdout.split('\n');
    const third = args[0] === 'expressions' ? line!.replace('1', '3') : line;
    assert.is(output('skip'), `${line}\n${third}\n`);
    assert.is(output('fail'), `${line}\n`);
    const lines = output('keep').split('\n');
    assert.ok(args.length === 0 || lines[1]!.includes('http://['), lines[1]);
    assert.is(lines.length, 4);
    assert.is(output('null').split('\n').length, args[0] === 'expressions' ? 3 : 4);
  });

  if (args[0] === 'expressions') continue;

  tests(`${name} --column: a table with a column more, which a CSV reader takes for one`, () => {
    const good = args[0] === 'hash-uri' ? 'FA47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU' : 'http://a.example/';
    const form = textOf([...args, ...(args.length === 0 ? ['--format', 'hex'] : [])], good).stdout.trimEnd();
    const field = /[",]/.test(form) ? `"${form.replaceAll('"', '""')}"` : form;
    const table = `n,url\r\n1,${good}\r\n2,http://[\r\n3,"${good}"\r\n`;
    const { stdout, stderr } = textOf([...args, '--csv', '-f', 'url'], table);
    const [header, ...records] = stdout.split('\r\n');
    assert.match(header!, /^n,url,[a-z_-]+$/);
    assert.equal(records, [`1,${good},${field}`, '2,http://[,', `3,"${good}",${field}`, '']);
    assert.match(stderr, /^urlsum: -:3: /);
    const tsv = textOf([...args, '--tsv', '-f', '2'], `x\t${good}\n`).stdout;
    assert.is(tsv, `x\t${good}\t${form}\n`);
  });
}

tests('expressions of a column: records are counted, the header too', () => {
  const table = 'n,url\n1,http://a.example/\n2,"http://b.example/"\n';
  mustGive(textOf(['expressions', '--csv', '-f', 'url'], table), { stdout: '2\ta.example/\n3\tb.example/\n' });
});

tests.run();
