import { Worker, type WorkerOptions } from 'node:worker_threads';

/** What a worker answers: the result of a job, or why there is none. */
export type Answer<Result> = { readonly result: Result } | { readonly error: unknown };

interface Thread<Result> {
  readonly worker: Worker;
  /** Settles the job that the worker is working on; undefined while it is idle. */
  settle: ((answer: Answer<Result>) => void) | undefined;
}

interface QueuedJob<Job, Result> {
  readonly job: Job;
  readonly transfer: readonly ArrayBuffer[];
  readonly settle: (answer: Answer<Result>) => void;
}

/** Threads that each take a job at a time. They keep the process alive only while one is at work. */
export class Workers<Job, Result> {
  readonly #threads: Thread<Result>[];
  readonly #queue: QueuedJob<Job, Result>[] = [];
  #failure: Error | undefined;

  /** @param program of a thread, which answers each message with an Answer: a module's URL, or the text of a script */
  constructor(program: URL | string, count: number, workerData: unknown) {
    this.#threads = Array.from({ length: count }, () => this.#start(program, workerData));
  }

  get count(): number {
    return this.#threads.length;
  }

  /** Rejects with the job's own error, or with that of a worker that died. */
  run(job: Job, transfer: readonly ArrayBuffer[] = []): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) return reject(this.#failure);
      const settle = (answer: Answer<Result>) => ('error' in answer ? reject(answer.error) : resolve(answer.result));
      this.#queue.push({ job, transfer, settle });
      this.#dispatch();
    });
  }

  /**
   * The results of many jobs, in the jobs' order. At most twice as many jobs as threads are under way
   * (backpressure); the results of those that are when the reader leaves are dropped.
   */
  async *runAll(
    jobs: AsyncIterable<readonly [job: Job, transfer: readonly ArrayBuffer[]]>,
    signal?: AbortSignal,
  ): AsyncGenerator<Result> {
    const underWay: Promise<Result>[] = [];
    const iterator = jobs[Symbol.asyncIterator]();
    try {
      for (let next; !(next = await aborting(iterator.next(), signal)).done; ) {
        const result = this.run(...next.value);
        result.catch(() => undefined); // it is awaited below, maybe after a later one has failed
        underWay.push(result);
        if (underWay.length >= 2 * this.count) yield await aborting(underWay.shift()!, signal);
      }
      for (const result of underWay) yield await aborting(result, signal);
    } finally {
      const left = iterator.return?.();
      if (signal?.aborted)
        left?.catch(() => undefined); // a silent source returns only when it speaks again
      else await left;
    }
  }

  /** Ends every thread; what is under way rejects. */
  async close(): Promise<void> {
    this.#fail(new Error('the pool is closed'));
    await Promise.all(this.#threads.map(({ worker }) => worker.terminate()));
  }

  #start(program: URL | string, workerData: unknown): Thread<Result> {
    const worker = new Worker(program, { eval: typeof program === 'string', workerData, ...threadOptions() });
    const thread: Thread<Result> = { worker, settle: undefined };
    worker.on('message', (answer: Answer<Result>) => this.#answered(thread, answer));
    worker.on('error', (error) => this.#fail(error instanceof Error ? error : new Error(String(error))));
    worker.on('exit', (code) => this.#fail(new Error(`a worker thread ended with code ${code}`)));
    worker.unref(); // after the listeners: one for messages makes the process wait for the thread again
    return thread;
  }

  #dispatch(): void {
    for (const thread of this.#threads) {
      if (this.#queue.length === 0) return;
      if (thread.settle !== undefined) continue;
      const { job, transfer, settle } = this.#queue.shift()!;
      thread.settle = settle;
      thread.worker.ref();
      thread.worker.postMessage(job, transfer);
    }
  }

  #answered(thread: Thread<Result>, answer: Answer<Result>): void {
    // terminate() has made the process wait for the end of the thread: no unref() may undo that
    if (this.#failure !== undefined) return;
    this.#release(thread, answer);
    this.#dispatch();
  }

  #release(thread: Thread<Result>, answer: Answer<Result>): void {
    const { settle } = thread;
    thread.settle = undefined;
    thread.worker.unref();
    settle?.(answer);
  }

  /** The first failure counts; it takes the jobs under way and in the queue with it. */
  #fail(error: Error): void {
    if (this.#failure !== undefined) return;
    this.#failure = error;
    for (const thread of this.#threads) this.#release(thread, { error });
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

/** The promise's value, or the signal's reason as soon as it aborts. */
function aborting<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
