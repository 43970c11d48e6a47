import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { MADE_UP_SEED, madeUpLines } from './made-up.ts';

/** --smoke: a few lines and one round, to see that a benchmark runs. */
export const isSmoke = process.argv.includes('--smoke');
export const LINE_COUNT = isSmoke ? 2000 : 200_000;

const CORPUS = '../shared/data/corpus/';

const MADE_UP_LINES = 5000;

/** The kind of the lines, for the titles of the results. */
export const LINE_KIND = existsSync(`${CORPUS}main.txt.gz`) ? 'real' : `made-up (seed ${MADE_UP_SEED})`;

/** The lines of a corpus; where none is beside the project, those that are made up. */
export function corpusLines(name: string): string[] {
  const path = `${CORPUS}${name}.txt.gz`;
  if (!existsSync(path)) return madeUpLines(MADE_UP_LINES).map(ownString);
  return gunzipSync(readFileSync(path)).toString().replace(/\n$/, '').split('\n').map(ownString);
}

/** Returns a string of its own, not a slice of a whole text, or what was put together of pieces. */
export function ownString(line: string): string {
  return Buffer.from(line).toString();
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
