import { type Flag, optionOf } from './flag.ts';
import { HELP_FLAG, type Manual } from './manual.ts';

/** A flag as it may be typed. */
export interface Option {
  readonly long: string;
  readonly short: string | undefined;
  readonly flag: Flag;
}

export function optionsOf({ flags }: Manual): Option[] {
  return [...Object.entries<Flag>(flags), ['help', HELP_FLAG] as const].map(([name, flag]) => ({
    long: optionOf(name),
    short: flag.short === undefined ? undefined : `-${flag.short}`,
    flag,
  }));
}

/** The words that may stand first, without the flags that stand for a command. */
export function firstWords(manuals: readonly Manual[]): string[] {
  return [...new Set(wordedManuals(manuals).map(({ name }) => name.split(' ')[0]!))];
}

/** The words that may stand second: the actions of a first word, or the operands of a command that are words. */
export function secondWords(manuals: readonly Manual[], first: string): string[] {
  const own = wordedManuals(manuals).find(({ name }) => name === first);
  if (own !== undefined) return /^[a-z]+(?:\|[a-z]+)+$/.test(own.operands) ? own.operands.split('|') : [];
  return manuals.filter(({ name }) => name.startsWith(`${first} `)).map(({ name }) => name.split(' ')[1]!);
}

/** The commands that are words. */
export function wordedManuals(manuals: readonly Manual[]): Manual[] {
  return manuals.filter(({ name }) => /^[a-z]/.test(name));
}

/** The default command, with the flags of --check, which takes its place. */
export function defaultManual(manuals: readonly Manual[]): Manual {
  const [own, check] = ['', '--check'].map((name) => manuals.find((manual) => manual.name === name)!);
  return { ...own!, flags: { ...check!.flags, ...own!.flags } };
}

/** The values that a flag is known to take. */
export function valuesOf({ choices = {} }: Flag): string[] {
  return Object.keys(choices);
}
