import type { Flag, Flags } from './flag.ts';

/** What the help, the completions and the man page say of a command. */
export interface Manual {
  /** The words after `urlsum`: none for the default command. */
  readonly name: string;
  /** What it prints, or does: a phrase. */
  readonly summary: string;
  /** Command lines without their `urlsum`, and what each gives. */
  readonly examples: readonly (readonly [line: string, effect: string])[];
  /** What it takes besides flags. */
  readonly operands: string;
  /** What examples and flags do not say: a paragraph each. */
  readonly about: readonly string[];
  readonly flags: Flags;
}

/** What every command understands, without reading it. */
export const HELP_FLAG: Flag = { help: 'this text', short: 'h', read: () => undefined };
