// Draws the charts and the tables of the kept reports again, without measuring: `node build/bench/charts.mjs`.
import { existsSync, readFileSync } from 'node:fs';
import { type ReportData, writeReport } from './report.ts';

for (const folder of ['bench/results', 'bench/results/rivals']) {
  const path = `${folder}/report.json`;
  if (existsSync(path)) writeReport(JSON.parse(readFileSync(path, 'utf8')) as ReportData, folder);
}
