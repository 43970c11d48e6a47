import { shellWord } from '../src/command/arguments/shell.ts';
import { FORM_FLAGS, FORM_OPTIONS } from '../src/core/url/options.ts';
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

/** The flags of the command that choose the same form; rules for sites are a file there, `rules.txt`. */
export function formFlags(options: FormOptions): string[] {
  return FORM_OPTIONS.flatMap(({ name }) => {
    const [value, { kind, flag }] = [options[name], FORM_FLAGS[name]];
    if (value === undefined) return [];
    if (kind === 'switch') return [value === true ? `--${flag}` : `--${flag}=${value}`];
    if (kind === 'file') return [`--${flag}`, 'rules.txt'];
    return [value].flat().flatMap((item) => [`--${flag}`, String(item)]);
  });
}

/** Words of a command as a shell reads them. */
export function shellWords(words: readonly string[]): string {
  return words.map(shellWord).join(' ');
}
