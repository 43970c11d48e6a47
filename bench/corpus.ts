import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

const CORPUS = '../shared/data/corpus/';

/** What the lines are, for the titles of the results. */
export const LINE_KIND = existsSync(`${CORPUS}main.txt.gz`) ? 'real' : 'generated';

/** The lines of a corpus; of the sample, which is generated, where none is beside the project. */
export function corpusLines(name: string): string[] {
  const path = `${CORPUS}${name}.txt.gz`;
  const text = existsSync(path)
    ? gunzipSync(readFileSync(path)).toString()
    : readFileSync('bench/sample/urls.txt', 'utf8');
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => Buffer.from(line).toString()); // each a string of its own, not a slice of the whole text
}
