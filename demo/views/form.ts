import { SiteRules } from '../../src/entries/site.ts';
import { type FormOptions, profileOf } from '../../src/index.ts';
import type { State } from '../state.ts';
import { byId } from '../widgets/element.ts';
import { code } from '../widgets/text.ts';

/** The form that the controls choose, with its name; where they name none, the full form, and why. */
export function showForm(state: State): FormOptions {
  const problem = byId('form-problem', HTMLParagraphElement);
  const name = byId('form-profile', HTMLParagraphElement);
  try {
    const choice = choiceOf(state);
    name.replaceChildren('Profile: ', code(profileOf(choice)));
    problem.hidden = true;
    return choice;
  } catch (error) {
    name.replaceChildren('Profile: ', code(profileOf()));
    problem.hidden = false;
    problem.textContent = `Not used: ${(error as Error).message}.`;
    return {};
  }
}

/** @throws {TypeError | RangeError} on a name or a line that is not one, and on options that exclude each other */
function choiceOf({ form, fold, drop, only, rules }: State): FormOptions {
  return {
    ...(form.includes('exclude-fragment') && { excludeFragment: true }),
    ...(form.includes('tracking-2026') && { dropList: 'tracking-2026' }),
    ...(form.includes('sort-params') && { sortParams: true }),
    ...(drop.trim() !== '' && { dropParams: namesIn(drop) }),
    ...(only.trim() !== '' && { keepParams: namesIn(only) }),
    ...(fold.length > 0 && { fold }),
    ...(rules.trim() !== '' && { siteRules: SiteRules.parse(rules) }),
  };
}

function namesIn(text: string): string[] {
  return text.split(',').map((name) => name.trim());
}
