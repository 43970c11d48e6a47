import { type Child, element } from '../widgets/element.ts';
import { changed, code } from '../widgets/text.ts';

/**
 * Whether this browser's own URL says the same as the pinned parser, and what it says where it does not.
 *
 * @param canonical the form without options, of which a browser has none
 */
export function browserAnswer(url: string, base: string | undefined, canonical: string | undefined): HTMLElement {
  const answer = URL.canParse(url, base) ? new URL(url, base).href : undefined;
  if (answer === canonical)
    return sentence('remark agrees', canonical === undefined ? ' refuses it too.' : ' gives the same.');
  if (answer === undefined) return differing(sentence('', ' refuses it.'));
  return differing(
    sentence('', canonical === undefined ? ' accepts it:' : ' differs:'),
    canonical === undefined ? code(answer) : changed(canonical, answer),
  );
}

function sentence(style: string, predicate: string): HTMLElement {
  return element('p', { class: style }, 'This browser’s own ', code('URL'), predicate);
}

function differing(...contents: readonly Child[]): HTMLElement {
  return element('div', { class: 'notice', 'data-differs': true }, ...contents);
}
