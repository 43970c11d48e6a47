import { existsSync, readFileSync } from 'node:fs';
import { dirname, normalize } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { reportAbsent } from './absent.ts';

const SHARED = '../shared/data/';

/** The file's bytes, unpacked; undefined, reported as absent, where the data are not beside the project. */
export function sharedBytes(name: string): Buffer | undefined {
  if (!existsSync(SHARED + name)) {
    reportAbsent(dirname(normalize(SHARED + name)));
    return undefined;
  }
  const bytes = readFileSync(SHARED + name);
  return name.endsWith('.gz') ? gunzipSync(bytes) : bytes;
}

/** The 4000 lines of every kind that the project carries, in about the shares of real corpora. */
export function sampleLines(): string[] {
  return readFileSync('bench/sample/urls.txt', 'utf8').trimEnd().split('\n');
}

/** The lines of a corpus, or none. */
export function corpusLines(name: string): string[] {
  const text = sharedBytes(`corpus/${name}.txt.gz`)?.toString('utf8') ?? '';
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

/** The cases of a web-platform-tests file, its comments left out, or none. */
export function wptCases<T>(name: string): T[] {
  const text = sharedBytes(`wpt/${name}`)?.toString('utf8') ?? '[]';
  return (JSON.parse(text) as (T | string)[]).filter((each): each is T => typeof each !== 'string');
}
