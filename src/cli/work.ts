import type { Plan } from './commands/plan.ts';
import { blocksOf, type Input, InputError } from './input/inputs.ts';
import type { Framing } from './rows/framing.ts';
import { type BlockReport, reportOf } from './stage/report.ts';
import type { Results } from './stage/stage.ts';
import { shownLimit } from './terminal/bad-rows.ts';

/** Takes an input apart into blocks and does a stage's work on each: on this thread, or on several. */
export interface Work {
  /** In the order of the input. @throws {InputError} */
  of(input: Input): AsyncGenerator<WorkedBlock>;
  close(): Promise<void>;
}

/** A block with its results, or with its output where a thread has written it. */
export type WorkedBlock = {
  readonly report: BlockReport;
  /** The header of a table, where the block begins with it and it is to come out. */
  readonly header?: Uint8Array | undefined;
} & ({ readonly results: Results } | { readonly output: Uint8Array });

/** block → rows → results. */
export function resultsOf({ framing, stage, shown }: Plan, block: Uint8Array, rowsBefore: number) {
  const rows = framing.rows(block);
  const results = stage.run(rows, rowsBefore);
  return { results, report: reportOf(results, block.length, shownLimit(shown)) };
}

/** On this thread. */
export class WorkHere implements Work {
  readonly #plan: Plan;
  #rowsBefore = 0;

  constructor(plan: Plan) {
    this.#plan = plan;
  }

  async *of(input: Input): AsyncGenerator<WorkedBlock> {
    for await (const { header, headerCount, block } of framedBlocks(this.#plan.framing, input)) {
      this.#rowsBefore += headerCount;
      const { report, results } = resultsOf(this.#plan, block, this.#rowsBefore);
      this.#rowsBefore += report.rowCount + report.skippedCount;
      yield { header, report, results };
    }
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** A block of whole rows, without the header that it may have begun with. */
export interface FramedBlock {
  readonly block: Uint8Array;
  readonly header?: Uint8Array;
  /** How many rows the header was. */
  readonly headerCount: number;
}

/** The blocks of an input, each valid until the next is asked for. @throws {InputError} */
export async function* framedBlocks(framing: Framing, input: Input): AsyncGenerator<FramedBlock> {
  let isFirst = true;
  for await (const block of blocksOf(input, framing.cutter())) {
    if (isFirst) yield { ...withoutHeader(framing, input, block), headerCount: framing.headerCount ?? 0 };
    else yield { block, headerCount: 0 };
    isFirst = false;
  }
}

/** The first block of an input, and its header. @throws {InputError} where that does not fit */
function withoutHeader(framing: Framing, input: Input, block: Uint8Array): ReturnType<typeof framing.takeHeader & {}> {
  try {
    return framing.takeHeader?.(block) ?? { block };
  } catch (error) {
    throw new InputError(input.name, error);
  }
}
