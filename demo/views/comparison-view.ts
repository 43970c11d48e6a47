import { formFlags, shellWords } from '../../src/command/arguments/shell.ts';
import { compare } from '../../src/entries/explain.ts';
import { element } from '../widgets/element.ts';
import { code } from '../widgets/text.ts';
import { rows } from '../widgets/value.ts';
import type { LineOptions } from './form.ts';
import { changeNote } from './step-list.ts';

/** Compares two lines that were chosen one after the other: what keeps them apart, and what makes them one. */
export function comparisonView(before: string, url: string, options: LineOptions): HTMLElement[] {
  const { isSame, differences, remedies } = compare(before, url, options);
  const text = (part: string | undefined) => (part === undefined ? 'none' : code(part));
  return [
    element('h3', {}, 'Beside the line chosen before'),
    element('p', { class: 'remark', id: 'compared' }, code(before), isSame ? ' has the same key' : ' has another key'),
    rows(
      ...differences.map(({ part, first, second }) => [part, text(first), ' → ', text(second)] as const),
      ...remedies.map(({ added, steps }) => {
        const notes = steps.map(({ change, clause }) => element('p', {}, changeNote(change, clause)));
        return ['one with', code(shellWords(formFlags(added))), ...notes] as const;
      }),
    ),
  ];
}
