import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { HostedList, ListServer } from '../../../src/service/http/list-server.ts';
import { SettlingClock } from '../../store/settling-clock.ts';
import { ENVIRONMENT } from '../../support/environment.ts';
import { watching } from './list-files.ts';

type Lists = Readonly<Record<string, readonly string[]>>;

const ANYWHERE = { host: '127.0.0.1', port: 0 };

/** `urlsum list serve` in this process, with its files in a folder of its own. */
export class ServedLists {
  readonly #folder = mkdtempSync(join(tmpdir(), 'urlsum-lists-'));
  readonly #clock = new SettlingClock();
  readonly #lists: readonly HostedList[];
  readonly #server: ListServer;
  /** Messages of the server on its lists. */
  readonly said: string[] = [];
  /** Ends with /v5/. */
  url = '';

  private constructor(lists: Lists) {
    const log = (message: string) => void this.said.push(message);
    this.#lists = Object.entries(lists).map(([name, urls]) => {
      const options = watching({ ...this.#clock.options, log, waitMs: 1_800_000 });
      return new HostedList(name, write(this.#folder, name, urls), options);
    });
    this.#server = new ListServer({ lists: this.#lists, cacheMs: 300_000, hosts: [], log });
  }

  /** @param lists URLs by the names of their lists */
  static async start(lists: Lists): Promise<ServedLists> {
    const served = new ServedLists(lists);
    for (const list of served.#lists) await list.load();
    served.url = await served.#server.listen(ANYWHERE);
    return served;
  }

  /** Settles when the server has read the file. */
  write(name: string, urls: readonly string[]): Promise<void> {
    write(this.#folder, name, urls);
    return this.#settle(name);
  }

  remove(name: string): Promise<void> {
    rmSync(join(this.#folder, name));
    return this.#settle(name);
  }

  #settle(name: string): Promise<void> {
    const list = this.#lists.find((each) => each.name === name)!;
    return this.#clock.settle(() => list.look());
  }

  async stop(): Promise<void> {
    await this.#server.close();
    rmSync(this.#folder, { recursive: true });
  }
}

/** `urlsum list serve` as a process of its own, whose lists do not change. */
export class ListProcess {
  readonly #folder: string;
  readonly #process: ChildProcess;
  /** Ends with /v5/. */
  readonly url: string;

  private constructor(folder: string, server: ChildProcess, url: string) {
    this.#folder = folder;
    this.#process = server;
    this.url = url;
  }

  /** @param lists URLs by the names of their lists */
  static async start(lists: Lists, options: readonly string[] = []): Promise<ListProcess> {
    const folder = mkdtempSync(join(tmpdir(), 'urlsum-lists-'));
    const files = Object.entries(lists).map(([name, urls]) => `${name}=${write(folder, name, urls)}`);
    const args = ['dist/esm/cli.js', 'list', 'serve', '--settle', '0', '--listen', '127.0.0.1:0', ...options, ...files];
    const server = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], env: ENVIRONMENT });
    const [url] = await Promise.race([once(createInterface(server.stdout), 'line'), exitOf(server)]);
    return new ListProcess(folder, server, url);
  }

  async stop(): Promise<void> {
    const exit = once(this.#process, 'exit');
    this.#process.kill();
    await exit;
    rmSync(this.#folder, { recursive: true });
  }
}

/** @throws with the status, so that a test of a server that cannot start does not wait for it forever */
async function exitOf(server: ChildProcess): Promise<never> {
  const [status] = await once(server, 'exit');
  throw new Error(`the list server ended with status ${status}`);
}

/** Returns the path. */
function write(folder: string, name: string, urls: readonly string[]): string {
  const path = join(folder, name);
  writeFileSync(`${path}.new`, urls.map((url) => `${url}\n`).join(''));
  renameSync(`${path}.new`, path);
  return path;
}
