import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ENVIRONMENT } from '../../support/environment.ts';
import { FOLDER, file } from '../../support/scratch.ts';
import { SCALE } from '../../support/seed.ts';
import { parquet } from '../parquet.ts';

const tests = suite('a file is opened once in a run');
const HOOK = pathToFileURL(join(process.cwd(), 'test/command/operand-opens.mjs')).href;
const OPENS = join(FOLDER, 'opens');

/** Two ranges of a thread. */
const LINE_COUNT = 2000;
const PADDING = 'some-padding-of-a-line'.repeat(30);
const linesOf = (host: string) =>
  Array.from({ length: LINE_COUNT }, (_, row) => `https://${host}.example/${row}?keep=1&drop=${PADDING}\n`);
const OLD = linesOf('old').join('');
const NEW = linesOf('new').join('');

type Content = string | Uint8Array;

interface Run {
  readonly status: number | null;
  readonly output: string;
  readonly opens: readonly string[];
  /** Whether the file was replaced before the run had ended. */
  readonly isReplaced: boolean;
}

/** Runs the command on a copy of `content`, which `other` replaces after so many calls. */
function run(args: (path: string) => readonly string[], content: Content, other: Content, replacedAfter = 0): Run {
  const path = file('operand.txt', content);
  writeFileSync(`${path}.other`, other);
  rmSync(OPENS, { force: true });
  const { status, stdout } = spawnSync(process.execPath, ['--import', HOOK, 'dist/esm/cli.js', ...args(path)], {
    env: { ...ENVIRONMENT, URLSUM_OPERAND: path, URLSUM_OPENS: OPENS, URLSUM_REPLACED_AFTER: String(replacedAfter) },
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  const opens = existsSync(OPENS) ? readFileSync(OPENS, 'utf8').trimEnd().split('\n') : [];
  return { status, output: stdout, opens, isReplaced: !existsSync(`${path}.other`) };
}

/** Threads read all of these by the same way as a table, and are tried on that alone in a short run. */
const IN_LONG_RUN = [
  ...['lines, by threads', 'lines in order, by threads', 'canon, by threads', 'rules, by threads'],
  'Parquet, by threads',
];
const RULES = ['old', 'new'].map((kept) => `${kept}.example keep keep\n`) as [string, string];
const both = file('both.txt', OLD + NEW);
const sums = file('sums.txt', `${'0'.repeat(64)}  https://old.example/\n`);
/** The column of one is the second of the other. */
const TABLES = [
  ['url', 'other'],
  ['other', 'url'],
].map((names) =>
  parquet(names.map((name) => ({ name, data: [`https://${names.join('.')}/${name}`], type: 'STRING' }))),
) as [Uint8Array, Uint8Array];
const COMMANDS: readonly (readonly [
  name: string,
  args: (path: string) => readonly string[],
  content?: Content,
  other?: Content,
])[] = [
  ['lines', (path) => [path]],
  ['lines, by threads', (path) => ['-j', '2', path]],
  ['lines in order, by threads', (path) => ['-j', '2', '--dedup', path]],
  ['a table, by threads', (path) => ['-j', '2', '--tsv', '-f', '1', path]],
  ['canon, by threads', (path) => ['canon', '-j', '2', path]],
  ['rules', (path) => ['--site-rules', path, both], ...RULES],
  ['rules, by threads', (path) => ['-j', '2', '--site-rules', path, both], ...RULES],
  ['Parquet', (path) => ['-f', 'url', path], TABLES[0], TABLES[1]],
  ['Parquet, by threads', (path) => ['-j', '2', '-f', 'url', path], TABLES[0], TABLES[1]],
  ['a check', (path) => ['--check', path], readFileSync(sums, 'utf8'), readFileSync(sums, 'utf8')],
];

for (const [name, args, content = OLD, other = NEW] of COMMANDS) {
  if (SCALE < 10 && IN_LONG_RUN.includes(name)) continue;
  tests(`${name}: opened once; replaced at any step, the output is that of one file`, () => {
    const [old, replaced] = [run(args, content, other), run(args, other, content)];
    assert.is(old.opens.length, 1, old.opens.join(', '));
    assert.ok(old.output.length > 0);
    let steps = 0;
    for (let isReplaced = true; isReplaced; steps++) {
      const found = run(args, content, other, steps + 1);
      isReplaced = found.isReplaced;
      const isOne = found.output === old.output || found.output === replaced.output;
      assert.ok(isOne, `after ${steps + 1} calls: status ${found.status}, ${found.output.length} characters`);
      assert.is(found.status, old.status);
      assert.ok(steps < 100);
    }
    assert.ok(steps > 1, 'no step was found');
  });
}

tests('a query in SQL: replaced at any step, the output is that of one file, or an error', () => {
  for (const format of SCALE < 10 ? ['csv'] : ['csv', 'ndjson']) {
    const args = (path: string) => ['sql', '--format', format, `FROM read_parquet('${path}')`];
    const whole = TABLES.map((table) => run(args, table, table).output);
    const statuses = new Set<number | null>();
    for (let steps = 1, isReplaced = true; isReplaced; steps++) {
      const found = run(args, TABLES[0]!, TABLES[1]!, steps);
      isReplaced = found.isReplaced;
      statuses.add(found.status);
      assert.ok(found.status === 2 || (found.status === 0 && whole.includes(found.output)), `after ${steps} calls`);
      assert.ok(steps < 100);
    }
    assert.equal([...statuses].sort(), [0, 2]);
  }
});

tests('an index: opened once', () => {
  const index = join(FOLDER, 'known.idx');
  spawnSync(process.execPath, ['dist/esm/cli.js', 'index', '--out', index, both]);
  rmSync(OPENS, { force: true });
  const args = ['--against', index, '--width', '8', '-j', '2', both];
  const { status } = spawnSync(process.execPath, ['--import', HOOK, 'dist/esm/cli.js', ...args], {
    env: { ...ENVIRONMENT, URLSUM_OPERAND: index, URLSUM_OPENS: OPENS },
    maxBuffer: 1 << 28,
  });
  assert.is(status, 0);
  assert.equal(readFileSync(OPENS, 'utf8'), 'openSync\n');
});

tests.run();
