import type { Outcome } from '../probe/outcome.ts';
import { type RunOptions, run } from '../process.ts';

/** Returns what a runtime with a console has printed. */
export async function printed(command: string, args: readonly string[], options: RunOptions): Promise<Outcome> {
  return JSON.parse(await run(command, args, options)) as Outcome;
}
