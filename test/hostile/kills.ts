import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { FOLDER } from '../support/scratch.ts';
import { random } from '../support/seed.ts';
import { COMMAND, SIGNALS, urlsum } from './command.ts';

const ARGUMENTS: readonly (readonly string[])[] = [[], ['-j', '2'], ['--format', 'ndjson'], ['canon']];
const LINE_COUNT = 200_000;

/**
 * Whenever a run ends, what its output's name stands for is whole or as before; only SIGKILL leaves anything beside it.
 */
export async function kills(count: number): Promise<string> {
  const next = random();
  const input = join(FOLDER, 'input');
  writeFileSync(input, Array.from({ length: LINE_COUNT }, (_, row) => `http://example.com/${row}\n`).join(''));
  const wholes = new Map(ARGUMENTS.map((args) => [args, measured([...args, input])]));
  let [killed, left] = [0, 0];
  for (let round = 0; round < count; round++) {
    const args = ARGUMENTS[next(ARGUMENTS.length)]!;
    const signal = SIGNALS[next(SIGNALS.length)]!;
    const { stdout, milliseconds } = wholes.get(args)!;
    const folder = join(FOLDER, `kill-${round}`);
    const out = join(folder, 'out');
    mkdirSync(folder);
    const before = next(2) === 0 ? undefined : Buffer.from('as before');
    if (before !== undefined) writeFileSync(out, before);
    const wasKilled = await ended([...args, '--out', out, input], signal, next(1.2 * milliseconds));
    const found = existsSync(out) ? readFileSync(out) : undefined;
    const what = `round ${round}: ${args.join(' ')} ${signal}`;
    assert.ok(found === undefined ? before === undefined : found.equals(stdout) || found.equals(before!), what);
    if (!wasKilled) assert.ok(found!.equals(stdout), what);
    const others = readdirSync(folder).filter((name) => name !== 'out');
    assert.ok(signal === 'SIGKILL' ? others.length <= 1 : others.length === 0, `${what}: ${others.join(' ')}`);
    rmSync(folder, { recursive: true });
    killed += Number(wasKilled);
    left += others.length;
  }
  return `${count} runs, ${killed} of them ended by the signal; SIGKILL left ${left} temporary files`;
}

function measured(args: readonly string[]): { readonly stdout: Buffer; readonly milliseconds: number } {
  const start = performance.now();
  const { stdout } = urlsum(args);
  return { stdout, milliseconds: performance.now() - start };
}

/** Was the run still there when the signal came? */
export async function ended(args: readonly string[], signal: NodeJS.Signals, milliseconds: number): Promise<boolean> {
  // 'ignore' would open it for reading as well, as Node does where it is closed, and --unseen refuses that
  const output = openSync('/dev/null', 'w');
  const child = spawn(process.execPath, [COMMAND, ...args], { stdio: ['ignore', output, 'ignore'] });
  closeSync(output);
  const closed = once(child, 'close');
  await Promise.race([closed, setTimeout(milliseconds)]);
  child.kill(signal);
  const [status, killedBy] = (await closed) as [number | null, NodeJS.Signals | null];
  assert.ok(killedBy === signal || status === 0, `status ${status}, signal ${killedBy}`);
  return killedBy === signal;
}
