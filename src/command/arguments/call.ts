import type { GivenOption } from './flag.ts';

/** A command line as it was given, without its operands: messages make another one of it. */
export interface Call {
  /** Empty for the default command. */
  readonly command: string;
  readonly options: readonly GivenOption[];
}

/** Returns `urlsum`, the command and its options but those with these names, as a shell reads them. */
export function wordsOf({ command, options }: Call, without: readonly string[] = []): string[] {
  const kept = options.filter(({ name }) => !without.includes(name)).flatMap(wordsOfOption);
  return ['urlsum', ...(/^[a-z]/.test(command) ? command.split(' ') : []), ...kept].map(shellText);
}

function wordsOfOption({ rawName, value, inlineValue }: GivenOption): string[] {
  if (value === undefined) return [rawName];
  if (inlineValue !== true) return [rawName, value];
  return [rawName.startsWith('--') ? `${rawName}=${value}` : rawName + value];
}

/** Returns a text as shells read it: as it is, or in double quotes where those change nothing in it. */
export function shellText(text: string): string {
  if (isPlainWord(text)) return text;
  return /["$`\\!]/.test(text) ? inSingleQuotes(text) : `"${text}"`;
}

/** Returns a text as shells read it: as it is, or in single quotes. */
export function shellWord(text: string): string {
  return isPlainWord(text) ? text : inSingleQuotes(text);
}

/** Whether a shell reads a text as one word, as it is. */
function isPlainWord(text: string): boolean {
  return /^[\w@%+=:,./-]+$/.test(text);
}

export function inSingleQuotes(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
