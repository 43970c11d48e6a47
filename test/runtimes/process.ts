import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { scratchFolder } from '../support/scratch.ts';

/** The environment that a runtime sees: nothing that could lead it elsewhere, and a home of its own. */
const ENVIRONMENT = {
  PATH: process.env['PATH'],
  HOME: scratchFolder('home'),
  TMPDIR: scratchFolder('tmp'),
  NO_COLOR: '1',
};
const SECONDS = 1000;

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutSeconds?: number;
  /** The text of standard input, which is empty by default. */
  readonly input?: string;
}

/** Leaders of process groups: workerd and the browsers leave children behind when only they are killed. */
const groups = new Set<number>();
process.prependListener('exit', () => groups.forEach(killGroup)); // before their folders are removed
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130));

/** Runs to the end and gives its standard output; fails, with what it said, on a status other than 0. */
export async function run(command: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
  const child = start(command, args, options);
  const timer = setTimeout(() => killGroup(child.pid!), (options.timeoutSeconds ?? 300) * SECONDS);
  const [output, errors, status] = await Promise.all([text(child.stdout!), text(child.stderr!), ended(child)]);
  clearTimeout(timer);
  killGroup(child.pid!);
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: status ${status}\n${excerpt(output + errors)}`);
  return output;
}

export interface Server {
  /** The address that it listens at, as it said in its first line. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts what serves until it is stopped. */
export async function serve(command: string, args: readonly string[], options: RunOptions = {}): Promise<Server> {
  const child = start(command, args, options);
  const errors = text(child.stderr!);
  const timer = setTimeout(() => killGroup(child.pid!), (options.timeoutSeconds ?? 120) * SECONDS);
  for await (const url of createInterface({ input: child.stdout! })) {
    clearTimeout(timer);
    return { url, stop: () => stop(child) };
  }
  throw new Error(`${command} ${args.join(' ')}: said no address\n${excerpt(await errors)}`);
}

/** A process that is to be stopped, with all that it starts. */
export interface Launched {
  /** The number of the group of all its processes. */
  readonly group: number;
  /** Comes when it has ended, of itself or stopped. */
  readonly ended: Promise<unknown>;
  stop(): Promise<void>;
}

/** Starts a process whose output is dropped. */
export function launch(command: string, args: readonly string[]): Launched {
  const child = start(command, args, {});
  child.stdout!.resume();
  child.stderr!.resume();
  return { group: child.pid!, ended: ended(child), stop: () => stop(child) };
}

function start(command: string, args: readonly string[], { cwd, env, input }: RunOptions): ChildProcess {
  const stdin = input === undefined ? 'ignore' : 'pipe';
  const child = spawn(command, args, {
    cwd: cwd ?? process.cwd(),
    env: { ...ENVIRONMENT, ...env },
    detached: true,
    stdio: [stdin, 'pipe', 'pipe'],
  });
  child.stdin?.end(input);
  if (child.pid !== undefined) groups.add(child.pid);
  return child;
}

async function stop(child: ChildProcess): Promise<void> {
  killGroup(child.pid!);
  await ended(child);
}

function killGroup(leader: number): void {
  groups.delete(leader);
  try {
    process.kill(-leader, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // ended already
  }
}

/** The beginning, where the reason stands, of what may be long. */
function excerpt(said: string): string {
  return said.trim().slice(0, 2000);
}

function ended(child: ChildProcess): Promise<number | NodeJS.Signals> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode ?? child.signalCode!);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (status, signal) => resolve(status ?? signal!));
  });
}
