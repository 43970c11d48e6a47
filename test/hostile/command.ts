import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import * as assert from 'uvu/assert';
import { ENVIRONMENT } from '../support/environment.ts';

export const COMMAND = join(process.cwd(), 'dist/esm/cli.js');

/** A folder of this run's own, gone when the process ends. */
export const FOLDER = mkdtempSync(join(tmpdir(), 'urlsum-hostile-'));
process.on('exit', () => rmSync(FOLDER, { recursive: true, force: true }));

const CASE_SECONDS = 60;

/** Runs the built command, which must end by itself, with a status of its own, and with sentences. */
export function urlsum(args: readonly string[]): SpawnSyncReturns<Buffer> {
  return ended(spawnSync(process.execPath, [COMMAND, ...args], limits()), args.join(' '));
}

/** The same in bash, where "$0" is Node, "$1" the command, and "$2" and so on what is given. */
export function inShell(script: string, ...values: readonly string[]): SpawnSyncReturns<Buffer> {
  return ended(spawnSync('bash', ['-c', script, process.execPath, COMMAND, ...values], limits()), script);
}

export interface Served {
  /** The command: `list serve`. */
  readonly name: string;
  readonly url: URL;
  readonly pid: number;
}

/** Starts both servers, one after the other, and returns what the work on each says. */
export async function onBothServers(work: (server: Served) => Promise<string>): Promise<string> {
  const list = join(mkdtempSync(join(FOLDER, 'served-')), 'list.txt');
  writeFileSync(list, 'evil.example\n# END 1 entries\n');
  const lookUps = ['safe-browsing', 'serve', '--procedure', 'no-storage', '--when-unsure', 'block'];
  return `${await served(['list', 'serve', `mw-4b=${list}`], work)}; ${await served(lookUps, work)}`;
}

async function served(args: readonly string[], work: (server: Served) => Promise<string>): Promise<string> {
  const server = spawn(process.execPath, [COMMAND, ...args, '--listen', '127.0.0.1:0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: ENVIRONMENT,
  });
  try {
    const [url] = (await once(createInterface(server.stdout), 'line')) as [string];
    return await work({ name: `${args[0]} serve`, url: new URL(url), pid: server.pid! });
  } finally {
    const closed = once(server, 'close');
    server.kill();
    await closed;
  }
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
