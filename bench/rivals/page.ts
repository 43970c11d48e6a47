import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type Browser, open, versionOf } from '../../test/runtimes/browser.ts';
import { send, sendFile } from '../../test/support/file-server.ts';
import type { Connection, Start } from './program.ts';

const PAGE = '/bench/rivals/page.html';
const PROJECT = resolve('.');
/** With these a page's clock counts microseconds; without, tenths of a millisecond or whole ones. */
const ISOLATION = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };

/** The built package in a page, which a browser of its own opens. */
export function page(browser: Browser): Start {
  return { name: browser.name, connect: (path) => connect(browser, path) };
}

async function connect(browser: Browser, path: string): Promise<Connection> {
  const [name, version = ''] = (await versionOf(browser)).split(' ') as [string, string?];
  const site = new PageSite(path);
  const address = `${await site.open()}?${new URLSearchParams({ name, version })}`;
  const { group, ended, stop } = open(browser, address);
  site.clock = new GroupClock(group);
  site.requests.once('finish', stop);
  void ended.then(() => site.close());
  return site;
}

/** Serves what the page asks for, on a port of 127.0.0.1: the files of the project, the lines, and the requests. */
class PageSite implements Connection {
  readonly requests = new PassThrough();
  readonly answers = new PassThrough();
  /** The process of the browser, as soon as it is started. */
  clock: GroupClock | undefined;
  readonly #lines: Buffer;
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  constructor(path: string) {
    this.#lines = readFileSync(path);
  }

  /** Gives the address of the page. */
  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${PAGE}`;
  }

  close(): void {
    this.answers.end();
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url!.replace(/\?.*/, '');
    for (const [name, value] of Object.entries(ISOLATION)) response.setHeader(name, value);
    if (path === '/lines') send(response, '.txt', this.#lines);
    else if (path === '/processor') send(response, '.json', JSON.stringify({ nanoseconds: this.clock?.nanoseconds() }));
    else if (path === '/requests') this.#sendRequests(response);
    else if (path === '/answer') request.on('end', () => response.end()).pipe(this.answers, { end: false });
    else if (path === '/failure') await this.#fail(request);
    else sendFile(response, PROJECT, path);
  }

  /** Sends requests as server-sent events. */
  #sendRequests(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    createInterface({ input: this.requests }).on('line', (request) => response.write(`data: ${request}\n\n`));
  }

  /** Fails as a process does: it says on standard error why it fails, and ends without an answer. */
  async #fail(request: IncomingMessage): Promise<void> {
    console.error(await text(request));
    this.requests.end();
  }
}

/**
 * Processor time of a group of processes, such as a browser's: of the threads that live when it is read. Linux tells it
 * in nanoseconds of each thread, but of each process only in hundredths of a second, which is a tenth of a round.
 */
export class GroupClock {
  readonly #group: number;
  readonly #known = new Map<string, number>();
  #total = 0;

  constructor(group: number) {
    this.#group = group;
  }

  /** Since the processes began; `undefined` where the system does not tell. */
  nanoseconds(): number | undefined {
    for (const [thread, nanoseconds] of threadsOf(this.#group)) {
      this.#total += nanoseconds - (this.#known.get(thread) ?? 0);
      this.#known.set(thread, nanoseconds);
    }
    return this.#total === 0 ? undefined : this.#total;
  }
}

function threadsOf(group: number): [thread: string, nanoseconds: number][] {
  const processes = entries('/proc').filter((name) => /^\d+$/.test(name) && groupOf(name) === group);
  const threads = processes.flatMap((each) =>
    entries(`/proc/${each}/task`).map((name) => `/proc/${each}/task/${name}`),
  );
  return threads.flatMap((thread) => {
    const times = content(`${thread}/schedstat`);
    return times === undefined ? [] : [[thread, Number(times.split(' ')[0])]];
  });
}

/** The fifth field of `stat`; the second, the name, may hold spaces and brackets. */
function groupOf(process: string): number {
  return Number(
    content(`/proc/${process}/stat`)
      ?.replace(/^.*\) /s, '')
      .split(' ')[2],
  );
}

/** Empty after the process has ended, and on systems without /proc. */
function entries(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function content(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
