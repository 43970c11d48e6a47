import type { CheckerStatus } from '../entries/safe-browsing/check.ts';
import type { HttpAnswer } from './http-server.ts';

type Samples = readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[];

/** Counts that the checker does not keep. */
export interface ServerCounts {
  /** Answers by path and status. */
  readonly answers: ReadonlyMap<string, number>;
  /** URLs that were left out of an answer although they were unsure. */
  readonly allowedCount: number;
}

/** In the text format of OpenMetrics 1.0. */
export function metricsAnswer(
  { lists, verdicts, answers, prefixesSent }: CheckerStatus,
  counts: ServerCounts,
): HttpAnswer {
  const ofLists = (valueOf: (list: CheckerStatus['lists'][number]) => number | undefined) =>
    lists.flatMap((list) => {
      const value = valueOf(list);
      return value === undefined ? [] : [[{ list: list.name }, value] as const];
    });
  const body = [
    counter('urlsum_verdicts', 'URLs checked, by verdict.', labelled('verdict', verdicts)),
    counter('urlsum_answers', 'URLs checked, by what decided.', labelled('reason', answers)),
    counter('urlsum_unsure_allowed', 'Unsure URLs that were left out of an answer.', [[{}, counts.allowedCount]]),
    counter('urlsum_prefixes_sent', 'Hash prefixes sent to the server.', [[{}, prefixesSent]]),
    counter('urlsum_requests', 'Requests answered, by path and status.', [...counts.answers].map(requestSample)),
    gauge(
      'urlsum_list_prefixes',
      'Prefixes in a list.',
      ofLists(({ size }) => size),
    ),
    gauge(
      'urlsum_list_fresh',
      'Whether a list may say that a URL is safe.',
      ofLists(({ isFresh }) => Number(isFresh)),
    ),
    gauge(
      'urlsum_list_age_seconds',
      'Time since the last update.',
      ofLists(({ ageMs }) => ageMs && ageMs / 1000),
    ),
    '# EOF\n',
  ];
  return { type: 'application/openmetrics-text; version=1.0.0; charset=utf-8', body: body.join('') };
}

function labelled(name: string, counts: Readonly<Record<string, number>>): Samples {
  return Object.entries(counts).map(([label, count]) => [{ [name]: label }, count]);
}

function requestSample([key, count]: readonly [string, number]): Samples[number] {
  const [path = '', status = ''] = key.split(' ');
  return [{ path, status }, count];
}

function counter(name: string, help: string, samples: Samples): string {
  return family(name, 'counter', help, samples, '_total');
}

function gauge(name: string, help: string, samples: Samples): string {
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
