import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

const SHARED = '../shared/data/';

/** The file's bytes, unpacked, or undefined, said loudly, where the data do not lie beside the project. */
export function sharedBytes(name: string): Buffer | undefined {
  if (!existsSync(SHARED + name)) {
    console.log(`\n!!! ${SHARED}${name} is not there: the tests that need it did not run\n`);
    return undefined;
  }
  const bytes = readFileSync(SHARED + name);
  return name.endsWith('.gz') ? gunzipSync(bytes) : bytes;
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
