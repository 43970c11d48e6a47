import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import * as assert from 'uvu/assert';
import { ENVIRONMENT } from '../support/environment.ts';
import { file } from '../support/scratch.ts';

export const COMMAND = join(process.cwd(), 'dist/esm/cli.js');

/** Signals that end a run. */
export const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'] as const;
const CASE_SECONDS = 60;

/** Runs the built command, which must end by itself, with a status of its own, and with sentences. */
export function urlsum(args: readonly string[]): SpawnSyncReturns<Buffer> {
  return ended(spawnSync(process.execPath, [COMMAND, ...args], limits()), args.join(' '));
}

/** The same in bash, where "$0" is Node, "$1" the command, and "$2" and so on what is given. */
export function inShell(script: string, ...values: readonly string[]): SpawnSyncReturns<Buffer> {
  return ended(spawnSync('bash', ['-c', script, process.execPath, COMMAND, ...values], limits()), script);
}

/** A server of the command as a process of its own, at a free port. */
export class ServerProcess {
  readonly #child;
  /** The command: `list serve`. */
  readonly name: string;
  url = '';
  stderr = '';

  private constructor(args: readonly string[]) {
    this.name = `${args[0]} ${args[1]}`;
    this.#child = spawn(process.execPath, [COMMAND, ...args, '--listen', '127.0.0.1:0'], { env: ENVIRONMENT });
    this.#child.stderr.on('data', (chunk) => {
      this.stderr += chunk;
    });
  }

  /** Comes back when the server has said where it listens. */
  static async start(args: readonly string[]): Promise<ServerProcess> {
    const server = new ServerProcess(args);
    [server.url] = (await once(createInterface(server.#child.stdout), 'line')) as [string];
    return server;
  }

  get pid(): number {
    return this.#child.pid!;
  }

  /** Resident memory in MiB, on Linux. */
  memory(): number {
    const [, kib] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${this.pid}/status`, 'utf8'))!;
    return Number(kib) / 1024;
  }

  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    const closed = once(this.#child, 'close');
    this.#child.kill(signal);
    const [status] = await closed;
    return status;
  }
}

/** Starts both servers, one after the other, and returns what the work on each says. */
export async function onBothServers(work: (server: ServerProcess) => Promise<string>): Promise<string> {
  const path = file('served.txt', 'evil.example\n# END 1 entries\n');
  const said: string[] = [];
  for (const args of [
    ['list', 'serve', `mw-4b=${path}`],
    ['safe-browsing', 'serve', '--procedure', 'no-storage', '--when-unsure', 'block'],
  ]) {
    const server = await ServerProcess.start(args);
    said.push(await work(server).finally(() => server.end()));
  }
  return said.join('; ');
}

function limits() {
  return { timeout: CASE_SECONDS * 1000, maxBuffer: 1 << 30, input: '' };
}

function ended(result: SpawnSyncReturns<Buffer>, what: string): SpawnSyncReturns<Buffer> {
  const { status, signal, stderr } = result;
  assert.is(signal, null, `${what}: ended by ${signal}`);
  assert.ok(status === 0 || status === 1 || status === 2, `${what}: status ${status}`);
  assert.not.match(stderr.toString(), /^\s+at |node:internal|Uncaught|(?:Type|Range|Syntax)Error|undefined/m, what);
  return result;
}
