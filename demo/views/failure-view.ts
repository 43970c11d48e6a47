import type { ExplainedFailure } from '../../src/specs/explain/explanation.ts';
import { element } from '../widgets/element.ts';
import { code, folded, sentenceOf } from '../widgets/text.ts';

/** The input with the place of its failure marked, and the reason below. */
export function failureView(
  input: string,
  { span, sentence }: Pick<ExplainedFailure, 'span' | 'sentence'>,
): HTMLElement {
  const [start, end] = span ?? [input.length, input.length];
  const mark =
    span === undefined
      ? undefined
      : element('mark', { class: start === end ? 'wrong here' : 'wrong' }, ...folded(input.slice(start, end)));
  return element(
    'div',
    { class: 'failure' },
    element('p', { class: 'given' }, code(input.slice(0, start), mark, input.slice(end))),
    element('p', {}, element('strong', {}, `${sentenceOf(sentence)}.`), element('span', { class: 'reason' }, at(span))),
  );
}

function at(span: ExplainedFailure['span']): string {
  return span === undefined ? '' : ` At character ${span[0] + 1}.`;
}
