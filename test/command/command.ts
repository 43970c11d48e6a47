import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import * as assert from 'uvu/assert';
import { ENVIRONMENT } from '../support/environment.ts';

export interface Result {
  readonly status: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

type Answer = { readonly status: number; readonly stdout: Uint8Array; readonly stderr: Uint8Array };

/** Carries out a command line and waits for its end. */
type CommandThread = (args: readonly string[], input: Uint8Array) => Answer;

/** Kept threads by the modules that have the command. */
const threads = new Map<string, CommandThread>();
const BUILT = 'dist/esm/cli-main.js';

/**
 * Carries out a command line by the built command, in a thread that is kept: starting a process takes 120 ms of
 * processor time, and tests do it 1,500 times. `module` is another build of src/command/main.ts.
 */
export function urlsum(args: readonly string[], input: string | Uint8Array = '', module = BUILT): Result {
  const thread = threads.get(module) ?? startThread(module);
  threads.set(module, thread);
  const { status, stdout, stderr } = thread(args, Buffer.from(input));
  return {
    status,
    stdout: Buffer.from(stdout.buffer, stdout.byteOffset, stdout.length),
    stderr: Buffer.from(stderr).toString(),
  };
}

/** Runs the built command and reads what it wrote as text. */
export function textOf(args: readonly string[], input: string | Uint8Array = '') {
  const { stdout, stderr, status } = urlsum(args, input);
  return { stdout: stdout.toString(), stderr, status };
}

/** Runs the built command to its end in a process of its own, where the process is what is tested. */
export function spawned(
  args: readonly string[],
  input: string | Uint8Array = '',
  env: Record<string, string> = {},
): Result {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['dist/esm/cli.js', ...args], {
    input,
    env: { ...ENVIRONMENT, ...env },
    maxBuffer: 1 << 30,
  });
  return { status, stdout, stderr: stderr.toString() };
}

function startThread(module: string): CommandThread {
  const { port1, port2 } = new MessageChannel();
  const ended = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(join(process.cwd(), 'test/command/thread.mjs'), {
    workerData: { port: port2, ended, module },
    transferList: [port2],
    stdout: true, // not passed on: the thread has streams of its own for each run
    stderr: true,
  });
  worker.unref();
  return (args, input) => {
    Atomics.store(ended, 0, 0);
    port1.postMessage({ args, input });
    // the thread may be between storing and notifying for the run before: that wakes this one without an answer
    while (Atomics.load(ended, 0) === 0) Atomics.wait(ended, 0, 0);
    const { message } = receiveMessageOnPort(port1)!;
    if ('error' in message) throw message.error;
    return message as Answer;
  };
}

/** The parts of a run's result that a test knows. */
interface Expected {
  readonly status?: number | null;
  /** All of it, or a part. */
  readonly stdout?: string | RegExp;
  readonly stderr?: string;
  /** Parts of standard error. */
  readonly says?: string | RegExp | readonly (string | RegExp)[];
}

/** Compares the result of a run with what a test knows of it. */
export function mustGive(
  result: { readonly status: number | null; readonly stdout: Buffer | string; readonly stderr: string },
  { status, stdout, stderr, says = [] }: Expected,
  message?: string,
): void {
  if (status !== undefined) assert.is(result.status, status, message ?? result.stderr);
  if (typeof stdout === 'string') assert.is(result.stdout.toString(), stdout, message);
  else if (stdout !== undefined) assert.match(result.stdout.toString(), stdout, message);
  if (stderr !== undefined) assert.is(result.stderr, stderr, message);
  for (const part of [says].flat()) assert.match(result.stderr, part, message);
}
