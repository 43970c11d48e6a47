// The figures of the README's first screen, counted in other ways than urlsum's own.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { URL as WhatwgUrl } from 'whatwg-url';
import { COUNTS, PICTURE, picture } from '../../bench/pages.ts';
import { canonicalize } from '../../src/index.ts';
import { urlsum } from '../command/command.ts';

const tests = suite('the first screen of the README');
const README = readFileSync('README.md', 'utf8');

execFileSync(process.execPath, [resolve('docs/tutorial/crawl.mjs')], { cwd: tmpdir() });
const crawl = gunzipSync(readFileSync(join(tmpdir(), 'monday.jsonl.gz')));
const strings = String(crawl)
  .trimEnd()
  .split('\n')
  .map((line) => (JSON.parse(line) as { readonly url: string }).url);

/** Read by the definition, by another parser, for the parameters that this crawl has. */
function pageOf(href: string): string {
  const url = new WhatwgUrl(href);
  url.hash = '';
  for (const name of [...url.searchParams.keys()]) if (/^utm_|^gclid$/.test(name)) url.searchParams.delete(name);
  url.searchParams.sort();
  return url.href;
}

tests('lines, strings, URLs and pages of the crawl are what whatwg-url counts', () => {
  const urls = strings.flatMap((text) => WhatwgUrl.parse(text)?.href ?? []);
  const counts = {
    lines: strings.length,
    strings: new Set(strings).size,
    urls: new Set(urls).size,
    pages: new Set(urls.map(pageOf)).size,
  };
  assert.equal(counts, COUNTS);
});

tests('the command counts the same URLs and pages', () => {
  const flags = ['--json', 'url', '--on-error', 'skip', '--exit-zero', '--dedup'];
  const countOf = (...more: string[]) => String(urlsum([...flags, ...more], crawl).stdout).split('\n').length - 1;
  assert.equal([countOf(), countOf('--preset', 'page-2026')], [COUNTS.urls, COUNTS.pages]);
});

tests('the picture is drawn from them, and the README says the same', () => {
  assert.is(readFileSync(PICTURE, 'utf8'), picture(), 'npm run bench -- --draw');
  const [lines, texts, urls, pages] = Object.values(COUNTS).map((count) => count.toLocaleString('en-US'));
  assert.match(
    README,
    `![${lines} lines of a crawl are ${texts} strings, ${urls} URLs and ${pages} pages](${PICTURE})`,
  );
});

tests('two runtimes differ on the URL that the README names', () => {
  const [, url] = /in `(https:\S+)`, Node 20\s+and 22 keep the `\^`, Node 24 and Chromium write `%5E`/.exec(README)!;
  const encoded = url!.replace('^', '%5E');
  assert.equal([new WhatwgUrl(url!).href, canonicalize(url!)], [encoded, encoded]);
  assert.is(new URL(url!).href, Number.parseInt(process.versions.node, 10) < 24 ? url : encoded);
});

tests.run();
