// `npm run bench`: every question in turn, at most ten minutes, and at the end a summary on one screen. The tables go to
// build/bench-results/.
//
//   npm run bench -- QUESTION…     these alone
//   npm run bench -- --publish     real URLs only: the results go to bench/results/, and what docs/ shows of them anew
//   npm run bench -- --draw        nothing is measured: what docs/ shows is made again from bench/results/
//   npm run bench -- --smoke       a few lines and one round of each, to see that it runs; writes nothing

import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { isSmoke, LINE_KIND } from './corpus.ts';
import { PICTURE, picture } from './pages.ts';
import { chartOf, jsonOf, type Results, readResults, resultsFile, summary, withTables } from './report.ts';

const MEASURED = 'build/bench-results';
const PUBLISHED = 'bench/results';
const CHARTS = 'docs/charts';
const DOCUMENT = 'docs/performance.md';

/** One program each; look-ups needs a server's minutes, and runs when it is asked for. */
const QUESTIONS = [
  'urls',
  'kinds',
  'slowest',
  'messages',
  'runtimes',
  'command',
  'tables',
  'million',
  'seen',
  'safe-browsing',
  'hash-uris',
];
const ALL = [...QUESTIONS, 'look-ups'];

/** Tables that docs/performance.md shows as charts of these names. */
const DRAWN = ['million', 'urls'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { smoke: { type: 'boolean' }, publish: { type: 'boolean' }, draw: { type: 'boolean' } },
});
const unknown = positionals.find((each) => !ALL.includes(each));
if (unknown !== undefined) throw new RangeError(`${unknown} is not a question; the questions are ${ALL.join(', ')}`);
if (values.publish && LINE_KIND !== 'real')
  throw new Error('only results on real URLs are published, and ../shared/data/corpus is not beside the project');

if (!values.draw) {
  const start = performance.now();
  const asked = positionals.length > 0 ? positionals : isSmoke ? ALL : QUESTIONS;
  asked.forEach(ask);
  const minutes = ((performance.now() - start) / 60_000).toFixed(1);
  const results = asked.filter((each) => existsSync(resultsFile(MEASURED, each)));
  if (!isSmoke) console.log(`\n${summary(results.map((each) => readResults(MEASURED, each))).join('\n')}`);
  console.log(`\n${asked.length} questions, ${minutes} minutes`);
  if (values.publish)
    for (const each of results) copyFileSync(resultsFile(MEASURED, each), resultsFile(PUBLISHED, each));
}
if (values.publish || values.draw) draw();

/** Runs in a process of its own, which nothing else has warmed up. */
function ask(question: string): void {
  const args = [`build/bench/${question}.mjs`, ...(isSmoke ? ['--smoke'] : [])];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) throw new Error(`${question} ended with ${status}`);
}

/** Each result is written anew too: what another program made is then as ours. */
function draw(): void {
  const published = readdirSync(PUBLISHED).map((name) => {
    const path = `${PUBLISHED}/${name}`;
    const text = jsonOf(JSON.parse(readFileSync(path, 'utf8')) as Results);
    writeFileSync(path, text);
    return JSON.parse(text) as Results;
  });
  for (const results of published)
    for (const table of results.tables.filter(({ name }) => DRAWN.includes(name)))
      writeFileSync(`${CHARTS}/${table.name}.svg`, chartOf(table, results));
  writeFileSync(DOCUMENT, withTables(readFileSync(DOCUMENT, 'utf8'), published));
  writeFileSync(PICTURE, picture());
}
