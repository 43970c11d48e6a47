import { type FormOptions, profileOf } from '../../src/index.ts';
import { formOptions } from '../form.ts';
import type { State } from '../state.ts';
import { byId } from '../widgets/element.ts';

/** The form that the controls choose; where they name none, the full form, and why. */
export function showForm(state: State): FormOptions {
  const problem = byId('form-problem', HTMLParagraphElement);
  try {
    const choice = formOptions(state);
    profileOf(choice);
    problem.hidden = true;
    return choice;
  } catch (error) {
    problem.hidden = false;
    problem.textContent = `Not used: ${(error as Error).message}.`;
    return {};
  }
}
