// For Jest and Vitest, whose `test` is global, in whatever environment they were told to make.
import { readFileSync, writeFileSync } from 'node:fs';
import { UrlHash, UrlHasher } from 'urlsum';
import type { Material } from './outcome.ts';
import { probe } from './probe.ts';

interface Expected {
  toEqual(value: unknown): void;
  toStrictEqual(value: unknown): void;
  readonly not: Expected;
}
declare function test(name: string, body: () => Promise<void> | void): void;
declare function expect(value: unknown): Expected;

test('the vectors', async () => {
  const material = JSON.parse(readFileSync('material.json', 'utf8')) as Material; // no import: Vite refuses lone surrogates in JSON
  writeFileSync(process.env['URLSUM_OUTCOME']!, JSON.stringify(await probe(material)));
});

test('matchers tell different hashes and columns apart', () => {
  for (const valueOf of [(url: string) => UrlHash.of(url), (url: string) => new UrlHasher().hashMany([url])]) {
    expect(valueOf('https://a/')).toEqual(valueOf('HTTPS://A'));
    expect(valueOf('https://a/')).toStrictEqual(valueOf('HTTPS://A'));
    expect(valueOf('https://a/')).not.toEqual(valueOf('https://b/'));
    expect([valueOf('https://a/')]).not.toStrictEqual([valueOf('https://b/')]);
  }
});
