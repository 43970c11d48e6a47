import { deepEqual } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalize } from '../../../src/index.ts';
import { bundleForWorkerd } from '../bundle.ts';
import type { Consumers } from '../consumer.ts';
import { serve } from '../process.ts';
import type { Row } from '../row.ts';
import { installed, script } from '../tool.ts';

const URL_COUNT = 10_000;
const TRIALS = 5;

/** How many rounds a long request has more than a short one: long enough to be seen over HTTP. */
const MORE_ROUNDS = { hashMany: 20, of: 10, subtle: 1, subtleAtOnce: 1 } as const;
export type Way = keyof typeof MORE_ROUNDS;
const WAYS = Object.keys(MORE_ROUNDS) as Way[];

/** Nanoseconds a URL, URL and hash together. */
export type Timings = Readonly<Record<Way, number>>;

export function workerdTiming({ module }: Consumers, heard: (timings: Timings) => void): Row {
  return {
    name: `workerd, ${URL_COUNT} URLs in a request`,
    async run() {
      installed('workerd');
      const server = await serve(process.execPath, [script('hosts/workerd.mjs'), await bundleForWorkerd('timing', join(module, 'timing.mjs'))]);
      try {
        const timings = await timed(server.url);
        heard(timings);
        return `${WAYS.map((way) => `${way} ${timings[way]} ns a URL`).join(', ')}: ${Math.round(timings.subtle / timings.hashMany)} times`;
      } finally {
        await server.stop();
      }
    },
  };
}

async function timed(address: string): Promise<Timings> {
  const urls = sampleUrls();
  const expected = urls.map((url) => createHash('sha256').update(canonicalize(url)).digest('hex'));
  const timings: Partial<Record<Way, number>> = {};
  for (const way of WAYS) {
    const seconds = async (rounds: number): Promise<number> => requestSeconds(`${address}/${way}?rounds=${rounds}`, urls, expected);
    const trials: number[] = [];
    for (let trial = 0; trial < TRIALS; trial++) trials.push((await seconds(1 + MORE_ROUNDS[way])) - (await seconds(1)));
    timings[way] = Math.round((median(trials) / MORE_ROUNDS[way] / URL_COUNT) * 1e9);
  }
  return timings as Timings;
}

/** From the request to the last byte of the answer; what both requests do besides hashing cancels out. */
async function requestSeconds(url: string, urls: readonly string[], expected: readonly string[]): Promise<number> {
  const started = performance.now();
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(urls) });
  const digests = await response.json();
  const seconds = (performance.now() - started) / 1000;
  deepEqual(digests, expected);
  return seconds;
}

function sampleUrls(): string[] {
  const lines = readFileSync('bench/sample/urls.txt', 'utf8').split('\n').filter((line) => /^https?:/.test(line) && URL.canParse(line));
  return Array.from({ length: URL_COUNT }, (_, index) => `${lines[index % lines.length]}#${index}`);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1]!;
}
