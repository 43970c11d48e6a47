import { element } from '../widgets/element.ts';
import { code, count, rounded, visible } from '../widgets/text.ts';
import type { BadRow, FileMessage, FileProgress } from './message.ts';

/** The shortest time that is measured: in less, starting takes most of it. */
const MEASURABLE_MS = 200;

export function figuresOf({ textBytes, rows, badCount, elapsedMs }: FileProgress): string {
  return `${count(rows, 'row')} · ${count(badCount, 'without a hash', 'without a hash')} · ${rateOf(rows, textBytes, elapsedMs)}`;
}

function rateOf(rows: number, textBytes: number, elapsedMs: number): string {
  const seconds = elapsedMs / 1000;
  if (elapsedMs < MEASURABLE_MS) return 'too short to time';
  return `${rounded(rows / seconds)} rows and ${rounded(textBytes / seconds / 1e6)} MB per second`;
}

/** How a run ended, and the sentence that says so. */
export function endView(
  message: FileMessage,
  link: HTMLAnchorElement | undefined,
): { readonly contents: readonly HTMLElement[]; readonly sentence: string } {
  if (message.kind === 'done') return doneView(message, link);
  const sentence = message.kind === 'failed' ? `Not done: ${message.reason}.` : 'Cancelled. Nothing was saved.';
  return { contents: [element('p', { class: 'notice' }, ...visible(sentence))], sentence };
}

function doneView(done: FileMessage & { readonly kind: 'done' }, link: HTMLAnchorElement | undefined) {
  const { elapsedMs, badRows, badCount } = done;
  const summary = elapsedMs < MEASURABLE_MS ? 'Done.' : `Done in ${(elapsedMs / 1000).toFixed(2)} seconds.`;
  const contents = [
    element('p', { class: 'verdict' }, summary),
    element('p', { class: 'figures' }, figuresOf(done)),
    ...(link === undefined ? [] : [element('p', {}, link)]),
    ...badList(badRows, badCount),
  ];
  return { contents, sentence: `${summary} ${figuresOf(done)}` };
}

function badList(badRows: readonly BadRow[], total: number): HTMLElement[] {
  if (total === 0) return [];
  const title = total > badRows.length ? `The first ${badRows.length} rows without a hash` : 'Rows without a hash';
  const items = badRows.map(({ row, input, sentence }) =>
    element(
      'li',
      {},
      `${row}: `,
      input === '' ? element('span', { class: 'nothing' }, 'empty') : code(input),
      ' ',
      element('span', { class: 'reason' }, sentence),
    ),
  );
  return [element('h3', {}, title), element('ul', { class: 'invalid' }, ...items)];
}
