import type { KernelName } from '../../src/core/kernel/kernel.ts';
import type { Outcome, Results } from './probe/outcome.ts';
import { type RunOptions, run } from './process.ts';
import type { Row } from './row.ts';

/** A runtime, and how it is used. */
export interface Runtime {
  /** Whose `URL` it is; the first row of a host speaks for it. */
  readonly host: string;
  /** How it is used: 'ESM', 'CommonJS', 'Vite'. */
  readonly use: string;
  readonly kernel: KernelName;
  /** jsdom has none. */
  readonly streams?: boolean;
  outcome(): Promise<Outcome>;
}

/** A runtime with its outcome. */
export type Recorded = readonly [runtime: Runtime, outcome: Outcome];

/** Returns what a runtime with a console has printed. */
export async function printed(command: string, args: readonly string[], options: RunOptions): Promise<Outcome> {
  return JSON.parse(await run(command, args, options)) as Outcome;
}

/** A row that holds where all results are those of `reference`, on the kernel that the runtime must have got. */
export function runtimeRow(
  runtime: Runtime,
  reference: Outcome,
  recorded: (runtime: Runtime, outcome: Outcome) => void,
): Row {
  return {
    name: `${runtime.host} ${runtime.use}`,
    async run() {
      const outcome = await runtime.outcome();
      const differing = differences(runtime, outcome, reference);
      if (differing.length > 0)
        throw new Error(`${outcome.kernel} ${outcome.vectors.count} differs: ${differing.join('; ')}`);
      recorded(runtime, outcome);
      return `${outcome.kernel} ${outcome.vectors.count}`;
    },
  };
}

function differences({ kernel, streams = true }: Runtime, outcome: Outcome, reference: Outcome): string[] {
  return [
    ...outcome.vectors.disagreements,
    ...differing('kernel', outcome.kernel, kernel),
    ...differing('results of the vectors', shown(outcome.vectors), shown(reference.vectors)),
    ...differing('results of hashStream', shown(outcome.stream), streams ? shown(reference.stream) : 'none'),
    ...differing('results of urlsum/hash-uri/rdf', shown(outcome.rdf), shown(reference.rdf)),
    ...differing('results of SafeBrowsingChecker', shown(outcome.checker), streams ? shown(reference.checker) : 'none'),
  ];
}

function shown(results: Results | undefined): string {
  return results === undefined ? 'none' : `${results.count} rows, ${results.digest}`;
}

function differing(what: string, actual: string, expected: string): string[] {
  return actual === expected ? [] : [`${what}: ${actual}, expected ${expected}`];
}
