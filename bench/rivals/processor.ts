import { readdirSync, readFileSync } from 'node:fs';

/**
 * Processor time of a group of processes, such as a browser's: of the threads that live when it is read. Linux tells it
 * in nanoseconds of each thread, but of each process only in hundredths of a second, which is a tenth of a round.
 */
export class GroupClock {
  readonly #group: number;
  readonly #known = new Map<string, number>();
  #total = 0;

  constructor(group: number) {
    this.#group = group;
  }

  /** Since the processes began; `undefined` where the system does not tell. */
  nanoseconds(): number | undefined {
    for (const [thread, nanoseconds] of threadsOf(this.#group)) {
      this.#total += nanoseconds - (this.#known.get(thread) ?? 0);
      this.#known.set(thread, nanoseconds);
    }
    return this.#total === 0 ? undefined : this.#total;
  }
}

function threadsOf(group: number): [thread: string, nanoseconds: number][] {
  const processes = entries('/proc').filter((name) => /^\d+$/.test(name) && groupOf(name) === group);
  const threads = processes.flatMap((each) =>
    entries(`/proc/${each}/task`).map((name) => `/proc/${each}/task/${name}`),
  );
  return threads.flatMap((thread) => {
    const times = content(`${thread}/schedstat`);
    return times === undefined ? [] : [[thread, Number(times.split(' ')[0])]];
  });
}

/** The fifth field of `stat`; the second, the name, may hold spaces and brackets. */
function groupOf(process: string): number {
  return Number(
    content(`/proc/${process}/stat`)
      ?.replace(/^.*\) /s, '')
      .split(' ')[2],
  );
}

/** Empty after the process has ended, and on systems without /proc. */
function entries(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function content(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
