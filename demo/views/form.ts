import { explain } from '../../src/entries/explain.ts';
import { type FormOptions, profileOf } from '../../src/index.ts';
import { formOptions } from '../form.ts';
import type { State } from '../state.ts';
import { byId } from '../widgets/element.ts';

/** Which form, and the URL that relative URLs are resolved against, as the library's functions take them. */
export type LineOptions = FormOptions & { readonly base?: string };

/** The options that the controls choose, without those that are not used, whose controls say why. */
export function showOptions(state: State): LineOptions {
  return { ...formOf(state), ...baseOf(state.base) };
}

function formOf(state: State): FormOptions {
  try {
    const choice = formOptions(state);
    profileOf(choice);
    showProblem('form-problem', undefined);
    return choice;
  } catch (error) {
    showProblem('form-problem', (error as Error).message);
    return {};
  }
}

function baseOf(text: string): LineOptions {
  const failure = text === '' ? undefined : explain(text).failure;
  byId('base', HTMLInputElement).setAttribute('aria-invalid', String(failure !== undefined));
  showProblem('base-problem', failure?.sentence);
  return text === '' || failure !== undefined ? {} : { base: text };
}

function showProblem(id: string, sentence: string | undefined): void {
  const problem = byId(id, HTMLParagraphElement);
  problem.hidden = sentence === undefined;
  problem.textContent = sentence === undefined ? '' : `Not used: ${sentence}.`;
}
