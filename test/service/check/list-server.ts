import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ENVIRONMENT } from '../../environment.ts';

/** For a server that is not going to say it: what is said comes with the answer to a request. */
const MAX_SILENCE_MS = 120_000;

/** `urlsum list serve` as a process of its own, with its lists in a folder of its own. */
export class ListServer {
  readonly #folder: string;
  readonly #process: ChildProcess;
  readonly #complaints: AsyncIterator<string>;
  /** Ends with /v5/. */
  readonly url: string;

  private constructor(folder: string, server: ChildProcess, url: string) {
    this.#folder = folder;
    this.#process = server;
    this.#complaints = createInterface(server.stderr!)[Symbol.asyncIterator]();
    this.url = url;
  }

  /** @param lists URLs by the names of their lists */
  static async start(lists: Readonly<Record<string, readonly string[]>>, args: readonly string[] = []) {
    const folder = mkdtempSync(join(tmpdir(), 'urlsum-lists-'));
    for (const [name, urls] of Object.entries(lists)) write(folder, name, urls);
    const files = Object.keys(lists).map((name) => `${name}=${join(folder, name)}`);
    const server = spawn(
      process.execPath,
      ['dist/esm/cli.js', 'list', 'serve', '--listen', '127.0.0.1:0', ...args, ...files],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: ENVIRONMENT,
      },
    );
    const [url] = await Promise.race([once(createInterface(server.stdout), 'line'), exitOf(server)]);
    return new ListServer(folder, server, url);
  }

  /** In one step, so that no half of a file is served. */
  write(name: string, urls: readonly string[]): void {
    write(this.#folder, name, urls);
  }

  /** By a new name, so that the next file of this one cannot have the same inode. */
  remove(name: string): void {
    renameSync(join(this.#folder, name), join(this.#folder, `${name}.removed`));
  }

  /** The next line of standard error, after `urlsum: `, that is of this form. */
  async said(form: RegExp): Promise<string> {
    const silence = new Promise<never>((_, reject) => {
      setTimeout(reject, MAX_SILENCE_MS, new Error(`the list server did not say ${form}`)).unref();
    });
    for (;;) {
      const { value } = await Promise.race([this.#complaints.next(), silence]);
      const message = String(value).replace(/^urlsum: /, '');
      if (form.test(message)) return message;
    }
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
