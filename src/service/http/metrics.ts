import type { HttpAnswer } from './rpc.ts';

/** Values by their labels. */
export type Samples = readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[];

/** What a list says of the file that it is made of. */
export interface FileTrouble {
  readonly name: string;
  readonly size: number;
  /** What is wrong with the file, while the list stays as it was; empty if nothing is. */
  readonly trouble: string;
  /** Since when, in milliseconds since 1970. */
  readonly troubleSince: number | undefined;
}

/** Returns what `/status` says of such a list. */
export function statusOf({ name, size, trouble, troubleSince }: FileTrouble) {
  return { name, size, trouble, troubleSince: dateOf(troubleSince) };
}

export function troubleGauge(lists: readonly FileTrouble[]): string {
  const since = lists.flatMap(({ name, troubleSince }) =>
    troubleSince === undefined ? [] : [[{ list: name }, troubleSince / 1000] as const],
  );
  return gauge('urlsum_own_list_trouble_since_seconds', 'Unix time since which a list differs from its file.', since);
}

export function dateOf(time: number | undefined): string | null {
  return time !== undefined && Math.abs(time) <= 8.64e15 ? new Date(time).toISOString() : null;
}

/** Returns an answer in the text format of OpenMetrics 1.0. */
export function metricsAnswer(families: readonly string[]): HttpAnswer {
  const body = [...families, '# EOF\n'].join('');
  return { type: 'application/openmetrics-text; version=1.0.0; charset=utf-8', body };
}

export function counter(name: string, help: string, samples: Samples): string {
  return family(name, 'counter', help, samples, '_total');
}

export function gauge(name: string, help: string, samples: Samples): string {
  return family(name, 'gauge', help, samples);
}

function family(name: string, type: string, help: string, samples: Samples, suffix = ''): string {
  const lines = samples.map(([labels, value]) => `${name}${suffix}${labelText(labels)} ${value}\n`);
  return `# TYPE ${name} ${type}\n# HELP ${name} ${help}\n${lines.join('')}`;
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${value.replace(/[\\"\n]/g, (each) => (each === '\n' ? '\\n' : `\\${each}`))}"`,
  );
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}
