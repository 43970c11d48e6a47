// For Jest and Vitest, whose `test` is global, in whatever environment they were told to make.
import { readFileSync, writeFileSync } from 'node:fs';
import type { Material } from './outcome.ts';
import { probe } from './probe.ts';

declare function test(name: string, body: () => Promise<void>): void;

test('the vectors', async () => {
  const material = JSON.parse(readFileSync('material.json', 'utf8')) as Material; // no import: Vite refuses lone surrogates in JSON
  writeFileSync(process.env['URLSUM_OUTCOME']!, JSON.stringify(await probe(material)));
});
