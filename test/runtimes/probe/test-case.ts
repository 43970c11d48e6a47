// For Jest and Vitest, whose `test` is global, in whatever environment they were told to make.
import { writeFileSync } from 'node:fs';
import material from './material.json' with { type: 'json' };
import { probe } from './probe.ts';

declare function test(name: string, body: () => Promise<void>): void;

test('the vectors', async () => {
  writeFileSync(process.env['URLSUM_OUTCOME']!, JSON.stringify(await probe(material)));
});
