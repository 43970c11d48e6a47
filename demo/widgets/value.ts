import { copyButton } from './copy.ts';
import { type Child, element } from './element.ts';
import { code } from './text.ts';

/** A value with its copy button; `shown` is what stands for it, where that is not the text itself. */
export function value(name: string, text: string, shown: Child = code(text)): HTMLElement {
  return element('div', { class: 'value' }, shown, copyButton(name, text));
}

/** Rows of name and contents. */
export function rows(
  ...entries: readonly (readonly [name: Child, ...contents: Child[]] | undefined)[]
): HTMLDListElement {
  const list = element('dl', { class: 'rows' });
  for (const entry of entries) {
    if (entry === undefined) continue;
    const [name, ...contents] = entry;
    list.append(element('div', {}, element('dt', {}, name), element('dd', {}, ...contents)));
  }
  return list;
}
