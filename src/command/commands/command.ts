import type { Diagnostics } from '../arguments/diagnostics.ts';
import type { Flags, ValuesOf } from '../arguments/flag.ts';
import type { Manual } from '../arguments/manual.ts';
import type { Plan } from '../work/work.ts';
import type { ExplainedUrl } from './explain.ts';

/** A command: its help and what it does. */
export type Command<F extends Flags = Flags> = LineCommand<F> | Action<F>;

/** A command that reads lines: a stage in the pipeline. */
export interface LineCommand<F extends Flags = Flags> extends CommandText<F> {
  /** Called anew in each thread of -j. */
  plan(values: ValuesOf<F>, operands: readonly string[], diagnostics: Diagnostics): Promise<Plan>;
  /** Called in place of reading lines where the flag --explain is given. */
  explain?(url: string, values: ValuesOf<F>): Promise<ExplainedUrl>;
}

/** A command that does something else with its operands. */
export interface Action<F extends Flags = Flags> extends CommandText<F> {
  run(values: ValuesOf<F>, operands: readonly string[], context: Context): Promise<void>;
}

export interface Context {
  readonly diagnostics: Diagnostics;
  /** All commands, from which the help and the completions are made. */
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

/** A command in the table. It is loaded on demand, so that `urlsum --version` loads none. */
export interface Entry extends Pick<Manual, 'name' | 'summary'> {
  load(): Promise<Command>;
}

export async function manualOf({ name, summary, load }: Entry): Promise<Manual> {
  return { name, summary, ...(await load()) };
}
