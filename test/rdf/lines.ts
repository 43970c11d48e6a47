import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { FOLDER } from '../support/scratch.ts';
import { random as seeded } from '../support/seed.ts';
import { BASE, type Random } from './document.ts';

const XSD_INTEGER = '<http://www.w3.org/2001/XMLSchema#integer>';
const PIECE_LENGTH = 1 << 16;

/** A file of so many random quads, 140 bytes each, in no order; or triples, for formats without graphs. */
export async function fileOfLines(count: number, format: 'nquads' | 'ntriples'): Promise<string> {
  const path = join(FOLDER, `${count}.${format === 'nquads' ? 'nq' : 'nt'}`);
  const random = seeded();
  const file = createWriteStream(path);
  let piece = '';
  for (let written = 0; written < count; written++) {
    piece += line(random, count, format);
    if (piece.length < PIECE_LENGTH) continue;
    if (!file.write(piece)) await once(file, 'drain');
    piece = '';
  }
  await finished(file.end(piece));
  return path;
}

function line(random: Random, count: number, format: 'nquads' | 'ntriples'): string {
  const subject = `<${BASE}#node${random(count)}>`;
  const predicate = `<http://example.org/vocabulary/property${random(50)}>`;
  const graph = format === 'nquads' ? ` <${BASE}#graph${random(10)}>` : '';
  return `${subject} ${predicate} ${object(random, count)}${graph} .\n`;
}

function object(random: Random, count: number): string {
  const kind = random(4);
  if (kind === 0) return `<${BASE}#node${random(count)}>`;
  if (kind === 1) return `_:blank-node-${random(10_000)}`;
  return kind === 2 ? `"label ${random(1e9)} of a thing"@en` : `"${random(1e9)}"^^${XSD_INTEGER}`;
}
