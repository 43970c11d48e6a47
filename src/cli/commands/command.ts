import type { Diagnostics } from '../terminal/diagnostics.ts';
import type { Flags, ValuesOf } from '../terminal/flag.ts';
import type { Manual } from '../terminal/manual.ts';
import type { ExplainedUrl } from './explain.ts';
import type { Plan } from './plan.ts';

/** A subcommand: what is said of it, and what it does. */
export type Command<F extends Flags = Flags> = LineCommand<F> | Action<F>;

/** Reads lines: a stage in the pipeline. */
export interface LineCommand<F extends Flags = Flags> extends CommandText<F> {
  /** Is made anew in each thread of -j. */
  plan(values: ValuesOf<F>, operands: readonly string[], diagnostics: Diagnostics): Promise<Plan>;
  /** Takes the place of the lines where the flag --explain is given. */
  explain?(url: string, values: ValuesOf<F>): Promise<ExplainedUrl>;
}

/** Does something else with its operands. */
export interface Action<F extends Flags = Flags> extends CommandText<F> {
  run(values: ValuesOf<F>, operands: readonly string[], context: Context): Promise<void>;
}

export interface Context {
  readonly diagnostics: Diagnostics;
  /** All of them: the help and the completions are made of them. */
  readonly commands: readonly Entry[];
}

interface CommandText<F extends Flags> extends Omit<Manual, 'name' | 'summary'> {
  readonly flags: F;
}

/** Infers the types of the values from the flags. */
export function lineCommand<const F extends Flags>(command: LineCommand<F>): LineCommand {
  return command;
}

export function action<const F extends Flags>(command: Action<F>): Action {
  return command;
}

/** A command in the table: it is loaded when it is asked for, so that `urlsum --version` reads none. */
export interface Entry extends Pick<Manual, 'name' | 'summary'> {
  load(): Promise<Command>;
}

export async function manualOf({ name, summary, load }: Entry): Promise<Manual> {
  return { name, summary, ...(await load()) };
}
