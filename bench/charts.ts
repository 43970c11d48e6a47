// Draws the charts and the tables of bench/results/report.json again, without measuring: `npm run bench:charts`.
import { readFileSync } from 'node:fs';
import { type ReportData, writeReport } from './report.ts';

writeReport(JSON.parse(readFileSync('bench/results/report.json', 'utf8')) as ReportData, 'bench/results');
