import { createReadStream } from 'node:fs';
import * as assert from 'uvu/assert';
import { parseRdfStream, type RdfFormat } from '../../src/entries/hash-uri/rdf.ts';
import { fileOfLines } from './lines.ts';

/** How long reading takes without sorting: N-Triples by the reader here and, as the Turtle that it is too, by n3. */
export async function parsing(count: number): Promise<string> {
  const path = await fileOfLines(count, 'ntriples');
  const rates: string[] = [];
  for (const [reader, format] of [
    ['own reader', 'ntriples'],
    ['n3', 'turtle'],
  ] as const)
    rates.push(`${reader} ${(await secondsOf(path, format, count)).toFixed(1)} s`);
  return `${count} triples: ${rates.join(', ')}`;
}

async function secondsOf(path: string, format: RdfFormat, count: number): Promise<number> {
  const start = performance.now();
  let read = 0;
  for await (const quad of parseRdfStream(createReadStream(path), { format })) read += Number(quad !== undefined);
  assert.is(read, count);
  return (performance.now() - start) / 1000;
}
