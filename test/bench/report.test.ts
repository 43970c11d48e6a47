// What is kept of the measurements, and what the documents show of it.
import { readdirSync, readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Measure, median } from '../../bench/measure.ts';
import {
  chartOf,
  jsonOf,
  markdown,
  type Results,
  readResults,
  rowsOf,
  summary,
  withTables,
} from '../../bench/report.ts';

const tests = suite('report');

const FOLDER = 'bench/results';
const KEPT = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.json'))
  .map((name) => readResults(FOLDER, name.replace('.json', '')));
const TABLES = new Map(KEPT.flatMap((results) => results.tables.map((table) => [table.name, { table, results }])));

const of = (name: string, rounds: number[], group?: string): Measure => ({
  name,
  group,
  value: median(rounds),
  rounds,
});
const MEASURES = [
  ...['Node 20', 'Bun 1'].flatMap((group, index) => [
    { ...of('hashLines', [100 + index, 90, 300], group), processor: 110.25, noisyCount: 1 },
    of('idiom', [300, 360, 270], group),
  ]),
];
const TABLE = {
  name: 'some',
  title: 'Some',
  unit: 'ns',
  rival: 'idiom',
  headlines: ['hashLines'],
  rows: rowsOf(MEASURES, 'idiom'),
} as const;
const RESULTS: Results = { date: '2026-01-02', machine: 'A machine', notes: [], tables: [TABLE] };

tests('each row is compared with the rival of its group, by the median of the ratios within rounds', () => {
  assert.equal(
    TABLE.rows.map((row) => [row.ratio.toFixed(2), row.isOurs, row.range]),
    [
      ['3.00', true, [90, 300]],
      ['1.00', false, [270, 360]],
      ['2.97', true, [90, 300]],
      ['1.00', false, [270, 360]],
    ],
  );
});

tests('a table in seconds has measures in nanoseconds', () => {
  const [row] = rowsOf([of('idiom', [2e9, 1e9, 4e9])], 'idiom', 1e9);
  assert.equal([row!.value, row!.range, row!.ratio], [2, [1, 4], 1]);
});

tests('a table has a dash where a figure is not known, and no column without one', () => {
  const [head, , first, second] = markdown(TABLE).split('\n') as [string, string, string, string];
  assert.match(head, /^\| +\| +ns \| +rounds \| ns of a processor \| noisy \| times as fast as `idiom` \|$/);
  assert.match(first, /^\| Node 20: hashLines \| +100 \| +90 to 300 \| +110 \| +1 \| +3\.00 \|$/);
  assert.match(second, /^\| Node 20: idiom +\| +300 \| +270 to 360 \| +— \| +— \| +1\.00 \|$/);
  const bare = { ...TABLE, rows: rowsOf([of('idiom', [5.25])], 'idiom') };
  assert.match(markdown(bare), /^\| +\| +ns \| times as fast as `idiom` \|\n/);
});

tests('the summary has the headlines, each beside what it is compared with', () => {
  const lines = summary([RESULTS]);
  assert.is(lines.length, 3);
  assert.match(lines[1]!, /^some +Node 20: hashLines +100 ns +3\.00 {2}idiom$/);
});

tests('results are read back as they were written, with four digits, a row on each line', () => {
  const text = jsonOf(RESULTS);
  assert.equal(JSON.parse(text).tables[0].rows[0].processor, 110.3);
  assert.is(text.split('\n').filter((line) => line.startsWith('    {')).length, 4);
  assert.is(jsonOf(JSON.parse(text)), text);
});

tests(
  'a document shows a table that it names, with when and on what it was measured, and refuses one that is not',
  () => {
    const document = 'Before\n\n<!-- measured: some -->\n<!-- end -->\n\nAfter\n';
    const shown = withTables(document, [RESULTS]);
    assert.match(shown, 'Some. 2026-01-02, A machine:\n\n|');
    assert.match(shown, markdown(TABLE));
    assert.is(withTables(shown, [RESULTS]), shown);
    assert.throws(() => withTables(document, []), 'no results have the table some');
  },
);

tests('a table by runtime has a line for each kind, and the ratios of its rows in a column for each runtime', () => {
  const rows = ['a, b, Node 20', 'a, b, Bun 1', 'c, Node 20'].flatMap((group) =>
    rowsOf([of('hashLines', [50], group), of('hashMany', [200], group), of('idiom', [100], group)], 'idiom').slice(
      0,
      2,
    ),
  );
  const results = { ...RESULTS, tables: [{ ...TABLE, rows, isByRuntime: true }] };
  const shown = withTables('<!-- measured: some -->\n<!-- end -->\n', [results]);
  assert.match(shown, /^\| +\| +Node 20 \| +Bun 1 \|$/m);
  assert.match(shown, /^\| a, b +\| +2\.0 0\.5 \| +2\.0 0\.5 \|$/m);
  assert.match(shown, /^\| c +\| +2\.0 0\.5 \| +\|$/m);
});

tests('each chart is shown by a document', () => {
  const documents = readdirSync('docs').filter((name) => name.endsWith('.md'));
  const text = documents.map((name) => readFileSync(`docs/${name}`, 'utf8')).join('');
  for (const chart of readdirSync('docs/charts')) assert.match(text, `(charts/${chart})`);
});

tests('the committed results are written as `npm run bench` writes them', () => {
  for (const name of readdirSync(FOLDER).filter((each) => each.endsWith('.json'))) {
    const text = readFileSync(`${FOLDER}/${name}`, 'utf8');
    assert.is(jsonOf(JSON.parse(text)), text, name);
  }
  assert.ok(TABLES.size > 0);
});

tests('the charts and the tables of the documents are those of the committed results', () => {
  const charts = readdirSync('docs/charts');
  assert.ok(charts.length > 0);
  for (const chart of charts) {
    const { table, results } = TABLES.get(chart.replace('.svg', ''))!;
    assert.is(readFileSync(`docs/charts/${chart}`, 'utf8'), chartOf(table, results), chart);
  }
  const document = readFileSync('docs/performance.md', 'utf8');
  assert.match(document, '<!-- measured: ');
  assert.is(withTables(document, KEPT), document);
});

tests.run();
