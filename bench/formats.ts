import { execFileSync } from 'node:child_process';
import { type LineFile, lineCosts, processorMeasure, repeatedLines, urlsum } from './command-cost.ts';
import type { Measure } from './measure.ts';

/** What the others are compared with. */
export const TEXT_FORMAT = 'text, the default';

const FORMATS = {
  [TEXT_FORMAT]: '',
  '--format hex': '--format hex',
  '--format u64': '--format u64',
  '--format tsv': '--format tsv',
  '--format ndjson': '--format ndjson',
  '--format bin': '--format bin',
  'urlsum canon': 'canon',
};
const CHECK = 'urlsum -c';

/** A line of each format of the command and of its check, without what a process takes to start. */
export function formatMeasures(text: Buffer, lineCount: number, folder: string, isSmoke: boolean): Measure[] {
  const [short, long] = [1, isSmoke ? 2 : 5].map((repeats) =>
    repeatedLines(`${folder}/format-${repeats}`, text, lineCount, repeats),
  ) as [LineFile, LineFile];
  const uses = [
    ...Object.values(FORMATS).map((options) => ({ command: urlsum(options), short, long })),
    { command: urlsum('-c'), short: hashed(short), long: hashed(long) },
  ];
  const costs = lineCosts(uses, isSmoke ? 1 : 7, `${folder}/formatted`);
  return [...Object.keys(FORMATS), CHECK].map((name, index) => processorMeasure(name, costs[index]!));
}

/** The lines with their hashes, as `-c` reads them. */
function hashed({ path, lineCount }: LineFile): LineFile {
  execFileSync(process.execPath, ['dist/esm/cli.js', '--out', `${path}.sums`, path]);
  return { path: `${path}.sums`, lineCount };
}
