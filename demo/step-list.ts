import { type Child, element } from './element.ts';
import { changed } from './text.ts';

export interface ShownStep {
  readonly text: string;
  readonly note: Child;
  /** What the step made it of; undefined: nothing to compare it with. */
  readonly before?: string | undefined;
}

/** What each step left, with what it changed marked. */
export function stepList(steps: readonly ShownStep[]): HTMLOListElement {
  return element('ol', { class: 'steps' }, ...steps.map(stepItem));
}

function stepItem({ text, note, before = text }: ShownStep): HTMLElement {
  const shown = text === '' ? element('span', { class: 'nothing' }, 'nothing') : changed(before, text);
  return element('li', {}, element('span', { class: 'note' }, note), shown);
}

/** Steps of which each goes on from the text before it. */
export function chained(given: string, steps: readonly Omit<ShownStep, 'before'>[]): ShownStep[] {
  return steps.map(({ text, note }, index) => ({ text, note, before: steps[index - 1]?.text ?? given }));
}
