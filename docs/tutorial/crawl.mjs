// Writes the two crawls of the tutorial into this folder, monday.jsonl.gz and tuesday.jsonl.gz. They are made up, on hosts
// that nobody has: the same pages in several spellings, and some lines that are not URLs.
import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const LINE_COUNTS = { monday: 3000, tuesday: 2000 };
/** Of so many pages each day's lines are chosen; the pages of Tuesday begin later, so some are new. */
const PAGE_COUNT = 1600;
const FIRST_PAGES = { monday: 0, tuesday: 400 };
const SEEDS = { monday: 16, tuesday: 17 };

const SECTIONS = ['world', 'science', 'sport', 'culture'];
const COLORS = ['red', 'blue', 'green'];
const CAMPAIGNS = ['newsletter', 'social', 'search'];
const NOT_URLS = ['/about', 'n/a', 'https://', 'https://news example/', 'https://forum.example:port/', ''];

const pick = (random, list) => list[Math.floor(random() * list.length)];

/** A page by its number, in one of five places. */
function pageOf(number) {
  const id = 1000 + number;
  return [
    `https://news.example/${SECTIONS[number % 4]}/${id}`,
    `https://shop.example/item/${id}?color=${COLORS[number % 3]}`,
    `https://forum.example/t/${id}`,
    `https://bücher.example/titel/${id}`,
    `https://docs.example/guide/part ${id}/`,
  ][number % 5];
}

const withParameter = (url, parameter) => `${url}${url.includes('?') ? '&' : '?'}${parameter}`;

/** Other ways to write a URL, each with its share in percent. */
const SPELLINGS = [
  [5, (url) => url.replace('https:', 'HTTPS:')],
  [5, (url) => url.replace(/\/\/([^/]+)/, (_, host) => `//${host.toUpperCase()}`)],
  [4, (url) => url.replace('.example/', '.example:443/')],
  [3, (url) => url.replace('.example/', '.example/./old/../')],
  [14, (url, random) => withParameter(url, `utm_source=${pick(random, CAMPAIGNS)}`)],
  [5, (url, random) => withParameter(url, `gclid=${Math.floor(random() * 1e6)}`)],
  [8, (url, random) => `${url}#p${Math.floor(random() * 9)}`],
];

function spelled(url, random) {
  let rest = random() * 100;
  for (const [share, spell] of SPELLINGS) {
    rest -= share;
    if (rest < 0) return spell(url, random);
  }
  return url;
}

/** Mulberry32: the same numbers in every Node. */
function randomOf(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The text of a day's crawl. */
function crawlOf(day) {
  const random = randomOf(SEEDS[day]);
  const records = Array.from({ length: LINE_COUNTS[day] }, (_, line) => {
    const page = FIRST_PAGES[day] + Math.floor(random() * PAGE_COUNT);
    const url = random() < 0.005 ? pick(random, NOT_URLS) : spelled(pageOf(page), random);
    return { url, status: random() < 0.04 ? 404 : 200, minute: Math.floor(line / 10) };
  });
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

for (const day of Object.keys(LINE_COUNTS)) writeFileSync(`${day}.jsonl.gz`, gzipSync(crawlOf(day)));
