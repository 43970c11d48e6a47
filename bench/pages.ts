// How many pages the lines of the tutorial's crawl are: the picture of the README.
import { barChart } from './chart.ts';

export const PICTURE = 'docs/tutorial/pages.svg';

/** The counts of monday.jsonl.gz, as docs/tutorial/crawl.mjs writes it; a test counts them in other ways. */
export const COUNTS = { lines: 3000, strings: 2305, urls: 1956, pages: 1349 } as const;

const BARS = [
  ['lines', COUNTS.lines, false],
  ['strings, by sha256(url)', COUNTS.strings, false],
  ['URLs, by urlsum', COUNTS.urls, true],
  ['pages, by urlsum --preset page-2026', COUNTS.pages, true],
] as const;

export function picture(): string {
  return barChart({
    title: '3,000 lines of a crawl are 1,349 pages',
    subtitle: 'how many keys they have, without tracking in the last',
    bars: BARS.map(([label, value, isOurs]) => ({ label, value, isOurs })),
    format: (value) => value.toLocaleString('en-US'),
  });
}
