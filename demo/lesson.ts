import { EXAMPLES, type Example, exampleOf } from './examples.ts';
import type { State } from './state.ts';
import { byId, element } from './widgets/element.ts';

const chips = new Map<Example, HTMLButtonElement>();

/** A button for each example. */
export function openExamples(choose: (example: Example) => void): void {
  for (const example of EXAMPLES) {
    const chip = element('button', { type: 'button', 'aria-pressed': 'false' }, example.name);
    chip.addEventListener('click', () => choose(example));
    chips.set(example, chip);
  }
  byId('examples', HTMLDivElement).append(...chips.values());
}

/** Marks the example that is shown and says what it teaches; gives its sentence. */
export function showLesson(state: State): string {
  const shown = exampleOf(state);
  for (const [example, chip] of chips) chip.setAttribute('aria-pressed', String(example === shown));
  const place = byId('lesson', HTMLParagraphElement);
  place.hidden = shown === undefined;
  if (shown === undefined) return '';
  place.textContent = shown.lesson;
  return `${shown.lesson} `;
}
