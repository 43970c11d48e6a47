import { kernelName } from '../../src/index.ts';
import { KERNELS } from '../views/facts.ts';
import { announce } from '../widgets/announcer.ts';
import { byId, element } from '../widgets/element.ts';
import { RunPanel } from '../widgets/run-panel.ts';
import { code, count, rounded } from '../widgets/text.ts';
import type { Absence, BenchmarkMessage, BenchmarkRow } from './message.ts';

const panel = new RunPanel('benchmark');

/** The section that measures this browser. */
export function openBenchmarkPanel(): void {
  const name = kernelName();
  byId('benchmark-kernel', HTMLParagraphElement).append(
    'Here urlsum uses the kernel ',
    code(name),
    `: ${KERNELS[name]}.`,
  );
  panel.form.addEventListener('submit', (event) => {
    event.preventDefault();
    run(
      byId('benchmark-seed', HTMLInputElement).valueAsNumber,
      Number(byId('benchmark-count', HTMLSelectElement).value),
    );
  });
}

function run(seed: number, urlCount: number): void {
  const worker = new Worker(new URL('./benchmark-worker.js', import.meta.url), { type: 'module' });
  const end = (contents: readonly HTMLElement[], sentence: string) => {
    worker.terminate();
    panel.end();
    panel.result.replaceChildren(...contents);
    announce(sentence);
  };
  const fail = (reason: string) =>
    end([element('p', { class: 'notice' }, `Not done: ${reason}.`)], `The benchmark ended early: ${reason}`);
  worker.addEventListener('message', ({ data }: MessageEvent<BenchmarkMessage>) => {
    if (data.kind === 'progress') panel.showProgress(data.share, data.doing);
    else if (data.kind === 'failed') fail(data.reason);
    else
      end(
        resultView(data),
        `Benchmark done: ${data.rows.map(({ name, median }) => `${name} ${nanoseconds(median)}`).join(', ')}`,
      );
  });
  worker.addEventListener('error', ({ message }) => fail(message || 'the worker did not start'));
  panel.cancel.onclick = () => end([element('p', { class: 'notice' }, 'Cancelled.')], 'Cancelled');
  panel.begin('The benchmark runs');
  panel.showProgress(0, 'starting');
  worker.postMessage({ seed, urlCount });
}

function nanoseconds(value: number): string {
  return value < 1000 ? `${value.toFixed(0)} ns` : `${(value / 1000).toFixed(value < 10_000 ? 2 : 1)} µs`;
}

function resultView({
  rows,
  absent,
  comparedCount,
  roundCount,
}: BenchmarkMessage & { readonly kind: 'done' }): HTMLElement[] {
  const figure = element(
    'figure',
    {},
    barChart(rows),
    element('figcaption', {}, 'URLs per second, canonical form included; longer is faster.'),
  );
  const verdict = element(
    'p',
    { class: 'verdict' },
    `All ${count(comparedCount, 'digest')} equal in ${count(rows.length, 'method')}; median of ${roundCount} rounds.`,
  );
  return [verdict, figure, table(rows), ...absent.map(absenceView)];
}

/** A bar for each method, ours in colour. */
function barChart(rows: readonly BenchmarkRow[]): HTMLElement {
  const fastest = Math.min(...rows.map(({ median }) => median));
  const bars = rows.map(({ name, isOurs, median }) => {
    const bar = element('div', { class: isOurs ? 'bar ours' : 'bar' });
    bar.style.width = `${Math.max(0.3, (100 * fastest) / median)}%`;
    const amount = element('span', { class: 'amount' }, rounded(1e9 / median));
    return element('div', {}, name, amount, element('div', { class: 'track' }, bar));
  });
  return element(
    'div',
    { class: 'chart', role: 'img', 'aria-label': 'URLs per second; the table below has the figures' },
    ...bars,
  );
}

function table(rows: readonly BenchmarkRow[]): HTMLElement {
  const head = element(
    'tr',
    {},
    ...['', 'Time per URL', 'Fastest to slowest round', 'Against the first'].map((name, index) =>
      index === 0 ? element('td') : element('th', { scope: 'col' }, name),
    ),
  );
  const body = rows.map(({ name, isUsed, median, fastest, slowest }) => {
    const cells = [
      nanoseconds(median),
      `${nanoseconds(fastest)} to ${nanoseconds(slowest)}`,
      `${(median / rows[0]!.median).toFixed(1)} ×`,
    ];
    const mark = isUsed ? element('span', { class: 'remark' }, ' used here') : undefined;
    return element(
      'tr',
      {},
      element('th', { scope: 'row' }, name, mark),
      ...cells.map((cell) => element('td', {}, cell)),
    );
  });
  return element(
    'div',
    { class: 'scroll', tabindex: '0', role: 'group', 'aria-label': 'Benchmark results' },
    element(
      'table',
      { class: 'results' },
      element('caption', { class: 'visually-hidden' }, 'Benchmark results'),
      element('thead', {}, head),
      element('tbody', {}, ...body),
    ),
  );
}

function absenceView({ name, reason }: Absence): HTMLElement {
  return element(
    'div',
    { class: 'notice' },
    element('p', {}, `${name} does not run in this browser:`),
    element('p', {}, code(reason)),
  );
}
