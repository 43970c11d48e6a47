// Runs the built test files, several processes at a time: one line per file, the failures whole, the slowest files and
// the total at the end.
//
//   node test/run.mjs [FILTER…]    the files whose path contains one of the filters; without one, all but those APART
//   URLSUM_SEED=…                  other random cases; they are the same on every run otherwise
//   URLSUM_TEST_SCALE=…            how many times as many of them
//   URLSUM_TEST_JOBS=…             processes at a time, instead of one per core
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';

const FOLDER = 'build/test';
/** The names of the files in which tests did not run, for a run that has what they need. */
const GAPS = 'build/tests-with-gaps.txt';
const IS_LONG = Number(process.env.URLSUM_TEST_SCALE ?? 1) > 1;
const JOBS = Number(process.env.URLSUM_TEST_JOBS ?? availableParallelism());
/** A run of their own, in CI: what takes other programs, or a process for each of many cases; over half of all time. */
const APART = [
  ...['bench/rivals', 'command/commands/sql', 'command/read/open-once', 'command/serve/alone', 'core/kernel/proof/'],
  ...['demo/', 'docs/blocks', 'module/', 'package/', 'regular-expressions', 'service/http/container'],
  ...['service/http/extension', 'tables/', 'unicode-versions'],
];
/** A file that takes this long hangs: the longest of a long run takes a third of it. */
const TIMEOUT_MS = 30 * 60_000;
/** These take longest, so they start first: started last, one would keep a single core busy at the end. */
const FIRST = [
  'demo/page',
  'core/kernel/proof',
  'package/',
  'docs/blocks',
  'command/',
  'bench/rivals',
  'vectors/',
  'ways',
];

const filters = process.argv.slice(2);
const order = (name) => {
  const place = FIRST.findIndex((prefix) => name.startsWith(prefix));
  return place === -1 ? FIRST.length : place;
};
const all = readdirSync(FOLDER, { recursive: true })
  .filter((path) => path.endsWith('.test.mjs'))
  .map((path) => path.replace(/\.test\.mjs$/, ''));
const isApart = (name) => filters.length === 0 && !IS_LONG && APART.some((part) => name.includes(part));
const apart = all.filter(isApart);
const names = all
  .filter((name) => !apart.includes(name))
  .filter((name) => filters.length === 0 || filters.some((filter) => name.includes(filter)))
  .sort((a, b) => order(a) - order(b) || (a < b ? -1 : 1));

const temporary = mkdtempSync(join(tmpdir(), 'urlsum-'));
process.on('exit', () => rmSync(temporary, { recursive: true, force: true, maxRetries: 3 }));

/**
 * Each file has a folder for temporary files of its own, so that no test sees those of another. Its name is short:
 * Chromium makes a socket in it, whose path has at most 107 bytes.
 */
function temporaryFolder(name) {
  const folder = join(temporary, String(names.indexOf(name)));
  mkdirSync(folder);
  return { TMPDIR: folder, TEMP: folder, TMP: folder };
}

// What the certificates of the machine cost at each start of Node (60 ms where it names some) helps no test.
const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;

/** Runs one file in a process of its own and returns what it printed and how it ended. */
function run(name) {
  const startMs = performance.now();
  const child = spawn(process.execPath, ['test/run-file.mjs', `${FOLDER}/${name}.test.mjs`], {
    env: { ...env, ...temporaryFolder(name) },
  });
  const output = [];
  child.stdout.on('data', (chunk) => output.push(chunk));
  child.stderr.on('data', (chunk) => output.push(chunk));
  const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS);
  return new Promise((resolve) =>
    child.on('close', (status, signal) => {
      clearTimeout(timer);
      const seconds = (performance.now() - startMs) / 1000;
      resolve({ name, seconds, status, signal, text: Buffer.concat(output).toString() });
    }),
  );
}

const plain = (text) => text.replace(/\x1b\[[0-9;]*m/g, '');
const numberAfter = (label, text) => Number(new RegExp(`^ *${label}: +(\\d+)`, 'm').exec(plain(text))?.[1] ?? 0);

const ABSENT = /^Tests did not run where these are absent: (.*)$/m;
const absentIn = ({ text }) => ABSENT.exec(text)?.[1].split(', ') ?? [];

/** A file that ends early has failed however its tests went, and so has one that tests nothing, unless it says why. */
function resultOf({ name, seconds, status, signal, text }) {
  const [total, passed] = [numberAfter('Total', text), numberAfter('Passed', text)];
  const isEmpty = total === 0 && absentIn({ text }).length === 0;
  const failed = total - passed || (status === 0 && !isEmpty ? 0 : 1);
  return { name, seconds, passed, failed, signal, text, seed: /^seed (\d+)$/m.exec(text)?.[1] };
}

function commandFor({ name, seed }) {
  const scale = process.env.URLSUM_TEST_SCALE;
  const settings = [seed && `URLSUM_SEED=${seed}`, scale && `URLSUM_TEST_SCALE=${scale}`].filter(Boolean);
  return [...settings, `npm test -- ${name}`].join(' ');
}

function print(result) {
  const { name, seconds, passed, failed, signal } = result;
  const mark = failed === 0 ? 'passed' : 'FAILED';
  console.log(
    `${mark}  ${name}  ${passed} of ${passed + failed}  ${seconds.toFixed(1)} s${signal ? `  ${signal}` : ''}`,
  );
  if (failed > 0) console.log(`${result.text}\nAgain, alone: ${commandFor(result)}\n`);
}

if (names.length === 0) {
  console.error(`no test file has ${filters.join(' or ')} in its path; the files are those of ${FOLDER}`);
  process.exit(1);
}

const startMs = performance.now();
const results = [];
const queue = names.values();
await Promise.all(
  Array.from({ length: JOBS }, async () => {
    for (const name of queue) {
      const result = resultOf(await run(name));
      results.push(result);
      print(result);
    }
  }),
);

const absent = new Set(results.flatMap(absentIn));
const gaps = [...apart, ...results.filter((result) => absentIn(result).length > 0).map(({ name }) => name)];
writeFileSync(GAPS, gaps.map((name) => `${name}\n`).join(''));
const slowest = results.toSorted((a, b) => b.seconds - a.seconds).slice(0, 10);
const failures = results.filter(({ failed }) => failed > 0);
const sum = (key) => results.reduce((total, result) => total + result[key], 0);
const seeds = new Set(results.map(({ seed }) => seed).filter(Boolean));

if (names.length > 10) {
  console.log('\nThe slowest files:');
  for (const { name, seconds } of slowest) console.log(`${seconds.toFixed(1).padStart(7)} s  ${name}`);
}
if (apart.length > 0) console.log(`\nA run of its own: npm test -- ${APART.join(' ')}`);
if (absent.size > 0) console.log(`\nTests did not run where these are absent: ${[...absent].sort().join(', ')}`);
for (const failure of failures) console.log(`\nFAILED  ${failure.name}: ${commandFor(failure)}`);
const seconds = ((performance.now() - startMs) / 1000).toFixed(0);
console.log(`\n${names.length} files, ${seconds} s, ${JOBS} at a time, seed ${[...seeds].join(', ') || 'none'}`);
console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;
