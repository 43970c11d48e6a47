import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, normalize } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { reportAbsent } from './absent.ts';
import { random, SCALE } from './seed.ts';

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

/** 4000 lines of every kind, in about the shares of real corpora: those that the project carries, with four ends each. */
export function sampleLines(): string[] {
  const lines = readFileSync('bench/sample/urls.txt', 'utf8').trimEnd().split('\n');
  return ['', '/1', '/2', '/3'].flatMap((end) => lines.map((line) => line + end));
}

/** Kept, since several tests of a file read them, and unpacking the largest takes half a second. */
const corpora = new Map<string, readonly string[]>();

/** The lines of a corpus, or none. */
export function corpusLines(name: string): readonly string[] {
  let lines = corpora.get(name);
  if (lines === undefined) {
    const text = sharedBytes(`corpus/${name}.txt.gz`)?.toString('utf8') ?? '';
    lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
    corpora.set(name, lines);
  }
  return lines;
}

/** Every `step`-th line, from one that the seed chooses; from a scale of 10 on, all. */
export function sampled<T>(lines: readonly T[], step: number): readonly T[] {
  if (SCALE >= 10) return lines;
  const start = random()(step);
  return lines.filter((_, index) => index % step === start);
}

/** The cases of a web-platform-tests file, its comments left out, or none. */
export function wptCases<T>(name: string): T[] {
  const text = sharedBytes(`wpt/${name}`)?.toString('utf8') ?? '[]';
  return (JSON.parse(text) as (T | string)[]).filter((each): each is T => typeof each !== 'string');
}

const TRUSTY = `${SHARED}trusty/`;

/**
 * The paths of the published files in a folder, or undefined, reported as absent, where they are not beside the
 * project.
 */
export function trustyFiles(folder: string): string[] | undefined {
  const path = TRUSTY + folder;
  if (existsSync(path)) return readdirSync(path).map((name) => `${path}/${name}`);
  reportAbsent(TRUSTY.replace(/\/$/, ''));
  return undefined;
}
