import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { send, sendFile } from '../support/file-server.ts';
import { type Browser, open } from './browser.ts';
import { PAGES, type Page, pathOf, SERVICE_WORKER_PATH } from './pages.ts';

/** So long that only a browser that has died takes it: all pages take 30 seconds of an idle processor. */
const VISIT_SECONDS = 900;

export interface Visit {
  /** The text that each page has sent back, by its path. */
  readonly received: ReadonlyMap<string, string>;
  /** All that the browser has asked for. */
  readonly requested: readonly string[];
}

/** Opens the pages in one start of the browser. */
export async function visit(browser: Browser, folder: string, pages: readonly string[]): Promise<Visit> {
  const site = new Site(folder, pages);
  const process = open(browser, await site.open());
  const timeout = AbortSignal.timeout(VISIT_SECONDS * 1000);
  try {
    await Promise.race([site.finished, new Promise((resolve) => timeout.addEventListener('abort', resolve))]);
    return site;
  } finally {
    await process.stop();
    site.close();
  }
}

/** Serves the pages of one visit on a port of 127.0.0.1, from the files of `folder`. */
class Site {
  /** The text that each page has sent, by its path. */
  readonly received = new Map<string, string>();
  readonly requested: string[] = [];
  readonly finished: Promise<void>;
  readonly #server;
  #finish!: () => void;

  constructor(folder: string, pages: readonly string[]) {
    this.finished = new Promise((resolve) => (this.#finish = resolve));
    this.#server = createServer((request, response) => this.#answer(request, response, folder, pages));
  }

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #answer(request: IncomingMessage, response: ServerResponse, folder: string, pages: readonly string[]): void {
    this.requested.push(request.url!);
    const path = request.url!.replace(/\?.*/, '');
    if (request.method === 'POST') void this.#receive(request, response, path);
    else if (path === '/') send(response, '.html', tour(pages));
    else sendPath(response, folder, path);
  }

  async #receive(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    this.received.set(path, await text(request));
    response.end();
    if (path === '/finished') this.#finish();
  }
}

function sendPath(response: ServerResponse, folder: string, path: string): void {
  const page = PAGES.find((each) => path === pathOf(each));
  if (page !== undefined) return sendPage(response, page);
  if (path === SERVICE_WORKER_PATH) return send(response, '.html', watcher('/examples/service-worker/'));
  sendFile(response, folder, path);
}

function sendPage(response: ServerResponse, { policy, importMap, script }: Page): void {
  if (policy !== undefined) response.setHeader('content-security-policy', policy);
  const map = importMap === undefined ? '' : `<script type="importmap">${JSON.stringify(importMap)}</script>`;
  send(response, '.html', `<!doctype html><meta charset="utf-8">${map}<script type="module" src="${script}"></script>`);
}

/** Shows a page that knows nothing of all this, and sends what it says when it is done. */
function watcher(page: string): string {
  return `<!doctype html><meta charset="utf-8"><iframe src="${page}"></iframe><script type="module">
const shown = () => document.querySelector('iframe').contentDocument;
while (shown()?.querySelector('output')?.textContent !== 'done') await new Promise((done) => setTimeout(done, 20));
const said = [...shown().querySelectorAll('li')].map((item) => item.textContent).join('\\n');
await fetch(location.pathname, { method: 'POST', body: said });
parent.postMessage('finished');
</script>`;
}

/** A page that has sent nothing by then is given up, so that the others are still opened. */
const PAGE_SECONDS = 300;

/**
 * Opens each page in a frame, one after the other: a document of its own with a policy of its own, in one start of the
 * browser.
 */
function tour(pages: readonly string[]): string {
  return `<!doctype html><meta charset="utf-8"><script type="module">
for (const page of ${JSON.stringify(pages)}) {
  const frame = document.body.appendChild(Object.assign(document.createElement('iframe'), { src: page }));
  await Promise.race([new Promise((done) => addEventListener('message', done, { once: true })), new Promise((done) => setTimeout(done, ${PAGE_SECONDS * 1000}))]);
  frame.remove();
}
fetch('/finished', { method: 'POST' });
</script><body></body>`;
}
