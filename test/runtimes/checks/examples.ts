import { deepEqual, equal } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { bundleForWorkerd } from '../bundle.ts';
import type { Consumers } from '../consumer.ts';
import { run, serve } from '../process.ts';
import type { Row } from '../row.ts';
import { DENO } from '../rows/deno-bun.ts';
import { installed, script } from '../tool.ts';

const SPELLING = 'HTTPS://Example.com:443/a/../b c';
const CANONICAL = 'https://example.com/b%20c';
const sha256 = createHash('sha256').update(CANONICAL).digest();
const WORDS = [0, 8, 16, 24].map((at) => String(sha256.readBigUInt64LE(at)));

/** Two that are the same URL, one that is not a URL, and another URL. */
const LINES = `${SPELLING}\n${CANONICAL}\nno url\nhttps://example.com/\n`;

export function examples({ module }: Consumers): Row[] {
  const folder = join(module, 'examples');
  return [
    { name: 'examples/cloudflare-worker', run: () => cloudflareWorker(folder) },
    { name: 'examples/page-cache', run: () => pageCache(folder, 'index', PAGES) },
    { name: 'examples/page-cache, by No-Vary-Search', run: () => pageCache(folder, 'by-header', PAGES_BY_HEADER) },
    { name: 'examples/deno', run: () => deno(folder) },
    { name: 'examples/bun', run: () => bun(folder) },
  ];
}

async function cloudflareWorker(folder: string): Promise<string> {
  installed('workerd');
  const worker = await bundleForWorkerd('worker-example', join(folder, 'cloudflare-worker/src/index.js'));
  const server = await serve(process.execPath, [script('hosts/workerd.mjs'), worker]);
  const get = async (path: string): Promise<unknown[]> => answer(await fetch(server.url + path));
  try {
    const expected = { profile: 'url/1+unicode18', canonical: CANONICAL, sha256: sha256.toString('hex'), words: WORDS };
    deepEqual(await get(`/hash?url=${encodeURIComponent(SPELLING)}`), [200, expected]);
    const [status, { error, ...reason }] = (await get('/hash?url=https://exa%20mple.com/')) as [
      number,
      Record<string, string>,
    ];
    deepEqual(
      [status, reason],
      [400, { input: 'https://exa mple.com/', place: 'host', reason: 'domain-invalid-code-point' }],
    );
    equal(error!.startsWith('not a URL: "https://exa mple.com/"'), true, error);
    deepEqual(await get('/hash'), [400, { error: 'the parameter url is missing' }]);
    deepEqual(await get('/nothing?url=x'), [404, { error: 'there is no /nothing' }]);
    deepEqual(await get('/check?url=http://MALWARE.example/x'), [
      200,
      { url: 'http://MALWARE.example/x', verdict: 'ask' },
    ]);
    deepEqual(await get('/check?url=http://shop.example/login/?x'), [
      200,
      { url: 'http://shop.example/login/?x', verdict: 'ask' },
    ]);
    deepEqual(await get('/check?url=http://shop.example/'), [200, { url: 'http://shop.example/', verdict: 'safe' }]);
    equal((await get('/check?url=mailto:x'))[0], 400);
  } finally {
    await server.stop();
  }
  return '8 requests';
}

/** Requests to the Worker: of each pair the second is answered from the cache, or is not. */
interface PagePair {
  readonly what: string;
  readonly paths: readonly string[];
  readonly headers?: object;
  readonly isCached: boolean;
}

const PAGES: readonly PagePair[] = [
  { what: 'two spellings', paths: ['/a?page=2&id=1&fbclid=x', '/a?id=1&unknown=7&page=2'], isCached: true },
  { what: 'two pages', paths: ['/b?id=1', '/b?id=2'], isCached: false },
  ...['Range: bytes=0-1', 'Authorization: Basic YQ==', 'Cookie: user=ann', 'Cache-Control: no-cache'].map((header) => ({
    what: header,
    paths: [`/c?id=${header.length}`, `/c?id=${header.length}`],
    headers: Object.fromEntries([header.split(': ')]) as object,
    isCached: false,
  })),
  ...['Set-Cookie: user=ann', 'Cache-Control: private', 'Cache-Control: max-age=9, no-store', 'Vary: Cookie'].map(
    (header) => ({ what: `answered with ${header}`, paths: [answering(header), answering(header)], isCached: false }),
  ),
  {
    what: 'a page of no stated age',
    paths: Array<string>(2).fill(answering('Cache-Control: public')),
    isCached: false,
  },
  { what: 'not found', paths: ['/404?id=1', '/404?id=1'], isCached: false },
];

const BY_PATH: Readonly<Record<string, string>> = {
  '/varying': 'key-order, except=("id" "page")',
  '/tracked': 'params=("utm_source")',
  '/as-browsers': 'params, except=("id")',
  '/wrong': 'params=("t"), except=("id")',
  '/default': 'params=()',
};

const PAGES_BY_HEADER: readonly PagePair[] = [
  {
    what: 'other parameters in another order',
    paths: ['/varying?id=1&page=2&t=1', '/varying?u&page=2&id=1'],
    isCached: true,
  },
  { what: 'another page', paths: ['/varying?id=3', '/varying?id=4'], isCached: false },
  { what: 'a listed parameter', paths: ['/tracked?utm_source=a&id=1', '/tracked?id=1'], isCached: true },
  { what: 'a parameter that is not listed', paths: ['/tracked?id=2', '/tracked?id=2&t=1'], isCached: false },
  { what: 'the spelling of browsers', paths: ['/as-browsers?id=1&t=1', '/as-browsers?id=1'], isCached: true },
  { what: 'no header: another query', paths: ['/a?id=1&t=1', '/a?t=1&id=1'], isCached: false },
  { what: 'no header: the same URL', paths: ['/b?id=1&t=1', '/b?id=1&t=1'], isCached: true },
  { what: 'a header that is not valid', paths: ['/wrong?id=1&t=1', '/wrong?id=1&t=2'], isCached: false },
  { what: 'a header that says nothing', paths: ['/default?id=1', '/default?id=1&t=2'], isCached: false },
  { what: 'a cookie', paths: ['/varying?id=5', '/varying?id=5'], headers: { Cookie: 'user=ann' }, isCached: false },
];

function answering(header: string): string {
  return `/answering?id=${encodeURIComponent(header)}`;
}

/** Answers with the number of the request, and what the path asks for. */
function originOfPages(): Server {
  let count = 0;
  return createServer(({ url }, response) => {
    const { pathname, searchParams } = new URL(url!, 'http://origin.example');
    const [name, value] = pathname === '/answering' ? searchParams.get('id')!.split(': ') : [];
    const variance = BY_PATH[pathname];
    const told = variance === undefined ? {} : { 'No-Vary-Search': variance };
    const headers = { 'Cache-Control': 'max-age=60', ...told, ...(name && { [name]: value! }) };
    response.writeHead(pathname === '/404' ? 404 : 200, headers);
    response.end(`${++count} ${[...searchParams.keys()]}`);
  });
}

async function pageCache(folder: string, name: string, pages: readonly PagePair[]): Promise<string> {
  installed('workerd');
  const origin = originOfPages().listen(0, '127.0.0.1');
  await once(origin, 'listening');
  const worker = await bundleForWorkerd(`page-cache-${name}`, join(folder, `page-cache/src/${name}.ts`));
  const from = `http://127.0.0.1:${(origin.address() as AddressInfo).port}`;
  const server = await serve(process.execPath, [script('hosts/workerd.mjs'), worker, from]);
  try {
    for (const { what, paths, headers, isCached } of pages) {
      const answers: string[] = [];
      for (const path of paths) {
        const response = await fetch(server.url + path, { headers: { ...headers } });
        equal(response.status, path.startsWith('/404') ? 404 : 200, what);
        answers.push(await response.text());
        await delay(250); // the Worker keeps a page after it has answered
      }
      equal(answers[0] === answers[1], isCached, `${what}: ${answers.join(' and ')}`);
    }
    const posted = await fetch(`${server.url}/a?page=2&id=1`, { method: 'POST', body: 'x' });
    const asked = pages.reduce((count, { isCached }) => count + (isCached ? 1 : 2), 1);
    equal(
      (await posted.text()).split(' ')[0],
      String(asked),
      'each other request reached the origin, and so did a POST',
    );
  } finally {
    await server.stop();
    origin.close();
  }
  return `${pages.length * 2 + 1} requests`;
}

async function answer(response: Response): Promise<[status: number, body: unknown]> {
  return [response.status, await response.json()];
}

async function deno(folder: string): Promise<string> {
  const output = await run(installed('deno/deno'), [...DENO, join(folder, 'deno/first-of-each.js')], {
    input: LINES,
    cwd: folder,
  });
  equal(output, `${SPELLING}\nhttps://example.com/\n`);
  return '2 of 4 lines';
}

async function bun(folder: string): Promise<string> {
  const file = join(folder, 'bun/urls.txt');
  writeFileSync(file, LINES);
  equal(
    await run(installed('bun/bin/bun'), ['count.js', file], { cwd: join(folder, 'bun') }),
    '4 lines, 2 different URLs, 1 not URLs\n',
  );
  return '2 different URLs';
}
