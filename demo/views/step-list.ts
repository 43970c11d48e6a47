import type { Clause, Explanation, Step } from '../../src/entries/explain.ts';
import { type Child, element } from '../widgets/element.ts';
import { changed } from '../widgets/text.ts';

export interface ShownStep {
  readonly text: string;
  readonly note: Child;
  /** The text before the step; undefined: nothing to compare it with. */
  readonly before?: string | undefined;
}

/** Lists what each step left, with what it changed marked. */
export function stepList(steps: readonly ShownStep[]): HTMLOListElement {
  return element('ol', { class: 'steps' }, ...steps.map(stepItem));
}

function stepItem({ text, note, before = text }: ShownStep): HTMLElement {
  const shown = text === '' ? element('span', { class: 'nothing' }, 'nothing') : changed(before, text);
  return element('li', {}, element('span', { class: 'note' }, note), shown);
}

/** All steps of an explanation, the whole URL at each. */
export function wholeSteps({ input, steps }: Explanation): HTMLOListElement {
  const shown = steps.map((step, index) => ({
    text: step.text,
    note: noteOf(step),
    before: steps[index - 1]?.text ?? input,
  }));
  return stepList([{ text: input, note: 'as given' }, ...shown]);
}

function noteOf({ part, change, clause }: Step): HTMLElement {
  return changeNote(part === undefined ? change : `${part}: ${change}`, clause);
}

/** Names what was done, linked to its clause; or, where that has no address, followed by the clause's name. */
export function changeNote(change: string, { name, address }: Clause): HTMLElement {
  if (address !== undefined) return element('a', { href: address, title: name }, change);
  const place = name.slice(name.indexOf(',') + 2);
  return element('span', {}, change, element('span', { class: 'clause' }, ` · ${place}`));
}
