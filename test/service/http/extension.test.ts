// examples/extension in Chromium, bundled as its README says, with `urlsum list serve`, which names its origin.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as esbuild from 'esbuild';
import type { BrowserContext, chromium, Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { chromiumPath, requireFromNode } from '../../support/chromium.ts';
import { ListProcess } from './served-lists.ts';

const tests = suite('http: the extension');
const path = chromiumPath();

const PAGES: Readonly<Record<string, string>> = {
  '/good': '<title>good</title>',
  '/evil': '<title>evil</title>',
  '/framed': '<title>framed</title><iframe src="/evil"></iframe>',
};

let folder: string;
let pages: Server;
let site: string;
let lists: ListProcess;
let browser: BrowserContext;
let extension: string;

if (path !== undefined) {
  tests.before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'urlsum-extension-'));
    pages = createServer(({ url = '' }, response) => {
      if (url === '/moved') response.writeHead(302, { location: '/evil' }).end();
      else response.writeHead(200, { 'content-type': 'text/html' }).end(PAGES[url]);
    });
    pages.listen(0, '127.0.0.1');
    await once(pages, 'listening');
    site = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
    extension = `chrome-extension://${idOf(folder)}`;
    lists = await ListProcess.start({ 'mw-4b': [`${site}/evil`], 'se-4b': ['login.example'] }, [
      '--allow-origin',
      extension,
    ]);
    await bundle(lists.url);
    const playwright = requireFromNode('playwright-core') as { readonly chromium: typeof chromium };
    browser = await playwright.chromium.launchPersistentContext('', {
      executablePath: path,
      args: ['--no-sandbox', '--disable-gpu', '--headless=new', `--load-extension=${folder}`],
      ignoreDefaultArgs: ['--disable-extensions'],
    });
    const page = await browser.newPage();
    const [worker = await browser.waitForEvent('serviceworker')] = browser.serviceWorkers();
    assert.is(worker.url(), `${extension}/bundle.js`);
    await page.goto(`${extension}/blocked.html`);
    await page.waitForFunction(async () => (await (await caches.open('lists')).keys()).length === 2);
  });
  tests.after(async () => {
    await browser.close();
    await lists.stop();
    pages.close();
    pages.closeAllConnections();
    rmSync(folder, { recursive: true });
  });

  tests('a navigation to what is listed is blocked: itself, by a redirection, and in a frame', async () => {
    const good = await browser.newPage();
    await good.goto(`${site}/good`);
    for (const from of ['/evil', '/moved', '/framed']) {
      const page = await browser.newPage();
      await page.goto(site + from).catch(() => undefined); // the extension may end it first
      await page.locator('output:not(:empty)').waitFor(); // a redirection is blocked twice: the first page may be left
      assert.ok(page.url().startsWith(`${extension}/blocked.html?`));
      assert.equal(await shownOf(page), { url: `${site}/evil`, why: 'MALWARE' }, from);
    }
    assert.is(good.url(), `${site}/good`);
    assert.is(await good.title(), 'good');
  });

  tests('a page in the same browser cannot ask the server', async () => {
    const page = await browser.newPage();
    await page.goto(`${site}/good`);
    const asked = page.evaluate((url) => fetch(url).then(() => 'answered', String), `${lists.url}hashLists?alt=json`);
    assert.is(await asked, 'TypeError: Failed to fetch');
  });
}

/** The id of an extension that is loaded from a folder: half of the SHA-256 of its path, a to p for 0 to f. */
function idOf(folder: string): string {
  const hex = createHash('sha256').update(folder).digest('hex').slice(0, 32);
  return hex.replace(/./g, (digit) => String.fromCharCode(97 + Number.parseInt(digit, 16)));
}

/** Bundles the extension as the README says, with the address of this server. */
async function bundle(server: string): Promise<void> {
  cpSync('examples/extension', folder, { recursive: true });
  const { build } = requireFromNode('esbuild') as typeof esbuild;
  const outfile = join(folder, 'bundle.js');
  // the package by its name, with none of this project's own paths
  await build({
    entryPoints: ['examples/extension/background.js'],
    bundle: true,
    outfile,
    tsconfigRaw: {},
    logLevel: 'error',
  });
  const text = readFileSync(outfile, 'utf8');
  assert.ok(text.includes('http://127.0.0.1:8080/v5/'));
  writeFileSync(outfile, text.replace('http://127.0.0.1:8080/v5/', server));
}

const shownOf = async (page: Page) => ({
  url: await page.locator('code').textContent(),
  why: await page.locator('output').textContent(),
});

tests.run();
