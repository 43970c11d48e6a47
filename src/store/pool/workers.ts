import { setMaxListeners } from 'node:events';
import { fstatSync, readSync } from 'node:fs';
import { parentPort, Worker, type WorkerOptions } from 'node:worker_threads';
import { hasOwn } from '../../core/argument.ts';
import { LINE_FEED } from '../../core/bytes/code-points.ts';
import { withoutByteOrderMark } from '../../core/bytes/text.ts';
import { type AbortSource, untilAborted } from '../../core/lifetime.ts';
import { readWhole } from '../files.ts';

/** The answer of a worker: the result of a job, or why there is none, whose members, such as `code`, no clone has. */
type Answer<Result> = { readonly result: Result } | { readonly error: unknown; readonly members?: object };

interface Thread<Result> {
  readonly worker: Worker;
  /** Functions that settle the worker's jobs, in order; none while it is idle. */
  readonly settles: ((answer: Answer<Result>) => void)[];
}

interface QueuedJob<Job, Result> {
  readonly job: Job;
  readonly transfer: readonly ArrayBuffer[];
  readonly settle: (answer: Answer<Result>) => void;
}

/**
 * Threads that each take a job at a time, or more to go on with; at work, they keep the process alive. A thread starts
 * when there is a job that no other is free for: small inputs need not wait for threads that do nothing.
 */
export class Workers<Job, Result> {
  /** The greatest number of threads. */
  readonly count: number;
  readonly #program: URL | string;
  readonly #workerData: unknown;
  readonly #threads: Thread<Result>[] = [];
  readonly #queue: QueuedJob<Job, Result>[] = [];
  readonly #jobsEach: number;
  /** Aborts with the first failure, after which no job is done any more. */
  readonly #end = new AbortController();

  /**
   * @param program of a thread, which answers each message with an Answer: a module's URL, or the text of a script
   * @param jobsEach how many jobs a thread has at most: of two, one waits there and not here, so that the thread need
   *   not wait for this one (4 to 7 % of a run of the command), but another idle thread cannot take it
   */
  constructor(program: URL | string, count: number, workerData: unknown, jobsEach = 1) {
    this.count = count;
    this.#program = program;
    this.#workerData = workerData;
    this.#jobsEach = jobsEach;
    setMaxListeners(0, this.#end.signal); // each reader has one, and Node warns of more than ten
  }

  /** Rejects with the job's own error, or with that of a worker that died. */
  run(job: Job, transfer: readonly ArrayBuffer[] = []): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#end.signal.aborted) return reject(this.#end.signal.reason);
      const settle = (answer: Answer<Result>) => {
        if (hasOwn(answer, 'result')) resolve(answer.result);
        else reject(Object.assign(answer.error as Error, answer.members));
      };
      this.#queue.push({ job, transfer, settle });
      this.#dispatch();
    });
  }

  /**
   * Yields the results of many jobs, in the jobs' order. In addition to the jobs that the threads have, at most one for
   * each is under way (backpressure); results of jobs that are under way when the reader leaves are dropped. If `jobs`
   * throws, or the threads end while it is silent, that error comes after the results of all jobs before it.
   */
  async *runAll(
    jobs: AsyncIterable<readonly [job: Job, transfer: readonly ArrayBuffer[]]>,
    signal?: AbortSource,
  ): AsyncGenerator<Result> {
    const inFlight: Promise<Result>[] = [];
    const iterator = jobs[Symbol.asyncIterator]();
    const failures: unknown[] = [];
    const end = this.#end.signal;
    const nextJob = () => untilAborted(iterator.next(), end).catch((error: unknown) => void failures.push(error));
    try {
      for (let next; (next = await untilAborted(nextJob(), signal)) !== undefined && !next.done; ) {
        const result = this.run(...next.value);
        result.catch(() => undefined); // it is awaited below, maybe after a later one has failed
        inFlight.push(result);
        if (inFlight.length >= (this.#jobsEach + 1) * this.count) yield await untilAborted(inFlight.shift()!, signal);
      }
      for (const result of inFlight) yield await untilAborted(result, signal);
      for (const error of failures) throw error;
    } finally {
      const left = iterator.return?.();
      if (signal?.aborted || end.aborted)
        left?.catch(() => undefined); // a silent source returns only when it speaks again
      else await left;
    }
  }

  /** Ends every thread; jobs under way reject. */
  async close(): Promise<void> {
    this.#fail(new Error('the pool is closed'));
    await Promise.all(this.#threads.map(({ worker }) => worker.terminate()));
  }

  #start(): Thread<Result> {
    const [program, workerData] = [this.#program, this.#workerData];
    const worker = new Worker(program, { eval: typeof program === 'string', workerData, ...threadOptions() });
    const thread: Thread<Result> = { worker, settles: [] };
    worker.on('message', (answer: Answer<Result>) => this.#answered(thread, answer));
    worker.on('error', (error) => this.#fail(error instanceof Error ? error : new Error(String(error))));
    worker.on('exit', (code) => this.#fail(new Error(`a worker thread ended with code ${code}`)));
    worker.unref(); // after the listeners: one for messages makes the process wait for the thread again
    this.#threads.push(thread);
    return thread;
  }

  #dispatch(): void {
    try {
      this.#giveJobs();
    } catch (error) {
      this.#fail(error as Error); // the system has no more threads, or the job no clone: what waits would wait forever
    }
  }

  /** Assigns queued jobs until the queue is empty or every thread is full. */
  #giveJobs(): void {
    while (this.#queue.length > 0) {
      const isFree = this.#threads.some(({ settles }) => settles.length === 0);
      const thread = isFree || this.#threads.length === this.count ? this.#leastBusy() : this.#start();
      if (thread.settles.length === this.#jobsEach) return;
      const { job, transfer, settle } = this.#queue.shift()!;
      thread.settles.push(settle);
      thread.worker.ref();
      thread.worker.postMessage(job, transfer);
    }
  }

  #leastBusy(): Thread<Result> {
    return this.#threads.reduce((least, each) => (each.settles.length < least.settles.length ? each : least));
  }

  #answered(thread: Thread<Result>, answer: Answer<Result>): void {
    // terminate() has made the process wait for the end of the thread: no unref() may undo that
    if (this.#end.signal.aborted) return;
    const settle = thread.settles.shift();
    if (thread.settles.length === 0) thread.worker.unref();
    settle?.(answer);
    this.#dispatch();
  }

  /** Keeps the first failure, and rejects the jobs under way and in the queue with it. */
  #fail(error: Error): void {
    if (this.#end.signal.aborted) return;
    this.#end.abort(error);
    for (const { worker, settles } of this.#threads) {
      worker.unref();
      for (const settle of settles.splice(0)) settle({ error });
    }
    for (const { settle } of this.#queue.splice(0)) settle({ error });
  }
}

/**
 * `node --input-type=module -e` passes its options on to threads: one that runs a file refuses this option, and one
 * that runs a text would run it as a module. Otherwise no options are named, because Worker refuses those of V8.
 */
function threadOptions(): WorkerOptions {
  const execArgv = process.execArgv.filter((option) => !option.startsWith('--input-type'));
  return execArgv.length === process.execArgv.length ? {} : { execArgv };
}

/**
 * The side of the thread: answers each job with its result, whose buffers are transferred, or with why there is none.
 */
export function answerEach<Job, Result>(
  resultOf: (job: Job) => Result,
  buffersOf: (result: Result) => ArrayBuffer[],
): void {
  const answerTo = (job: Job): Answer<Result> => {
    try {
      return { result: resultOf(job) };
    } catch (error) {
      return { error, members: { ...(error as Error) } };
    }
  };
  parentPort!.on('message', (job: Job) => {
    const answer = answerTo(job);
    parentPort!.postMessage(answer, hasOwn(answer, 'result') ? buffersOf(answer.result) : []);
  });
}

/** Bytes read at a time in search of a line feed: nearly every line is shorter. */
const SEARCHED_BYTES = 1 << 12;

/** Ranges differ by about a line: with this much to spare, a buffer rarely has to grow. */
const SPARE_BYTES = 1 << 16;

/** Whether the threads of a process have its open files: Deno numbers those of each thread from the start. */
export const SHARES_DESCRIPTORS = !('Deno' in globalThis);

/** Bytes [start, end) of a file. */
export interface Range {
  /** One for all ranges: under its name there may be another file a moment later. */
  readonly descriptor: number;
  readonly start: number;
  readonly end: number;
}

/** Yields ranges of `rangeBytes` that cover a file, in order. */
export function* rangesOf(descriptor: number, byteLength: number, rangeBytes: number): Generator<Range> {
  for (let start = 0; start < byteLength; start += rangeBytes) {
    yield { descriptor, start, end: Math.min(start + rangeBytes, byteLength) };
  }
}

/** Reads ranges into reused memory: touching fresh memory for each range took a quarter of the time. */
export class RangeReader {
  #bytes = new Uint8Array(0);

  /**
   * Returns the lines of a file that begin in a range, whole: the last may go on after the range's end. Ranges that
   * cover a file share out its lines, each to one of them, without a look at the file beforehand; the byte order mark
   * at its start is left out. The bytes are valid until the next call.
   *
   * @throws what reading throws, and an Error where the file ends before the range does
   */
  lines({ descriptor, start, end }: Range): Uint8Array {
    const lines = this.#linesIn(descriptor, start, end);
    if (fstatSync(descriptor).size < end) throw new Error('it became shorter while it was read');
    return start === 0 ? withoutByteOrderMark(lines) : lines;
  }

  #linesIn(file: number, start: number, end: number): Uint8Array {
    const first = start === 0 ? 0 : afterLineFeed(file, start - 1, end);
    if (first >= end) return new Uint8Array(0);
    return this.#read(file, first, afterLineFeed(file, end - 1, Number.POSITIVE_INFINITY));
  }

  #read(file: number, start: number, end: number): Uint8Array {
    const byteLength = end - start;
    if (this.#bytes.length < byteLength) this.#bytes = new Uint8Array(byteLength + SPARE_BYTES);
    const lines = this.#bytes.subarray(0, byteLength);
    return lines.subarray(0, readWhole(file, lines, start));
  }
}

/** Returns the position after the first line feed in [from, limit), or else the limit or the file's end. */
function afterLineFeed(file: number, from: number, limit: number): number {
  const bytes = new Uint8Array(SEARCHED_BYTES);
  for (let at = from; at < limit; ) {
    const length = readSync(file, bytes, 0, Math.min(SEARCHED_BYTES, limit - at), at);
    const feed = bytes.subarray(0, length).indexOf(LINE_FEED);
    if (feed !== -1) return at + feed + 1;
    if (length === 0) return at;
    at += length;
  }
  return limit;
}
