import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** Where the published data lie, beside the project and no part of it. */
export const SHARED = '../shared';

/** Each `step`th line of a corpus of real URLs; none, said aloud, where it is not there. */
export function corpus(name: string, step: number): string[] {
  const file = `${SHARED}/data/corpus/${name}.txt.gz`;
  if (!existsSync(file)) {
    console.log(`  SKIPPED: ${file} is not there`);
    return [];
  }
  const lines = gunzipSync(readFileSync(file)).toString('utf8').trimEnd().split('\n');
  return lines.filter((_, row) => row % step === 0);
}
