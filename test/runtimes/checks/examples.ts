import { deepEqual, equal } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleForEdge, bundleForWorkerd } from '../bundle.ts';
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
    { name: 'examples/next-edge', run: () => nextEdge(folder) },
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

async function nextEdge(folder: string): Promise<string> {
  installed('edge-runtime');
  const entry = join(folder, 'next-edge/entry.js');
  writeFileSync(
    entry,
    `import { GET, runtime } from './app/hash/route.js';
if (runtime !== 'edge') throw new Error('not a route of the edge runtime');
addEventListener('fetch', (event) => event.respondWith(GET(event.request)));`,
  );
  const server = await serve(process.execPath, [
    script('hosts/edge-runtime.mjs'),
    await bundleForEdge('next-example', entry),
  ]);
  try {
    const response = await fetch(`${server.url}/hash?url=${encodeURIComponent(SPELLING)}`);
    deepEqual(await answer(response), [200, { canonical: CANONICAL, sha256: sha256.toString('hex') }]);
    equal((await fetch(`${server.url}/hash?url=nothing`)).status, 400);
  } finally {
    await server.stop();
  }
  return '2 requests';
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
