import { element } from './element.ts';
import { changed, code } from './text.ts';

/** Whether this browser's own URL says the same as the pinned parser, and what it says where it does not. */
export function browserAnswer(url: string, canonical: string | undefined): HTMLElement {
  const answer = URL.canParse(url) ? new URL(url).href : undefined;
  if (answer === canonical) return element('p', { class: 'remark agrees' }, 'This browser’s own ', code('URL'), canonical === undefined ? ' refuses it too.' : ' gives the same.');
  if (answer === undefined) return notice('This browser’s own ', ' refuses it: it follows another version of the standard.');
  const own = canonical === undefined ? code(answer) : changed(canonical, answer);
  return element('div', { class: 'notice', 'data-differs': true }, element('p', {}, 'This browser’s own ', code('URL'), ' differs: it follows another version of the standard.'), element('p', {}, own));
}

function notice(before: string, after: string): HTMLElement {
  return element('div', { class: 'notice', 'data-differs': true }, element('p', {}, before, code('URL'), after));
}
