import type { FileOptions } from '../state.ts';
import { copyButton } from '../widgets/copy.ts';
import { element } from '../widgets/element.ts';
import { code, visible } from '../widgets/text.ts';
import { commandLine } from './command-line.ts';
import type { Preview, PreviewRow } from './preview.ts';

/** Shows the output for the first rows of a file, and the command that writes the same. */
export function previewView({ header, rows, hint }: Preview, options: FileOptions, name: string): HTMLElement[] {
  const command = commandLine(options, name);
  return [
    element('h3', {}, rows.length === 0 ? 'Preview: the file has no rows' : 'Preview'),
    tableOf(header, rows),
    ...(hint === undefined ? [] : [element('p', { class: 'notice' }, ...visible(hint))]),
    element('p', { class: 'command' }, 'The same with the command: ', code(command), copyButton('command', command)),
  ];
}

function tableOf(header: string | undefined, rows: readonly PreviewRow[]): HTMLElement {
  const head = header === undefined ? [] : [rowView('1', code(header))];
  const body = rows.map(({ row, output, problem }) =>
    rowView(String(row), code(output), problem && element('span', { class: 'reason' }, problem)),
  );
  return element(
    'div',
    { class: 'preview', tabindex: '0', role: 'group', 'aria-label': 'Preview' },
    element(
      'table',
      {},
      element('caption', { class: 'visually-hidden' }, 'Preview'),
      element('tbody', {}, ...head, ...body),
    ),
  );
}

function rowView(row: string, output: HTMLElement, problem?: HTMLElement | ''): HTMLElement {
  return element(
    'tr',
    {},
    element('th', { scope: 'row' }, row),
    element('td', {}, output, ...(problem ? [' ', problem] : [])),
  );
}
