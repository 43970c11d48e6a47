import { element } from './element.ts';
import { code, visible } from './text.ts';

export interface ShownFailure {
  readonly input: string;
  /** UTF-16 units of the input; an empty run where something is missing, undefined where it is nowhere. */
  readonly span: readonly [start: number, end: number] | undefined;
  readonly sentence: string;
  readonly reason: string;
}

/** The input with the place of its failure marked, and the reason below. */
export function failureView({ input, span, sentence, reason }: ShownFailure): HTMLElement {
  const [start, end] = span ?? [input.length, input.length];
  const mark =
    span === undefined
      ? undefined
      : element('mark', { class: start === end ? 'wrong here' : 'wrong' }, visible(input.slice(start, end)));
  return element(
    'div',
    { class: 'failure' },
    element('p', { class: 'given' }, code(input.slice(0, start), mark, input.slice(end))),
    element(
      'p',
      {},
      element('strong', {}, sentenceOf(sentence)),
      ' ',
      element('span', { class: 'reason' }, placeText(span, reason)),
    ),
  );
}

function placeText(span: ShownFailure['span'], reason: string): string {
  return span === undefined ? reason : `${reason}, at character ${span[0] + 1}`;
}

/** With a capital, as at the start of a sentence. */
function sentenceOf(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
