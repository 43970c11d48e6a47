// A thread that carries out command lines by the built command, one after another. It stands in for the main thread of
// a process: standard streams, exit status and listeners for the end are those of one run.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { resolve } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import threads from 'node:worker_threads';

const { port, ended, module } = threads.workerData;
const PIPE_BYTES = 1 << 16;

// As the main thread of a process whose standard streams are pipes, whatever those of the tests are.
threads.isMainThread = true;
const { fstatSync } = fs;
fs.fstatSync = (descriptor, ...options) =>
  descriptor < 2 ? fs.statSync('/dev/zero', ...options) : fstatSync(descriptor, ...options);
for (const name of ['readSync', 'readFileSync']) {
  const read = fs[name];
  fs[name] = (file, ...rest) => {
    if (file === 0) throw new Error('a thread has no descriptor 0: run the command by `spawned`');
    return read(file, ...rest);
  };
}
syncBuiltinESMExports();

const { run } = await import(pathToFileURL(resolve(module)).href);

function* pieces(bytes) {
  for (let at = 0; at < bytes.length; at += PIPE_BYTES) yield Buffer.from(bytes.subarray(at, at + PIPE_BYTES));
}

function kept(chunks) {
  return new Writable({
    write(chunk, _, done) {
      chunks.push(Buffer.from(chunk)); // the command writes its memory over
      done();
    },
  });
}

/** Ends with a run all that ends with a process: the lock of an index is released. */
function endRun(before) {
  for (const listener of process.listeners('exit').filter((each) => !before.includes(each))) {
    process.off('exit', listener);
    listener();
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(signal);
}

function answer(message) {
  port.postMessage(message);
  Atomics.store(ended, 0, 1);
  Atomics.notify(ended, 0);
}

process.on('uncaughtException', (error) => answer({ error }));

port.on('message', async ({ args, input }) => {
  const [stdout, stderr, before] = [[], [], process.listeners('exit')];
  const streams = { stdin: Readable.from(pieces(input)), stdout: kept(stdout), stderr: kept(stderr) };
  for (const [name, value] of Object.entries(streams))
    Object.defineProperty(process, name, { value, configurable: true });
  process.exitCode = undefined;
  await run(args);
  endRun(before);
  answer({ status: process.exitCode, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr) });
});
