import { readdirSync, readFileSync } from 'node:fs';
import type { VectorFile } from '../../vectors/vector.ts';
import { corpusLines } from '../data.ts';
import type { Material } from './probe/outcome.ts';

/** All that need work, and of the ordinary ones every 20th: 57 000 in all. */
const SHARES = { changed: 1, intl: 1, main: 20 };

export function readMaterial(): Material {
  const names = readdirSync('vectors').filter((name) => name.endsWith('.json'));
  const files = names.map((name) => JSON.parse(readFileSync(`vectors/${name}`, 'utf8')) as VectorFile);
  const lines = Object.entries(SHARES).flatMap(([name, share]) =>
    corpusLines(name).filter((_, index) => index % share === 0),
  );
  return { files, lines };
}
