import type { CheckerStatus } from '../check/answer.ts';
import type { HttpAnswer } from './rpc.ts';

type Samples = readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[];

/**
 * In the text format of OpenMetrics 1.0.
 *
 * @param requests answers by path and status
 * @param allowedCount URLs that were left out of an answer although they were unsure
 */
export function metricsAnswer(
  { lists, verdicts, answers, prefixesSent }: CheckerStatus,
  requests: ReadonlyMap<string, number>,
  allowedCount: number,
): HttpAnswer {
  const ofLists = (valueOf: (list: CheckerStatus['lists'][number]) => number | undefined) =>
    lists.flatMap((list) => {
      const value = valueOf(list);
      return value === undefined ? [] : [[{ list: list.name }, value] as const];
    });
  const sizes = ofLists(({ size }) => size);
  const freshness = ofLists(({ isFresh }) => Number(isFresh));
  const ages = ofLists(({ ageMs }) => ageMs && ageMs / 1000);
  const body = [
    counter('urlsum_verdicts', 'URLs checked, by verdict.', labelled('verdict', verdicts)),
    counter('urlsum_answers', 'URLs checked, by what decided.', labelled('reason', answers)),
    counter('urlsum_unsure_allowed', 'Unsure URLs that were left out of an answer.', [[{}, allowedCount]]),
    counter('urlsum_prefixes_sent', 'Hash prefixes sent to the server.', [[{}, prefixesSent]]),
    counter('urlsum_requests', 'Requests answered, by path and status.', [...requests].map(requestSample)),
    gauge('urlsum_list_prefixes', 'Prefixes in a list.', sizes),
    gauge('urlsum_list_fresh', 'Whether a list may say that a URL is safe.', freshness),
    gauge('urlsum_list_age_seconds', 'Time since the last update.', ages),
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
