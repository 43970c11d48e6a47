import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** examples/list-server as a process of its own, with its lists in a folder of its own. */
export class ListServer {
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
  static async start(lists: Readonly<Record<string, readonly string[]>>, args: readonly string[] = []) {
    const folder = mkdtempSync(join(tmpdir(), 'urlsum-lists-'));
    for (const [name, urls] of Object.entries(lists)) write(folder, name, urls);
    const files = Object.keys(lists).map((name) => `${name}=${join(folder, name)}`);
    const server = spawn(process.execPath, ['examples/list-server/main.mjs', '--port', '0', ...args, ...files], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [url] = await Promise.race([once(createInterface(server.stdout), 'line'), exitOf(server)]);
    return new ListServer(folder, server, url);
  }

  /** In one step, so that no half of a file is served. */
  write(name: string, urls: readonly string[]): void {
    write(this.#folder, name, urls);
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

function write(folder: string, name: string, urls: readonly string[]): void {
  const path = join(folder, name);
  writeFileSync(`${path}.new`, urls.map((url) => `${url}\n`).join(''));
  renameSync(`${path}.new`, path);
}
