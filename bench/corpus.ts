import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** --smoke: a few lines and one round, to see that a benchmark runs. */
export const isSmoke = process.argv.includes('--smoke');
export const LINE_COUNT = isSmoke ? 2000 : 200_000;

const CORPUS = '../shared/data/corpus/';

/** The kind of the lines, for the titles of the results. */
export const LINE_KIND = existsSync(`${CORPUS}main.txt.gz`) ? 'real' : 'generated';

/** The lines of a corpus; a hundred times those of the sample, which is generated, where none is beside the project. */
export function corpusLines(name: string): string[] {
  const path = `${CORPUS}${name}.txt.gz`;
  const text = existsSync(path)
    ? gunzipSync(readFileSync(path)).toString()
    : readFileSync('bench/sample/urls.txt', 'utf8').repeat(100);
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => Buffer.from(line).toString()); // each a string of its own, not a slice of the whole text
}

/** Every line with its line end. */
export function textOf(lines: readonly string[]): Buffer {
  return Buffer.from(`${lines.join('\n')}\n`);
}

/** `192,083 real URLs, 65 bytes on average`. */
export function extentOf(lines: readonly string[]): string {
  const byteLength = (textOf(lines).length / lines.length - 1).toFixed(0);
  return `${lines.length.toLocaleString('en-US')} ${LINE_KIND} URLs, ${byteLength} bytes on average`;
}
