import { LAST_DATE } from '../check/steady-clock.ts';
import type { HttpAnswer } from './rpc.ts';
import type { WatchedList } from './watched-list.ts';

// `/status` and `/metrics` of both servers, the latter in the text format of OpenMetrics 1.0.

/** Values by their labels. */
export type Samples = readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[];

/** @param families what `counter`, `gauge` and `histogram` return */
export function metricsAnswer(families: readonly string[]): HttpAnswer {
  const body = [...families, '# EOF\n'].join('');
  return { type: 'application/openmetrics-text; version=1.0.0; charset=utf-8', body };
}

export function counter(name: string, help: string, samples: Samples): string {
  return family(name, 'counter', help, lines(`${name}_total`, samples));
}

export function gauge(name: string, help: string, samples: Samples): string {
  return family(name, 'gauge', help, lines(name, samples));
}

export function histogram(name: string, help: string, { counts, sum }: Durations): string {
  let count = 0;
  const buckets = counts.map((each, index) => {
    count += each;
    return [{ le: index < BOUNDS.length ? BOUNDS[index]!.toFixed(4) : '+Inf' }, count] as const;
  });
  const totals = lines(`${name}_count`, [[{}, count]]) + lines(`${name}_sum`, [[{}, sum]]);
  return family(name, 'histogram', help, lines(`${name}_bucket`, buckets) + totals);
}

/** Upper bounds in seconds: an answer of the lists takes some 10 µs, one of Google some 50 ms, and 30 s is the limit. */
const BOUNDS = [0.0001, 0.001, 0.01, 0.05, 0.1, 0.5, 1, 5, 30] as const;

/** Durations, counted by upper bounds. */
export class Durations {
  /** Counts by bound; the last one has none. */
  readonly counts: number[] = Array(BOUNDS.length + 1).fill(0);
  /** Seconds. */
  sum = 0;

  add(seconds: number): void {
    let bucket = 0;
    while (bucket < BOUNDS.length && seconds > BOUNDS[bucket]!) bucket++;
    this.counts[bucket]!++;
    this.sum += seconds;
  }
}

/** Counts by the values of labels, which are few. */
export class Tally {
  readonly #labels: readonly string[];
  readonly #counts = new Map<string, number>();

  constructor(...labels: readonly string[]) {
    this.#labels = labels;
  }

  /** @param values one for each label; none has a line feed */
  add(...values: readonly string[]): void {
    const key = values.join('\n');
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  get samples(): Samples {
    return Array.from(this.#counts, ([key, count]) => {
      const values = key.split('\n');
      return [Object.fromEntries(this.#labels.map((label, at) => [label, values[at]!])), count];
    });
  }
}

function family(name: string, type: string, help: string, text: string): string {
  return `# TYPE ${name} ${type}\n# HELP ${name} ${help}\n${text}`;
}

function lines(name: string, samples: Samples): string {
  return samples.map(([labels, value]) => `${name}${labelText(labels)} ${value}\n`).join('');
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${value.replace(/[\\"\n]/g, (each) => (each === '\n' ? '\\n' : `\\${each}`))}"`,
  );
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

/** Returns what `/status` says of a list, and of how it differs from its file. */
export function statusOf({ name, size, trouble, troubleSince, waitingFor, waitingSince }: WatchedList) {
  return {
    name,
    size,
    trouble,
    troubleSince: dateOf(troubleSince),
    waitingFor,
    waitingSince: dateOf(waitingSince),
  };
}

export function troubleGauge(lists: readonly WatchedList[]): string {
  const since = lists.flatMap(({ name, troubleSince }) =>
    troubleSince === undefined ? [] : [[{ list: name }, troubleSince / 1000] as const],
  );
  return gauge('urlsum_own_list_trouble_since_seconds', 'Unix time since which a list differs from its file.', since);
}

export function dateOf(time: number | undefined): string | null {
  return time !== undefined && Math.abs(time) <= LAST_DATE ? new Date(time).toISOString() : null;
}
