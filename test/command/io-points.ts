import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ENVIRONMENT } from '../support/environment.ts';

const HOOK = pathToFileURL(join(process.cwd(), 'test/command/io-points.mjs')).href;

/** A run of the command that tells the points of its I/O, such as 'before rename .tmp'. */
export interface WatchedRun {
  readonly child: ChildProcess;
  /** The points that were reached until now. */
  readonly points: readonly string[];
  /** Exit status and signal. */
  readonly closed: Promise<[status: number | null, signal: NodeJS.Signals | null]>;
  /** Continues a run that stops itself, which it may do only after this: so it is told again until it has ended. */
  resume(): void;
  /** Settles when it has been at a point so many times; rejects where the run ends before. */
  reached(point: string, times?: number): Promise<void>;
}

/** `stop`: the signal that the run sends to itself at a point. */
export function watchedRun(
  args: readonly string[],
  stop?: { readonly point: string; readonly signal: NodeJS.Signals },
): WatchedRun {
  const URLSUM_STOP = stop === undefined ? '' : `${stop.point} ${stop.signal}`;
  const dropped = openSync('/dev/null', 'w'); // 'ignore' opens it for reading too, as Node does in place of a closed one
  const child = spawn(process.execPath, ['--import', HOOK, 'dist/esm/cli.js', ...args], {
    stdio: ['pipe', dropped, 'pipe', 'ipc'],
    env: { ...ENVIRONMENT, URLSUM_STOP },
  });
  closeSync(dropped);
  child.stderr!.resume();
  child.stdin!.on('error', () => undefined); // it may be stopped while it is written to
  const points: string[] = [];
  child.on('message', (point: string) => points.push(point));
  const closed = once(child, 'close') as WatchedRun['closed'];
  const reached = async (point: string, times = 1) => {
    while (points.filter((each) => each === point).length < times) {
      const ended = closed.then(([status]) => ({ status }));
      const next = await Promise.race([once(child, 'message'), ended]);
      if ('status' in next) throw new Error(`it ended with status ${next.status} before it was at ${point}`);
    }
  };
  const resume = () => {
    const again = setInterval(() => child.kill('SIGCONT'), 100);
    child.kill('SIGCONT');
    child.once('close', () => clearInterval(again));
  };
  return { child, points, closed, resume, reached };
}
