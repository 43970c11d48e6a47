import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** A file of ../shared, or undefined, said aloud, where this checkout has none. */
export function sharedFile(path: string): Buffer | undefined {
  const file = `../shared/${path}`;
  if (existsSync(file)) return readFileSync(file);
  console.log(`SKIPPED: ${file} is not there`);
  return undefined;
}

/** The first `limit` lines of a corpus, or none. */
export function corpusLines(name: string, limit = Infinity): string[] {
  const packed = sharedFile(`data/corpus/${name}.txt.gz`);
  return packed === undefined ? [] : gunzipSync(packed).toString('utf8').trimEnd().split('\n').slice(0, limit);
}

/** A byte a character: how the pages write bytes. */
export function bytesOf(binary: string): Uint8Array {
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
