import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Diagnostics } from '../../../src/command/arguments/diagnostics.ts';
import { parseArguments } from '../../../src/command/arguments/flag.ts';
import { CANON } from '../../../src/command/commands/canon.ts';
import { SUM } from '../../../src/command/commands/sum.ts';
import { kernelName, PROFILE, UrlHash } from '../../../src/index.ts';
import { sampleLines } from '../../support/data.ts';
import { ENVIRONMENT } from '../../support/environment.ts';
import { file, FOLDER as folder } from '../../support/scratch.ts';
import { cases, SCALE } from '../../support/seed.ts';
import { mustGive, spawned, textOf, urlsum } from '../command.ts';

const tests = suite('urlsum');

const LINES = ['https://example.com/', 'HTTP://Example.com:80', 'no url', 'https://bücher.example/\tx', ''];
const TEXT = `${LINES.join('\n')}\n`;

function hex(line: string): string {
  return URL.canParse(line) ? UrlHash.of(line).hex : '';
}

/** Runs a shell script in which `urlsum` is the command and "$OUT" a file to come, and returns what came there. */
function shell(script: string): { readonly status: number | null; readonly stderr: string; readonly out: Buffer } {
  const OUT = file('redirected', '');
  const command = `urlsum() { '${process.execPath}' dist/esm/cli.js "$@"; }`;
  const { status, stderr } = spawnSync('bash', ['-c', `${command}; ${script}`], {
    env: { ...ENVIRONMENT, OUT },
    encoding: 'utf8',
  });
  return { status, stderr, out: readFileSync(OUT) };
}

tests('one line out per line in: hash, two spaces, the line as given', () => {
  const { status, stdout, stderr } = urlsum([], TEXT);
  assert.is(stdout.toString(), LINES.map((line) => `${hex(line)}  ${line}\n`).join(''));
  assert.is(status, 1);
  assert.match(stderr, /^urlsum: -:3: .*missing-scheme.*\nurlsum: -:5: .*\n$/);
});

tests('all fine: exit status 0 and silence on standard error', () => {
  const { status, stdout, stderr } = urlsum([], 'https://example.com/');
  assert.is(stdout.toString(), `${hex('https://example.com/')}  https://example.com/\n`);
  assert.is(status, 0);
  assert.is(stderr, '');
});

tests('files in order, - among them, an unreadable one reported and passed over', () => {
  const [one, two] = [file('one', 'http://a/\n'), file('two', 'http://b/')];
  mustGive(urlsum([one, join(folder, 'none'), '-', two], 'http://c/\r\n'), {
    status: 2,
    stdout: ['http://a/', 'http://c/', 'http://b/'].map((line) => `${hex(line)}  ${line}\n`).join(''),
    says: /none: no such file/,
  });
});

tests('line ends and byte order marks', () => {
  mustGive(urlsum(['--format', 'hex'], '\ufeffhttp://a/\r\nhttp://b/\n\ufeffhttp://c/\r\n\nhttp://d/\r'), {
    stdout: ['http://a/', 'http://b/', '', '', 'http://d/'].map((line) => `${hex(line)}\n`).join(''),
  });
});

tests('bytes that are not UTF-8 pass through, and do not end the run', () => {
  const input = Buffer.from('http://a/\xff\nhttp://b/\n', 'latin1');
  const { status, stdout } = urlsum([], input);
  assert.is(status, 0);
  assert.ok(stdout.includes(Buffer.from('  http://a/\xff\n', 'latin1')));
  assert.is(stdout.toString('latin1').slice(0, 64), UrlHash.of('http://a/\ufffd').hex);
});

tests('bin: a bad line is zeros, the hash of its bytes, nothing, or the end', () => {
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  const [one, bad, two] = [sha256('http://a/'), sha256('bad'), sha256('http://b/')];
  for (const [way, hashes] of [
    ['null', [one, '0'.repeat(64), two]],
    ['keep', [one, bad, two]],
    ['skip', [one, two]],
    ['fail', [one]],
  ] as const) {
    const { status, stdout } = urlsum(['--on-error', way, '--format', 'bin'], 'http://a/\nbad\nhttp://b/\n');
    assert.equal([status, stdout.toString('hex')], [1, hashes.join('')], way);
  }
});

tests('--version, --help and hashes into a closed pipe and onto a full disk', () => {
  for (const option of ['--version', '--help', 'https://a.example/']) {
    const closed = shell(
      `(trap '' PIPE; while printf x 2> /dev/null; do :; done; urlsum ${option}; echo $? > "$OUT") | true`,
    );
    assert.equal([closed.out.toString(), closed.stderr], ['0\n', '']);
    if (!existsSync('/dev/full')) continue;
    const full = shell(`urlsum ${option} > /dev/full`);
    assert.is(full.status, 2);
    assert.match(full.stderr, /^urlsum: standard output: ENOSPC[^\n]*\n$/);
  }
});

tests('a file that says it is empty, and is not', () => {
  if (!existsSync('/proc/version')) return console.log('no /proc on this system');
  for (const threads of ['1', '2'])
    assert.is(urlsum(['-j', threads, '/proc/version']).stdout.toString(), `  ${readFileSync('/proc/version', 'utf8')}`);
});

tests('--version: the profile and the kernel', () => {
  assert.match(
    urlsum(['--version']).stdout.toString(),
    new RegExp(`^urlsum \\d+\\.\\d+\\.\\d+\\S* profile ${PROFILE.replace('+', '\\+')} kernel simd\n$`),
  );
  assert.match(spawned(['--version'], '', { URLSUM_KERNEL: 'js' }).stdout.toString(), /kernel js\n$/);
});

tests('-j: the same bytes and complaints, for every format and selection, of files, pipes and packed files', () => {
  const sample = Buffer.from(`${sampleLines().join('\n')}\n`);
  const many = Buffer.concat(Array.from({ length: 5 }, () => sample)); // more than a thread takes of a file at a time
  const plain = file('many', Buffer.concat([Buffer.from('\ufeff'), many]));
  const packed = file('many.gz', gzipSync(many));
  const options = [
    [],
    ['--format', 'bin'],
    ['--format', 'ndjson', '--width', '8'],
    ['--on-error', 'keep'],
    ['--on-error', 'skip', '--format', 'u64'],
    ['--on-error', 'fail'],
    ['--dedup'],
    ['--format', 'hex', '--stats'],
  ];
  for (const [number, each] of options.entries()) mustAgree(each, number);

  /** Packed files and pipes have nothing to do with most options: a long run tries all together. */
  function mustAgree(options: readonly string[], number: number): void {
    const isSampled = SCALE >= 10 || number % 4 === 0;
    for (const path of isSampled ? [plain, packed] : [plain]) {
      const [one, two] = [urlsum([...options, path]), urlsum([...options, '-j', '2', path])];
      assert.ok(one.stdout.equals(two.stdout) && one.stdout.length > 0, options.join(' '));
      assert.is(two.status, one.status, options.join(' '));
      if (options.includes('--stats')) assert.match(two.stderr, /2 threads/);
      else assert.is(two.stderr, one.stderr, options.join(' '));
    }
    if (SCALE >= 10 || number % 4 === 1)
      assert.ok(urlsum([...options, '-j', '3'], many).stdout.equals(urlsum(options, many).stdout));
  }
  assert.is(urlsum(['-j', '2', join(folder, 'none')]).status, 2);
  for (const bad of [
    ['-j', 'x'],
    ['-j', '-1'],
  ])
    assert.is(urlsum(bad, 'http://a/\n').status, 2, bad.join(' '));
});

tests('a reader that stops early ends it quietly', async () => {
  const child = spawn(process.execPath, ['dist/esm/cli.js', file('many', 'https://example.com/\n'.repeat(500_000))], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
  await once(child.stdout, 'data');
  child.stdout.destroy();
  const [status] = (await once(child, 'close')) as [number];
  assert.is(status, 0);
  assert.is(stderr, '');
});

tests('a named pipe, on one thread and on two', () => {
  const pipe = join(folder, 'pipe');
  for (const threads of ['1', '2']) {
    const { status, out } = shell(
      `mkfifo '${pipe}'; { printf 'http://a/\\n'; sleep 0.2; printf 'http://b/\\n'; } > '${pipe}' & urlsum -j ${threads} --format hex '${pipe}' > "$OUT"; status=$?; rm '${pipe}'; exit $status`,
    );
    assert.is(status, 0);
    assert.is(out.toString(), `${hex('http://a/')}\n${hex('http://b/')}\n`);
  }
});

tests('standard output is a file: written in its place, after and before what others write', () => {
  const many = file(
    'many',
    'https://example.com/\n'.repeat(50_000) + 'nonsense\n' + 'https://example.com/a\n'.repeat(50_000),
  );
  const piped = urlsum(['--on-error', 'null', many]).stdout;
  for (const redirection of ['>', '>>']) {
    const { status, out } = shell(
      `{ echo before; urlsum --on-error null '${many}'; echo behind; } ${redirection} "$OUT"`,
    );
    assert.is(status, 0);
    assert.ok(out.equals(Buffer.concat([Buffer.from('before\n'), piped, Buffer.from('behind\n')])));
  }
});

tests('standard output is a file: it holds what was complete before an error', () => {
  const many = file(
    'many',
    'https://example.com/\n'.repeat(50_000) + 'nonsense\n' + 'https://example.com/a\n'.repeat(50_000),
  );
  const { status, out } = shell(`urlsum --on-error fail --format bin '${many}' > "$OUT"`);
  assert.is(status, 1);
  assert.is(out.length, 50_000 * 32);
});

tests('standard output is a file on a full disk: exit status 2', () => {
  const many = file('many', 'https://example.com/\n'.repeat(50_000));
  // A limit on the size of files stands in for a full disk: EFBIG where that says ENOSPC
  const { status, stderr, out } = shell(`trap '' XFSZ; ulimit -f 1000; urlsum '${many}' > "$OUT"`);
  assert.is(status, 2);
  assert.match(stderr, /^urlsum: standard output: EFBIG/);
  assert.is(out.length, 1000 * 1024);
});

tests('lines of megabytes', () => {
  const long = `http://a/${'x'.repeat(5 << 20)}`;
  const { status, stdout } = urlsum(['--format', 'hex'], `http://a/\n${long}\nhttp://b/\n`);
  assert.is(status, 0);
  assert.is(stdout.toString(), ['http://a/', long, 'http://b/'].map((line) => `${hex(line)}\n`).join(''));
});

/** The bytes that a run had at most. */
function peakMemory(lines: number): number {
  const input = file(
    `lines-${lines}`,
    'https://example.com/some/path/to/a/page.html?with=a&query=string\n'.repeat(lines),
  );
  const command = ['dist/esm/cli.js', '--format', 'bin', '--stats=json', input];
  const { stderr } = spawnSync(process.execPath, command, { encoding: 'utf8', maxBuffer: 1 << 30 });
  return (JSON.parse(stderr) as { peakMemoryBytes: number }).peakMemoryBytes;
}

tests('memory does not grow with the input', () => {
  const lineCount = Math.min(cases(200_000), 1_000_000);
  const [small, large] = [peakMemory(lineCount), peakMemory(5 * lineCount)];
  // five times the input is 50 MB more at scale 1
  assert.ok(large > 0 && large < small + 30e6, `${small} bytes for ${lineCount} lines, ${large} for 5 times that`);
});

tests('bin, indexes and lists are not written to a terminal, by any of its names', () => {
  const [list, index] = [file('terminal.list', ''), file('terminal.idx', '')];
  urlsum(['list', 'build', '--out', list], 'evil.example\n');
  urlsum(['index', '--out', index], 'http://a/\n');
  /** Runs all lines on one terminal, and returns the exit status of each. */
  const statuses = (lines: readonly string[]) => {
    const script = lines.map((line) => `${line} </dev/null; echo "[$?]"`).join('\n');
    const run = spawnSync('script', ['-qec', script, '/dev/null'], { env: ENVIRONMENT, input: '' });
    if (run.error !== undefined) return undefined; // a machine without util-linux
    const said = run.stdout.toString();
    return { said, found: [...said.matchAll(/\[(\d)\]/g)].map(([, status]) => Number(status)) };
  };
  const command = `${process.execPath} dist/esm/cli.js`;
  const bin = `${command} --format bin https://a/`;
  const others = ['index', `index --merge ${index}`, 'list build', `list merge ${list}`, `list diff ${list}`].map(
    (name) => `${command} ${name}`,
  );
  const places = ['--out -', '--out /dev/stdout', '--out /dev/tty', '--out /proc/self/fd/2', '--out "$(tty)"'];
  const refused = [
    bin,
    ...places.map((place) => `${bin} ${place}`),
    ...others.map((each, at) => `${each} ${places[at]}`),
  ].map((line) => line.replace('"$(tty)"', '"$(tty </dev/tty)"'));
  const run = statuses(refused);
  if (run === undefined) return;
  assert.equal(run.found, Array(refused.length).fill(2), run.said);
  assert.is(run.said.match(/is not for a terminal: write to a file with --out/g)?.length, refused.length, run.said);
  for (const what of ['--format bin', 'what urlsum index --merge writes', 'what urlsum list diff writes'])
    assert.ok(run.said.includes(`${what} is not for a terminal`), what);
  const taken = [
    `${bin} --out /dev/null`,
    `${bin} | cat >/dev/null`,
    `${bin} --out /dev/stdout | cat >/dev/null`,
    `${command} list diff --json --out - ${list}`,
  ];
  assert.equal(statuses(taken)!.found, [0, 0, 0, 0]);
});

for (const command of [SUM, CANON]) {
  for (const name of ['js', 'simd']) {
    tests(`--kernel: the plan is made with ${name}`, async () => {
      const { values } = parseArguments(command.flags, ['--kernel', name]);
      assert.ok('plan' in command);
      await command.plan(values, [], new Diagnostics());
      assert.is(kernelName(), name);
    });
  }
}

tests('--kernel: each kernel prints the same, with threads too; another name is refused', () => {
  const input = 'https://example.com/\nHTTP://Example.org:80\nx\n';
  const plain = textOf([], input).stdout;
  for (const kernel of ['simd', 'js'])
    for (const jobs of ['1', '2']) assert.is(spawned(['--kernel', kernel, '-j', jobs], input).stdout.toString(), plain);
  const { status, stderr } = textOf(['--kernel', 'smid'], input);
  assert.is(status, 2);
  assert.match(stderr, /--kernel must be one of simd, js, not 'smid' \(did you mean 'simd'\?\)/);
});

tests.run();
