import { explain } from '../../src/entries/explain.ts';
import { byId } from '../widgets/element.ts';

/** The URL that relative URLs are resolved against, as the library's functions take it. */
export interface BaseOption {
  readonly base?: string;
}

/** The base that was typed, where it is a URL; where it is none, its field says why. */
export function showBase(text: string): BaseOption {
  const failure = text === '' ? undefined : explain(text).failure;
  byId('base', HTMLInputElement).setAttribute('aria-invalid', String(failure !== undefined));
  const problem = byId('base-problem', HTMLParagraphElement);
  problem.hidden = failure === undefined;
  problem.textContent = failure === undefined ? '' : `Not used: ${failure.sentence}.`;
  return text === '' || failure !== undefined ? {} : { base: text };
}
