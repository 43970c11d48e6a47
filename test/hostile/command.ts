import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';

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
