import { ok } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { median } from '../../../bench/measure.ts';
import { canonicalize } from '../../../src/index.ts';
import { corpusLines, sampleLines } from '../../support/data.ts';
import { bundleForWorkerd } from '../bundle.ts';
import type { Consumers } from '../consumer.ts';
import { serve } from '../process.ts';
import type { Row } from '../row.ts';
import { installed, script } from '../tool.ts';

const URL_COUNT = 10_000;

/** How many rounds a long request has more than a short one: long enough to be seen over HTTP. */
const MORE_ROUNDS = { hashLines: 50, hashMany: 50, of: 20, subtle: 5, subtleAtOnce: 5 } as const;
export type Method = keyof typeof MORE_ROUNDS;
const METHODS = Object.keys(MORE_ROUNDS) as Method[];

/** Nanoseconds a URL, URL and hash together. */
export type Timings = Readonly<Record<Method, number>>;

/** Measures the median of `trials`. */
export function workerdTiming({ module }: Consumers, trials: number, recorded: (timings: Timings) => void): Row {
  return {
    name: `workerd, ${URL_COUNT} URLs in a request`,
    async run() {
      installed('workerd');
      const server = await serve(process.execPath, [
        script('hosts/workerd.mjs'),
        await bundleForWorkerd('timing', join(module, 'timing.mjs')),
      ]);
      try {
        const timings = await timed(server.url, trials);
        recorded(timings);
        return `${METHODS.map((method) => `${method} ${timings[method]} ns a URL`).join(', ')}: subtle takes ${(timings.subtle / timings.hashLines).toFixed(1)} times hashLines`;
      } finally {
        await server.stop();
      }
    },
  };
}

async function timed(address: string, count: number): Promise<Timings> {
  const urls = timedUrls();
  const expected = Buffer.concat(urls.map((url) => createHash('sha256').update(canonicalize(url)).digest()));
  const trials: Record<Method, number[]> = { hashLines: [], hashMany: [], of: [], subtle: [], subtleAtOnce: [] };
  for (let trial = 0; trial < count; trial++) {
    for (const method of METHODS) {
      // in turn, so that whatever else the machine does falls on all of them
      const seconds = (rounds: number): Promise<number> =>
        requestSeconds(`${address}/${method}?rounds=${rounds}`, urls, expected);
      trials[method].push((await seconds(1 + MORE_ROUNDS[method])) - (await seconds(1)));
    }
  }
  const nanoseconds = (method: Method): number =>
    Math.round((median(trials[method]) / MORE_ROUNDS[method] / URL_COUNT) * 1e9);
  return Object.fromEntries(METHODS.map((method) => [method, nanoseconds(method)])) as Timings;
}

/** From the request to the last byte of the answer; what both requests do besides hashing cancels out. */
async function requestSeconds(url: string, urls: readonly string[], expected: Buffer): Promise<number> {
  const started = performance.now();
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(urls) });
  const digests = Buffer.from(await response.arrayBuffer());
  const seconds = (performance.now() - started) / 1000;
  ok(response.ok && digests.equals(expected), `wrong digests: ${url}`);
  return seconds;
}

/**
 * Returns URLs of a real corpus; of the sample, of which more lines need the parser, where none is beside the project.
 */
function timedUrls(): string[] {
  const corpus = corpusLines('main');
  const lines = (corpus.length > 0 ? corpus : sampleLines()).filter(
    (line) => /^https?:/.test(line) && URL.canParse(line) && !line.includes('^'),
  );
  return Array.from({ length: URL_COUNT }, (_, index) => lines[index % lines.length]!);
}
