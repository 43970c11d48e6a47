import { FORM_FLAGS, FORM_OPTIONS, type Options } from '../../core/url/options.ts';

/** Returns a text as shells read it: as it is, or in single quotes. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : inSingleQuotes(text);
}

export function inSingleQuotes(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Returns words of a command as a shell reads them. */
export function shellWords(words: readonly string[]): string {
  return words.map(shellWord).join(' ');
}

/** Returns the flags that choose the same form and default scheme; rules for sites are a file there, `rules.txt`. */
export function formFlags({ defaultScheme, ...options }: Options): string[] {
  const flags = FORM_OPTIONS.flatMap(({ name }) => {
    const [value, { kind, flag }] = [options[name], FORM_FLAGS[name]];
    if (value === undefined) return [];
    if (kind === 'switch') return [value === true ? `--${flag}` : `--${flag}=${value}`];
    if (kind === 'file') return [`--${flag}`, 'rules.txt'];
    return [value].flat().flatMap((item) => [`--${flag}`, String(item)]);
  });
  return [...flags, ...(defaultScheme === undefined ? [] : ['--default-scheme', defaultScheme])];
}
