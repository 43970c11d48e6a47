import { SiteRules } from '../src/entries/site.ts';
import type { FormOptions } from '../src/index.ts';
import type { FormChoice } from './state.ts';

/** @throws {TypeError | RangeError} on a name or a line that is not one; options that exclude each other throw later */
export function formOptions({ form, fold, drop, only, rules }: FormChoice): FormOptions {
  return {
    ...(form.includes('page-2026') && { preset: 'page-2026' }),
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
