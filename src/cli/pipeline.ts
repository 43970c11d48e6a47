import type { Plan } from './commands/plan.ts';
import type { Format } from './format/format.ts';
import { type Input, InputError, inputsOf, totalBytes } from './input/inputs.ts';
import { schemeNotices } from './input/url-operand.ts';
import { openOutput } from './output/open-output.ts';
import type { Output } from './output/output.ts';
import type { Selection } from './select/selection.ts';
import { valueCountOf } from './stage/stage.ts';
import { type Diagnostics, TROUBLE } from './terminal/diagnostics.ts';
import { hasStatusLine, Ledger } from './terminal/ledger.ts';
import type { Facts } from './terminal/statistics.ts';
import { ResultWriter, type Work, WorkHere } from './work.ts';

interface Parts {
  readonly plan: Plan;
  readonly inputs: readonly Input[];
  readonly work: Work;
  readonly writer: ResultWriter;
  readonly selections: readonly Selection[];
  readonly format: Format;
  readonly output: Output;
  readonly ledger: Ledger;
  readonly diagnostics: Diagnostics;
}

/** Runs a plan on files or on standard input. `args` is the command line, from which threads make the plan anew. */
export async function runPipeline(
  plan: Plan,
  operands: readonly string[],
  args: readonly string[],
  diagnostics: Diagnostics,
): Promise<void> {
  const parts = await open(plan, operands, args, diagnostics);
  const writing = new Writing(parts.output);
  const { work, writer, selections, format, output, ledger } = parts;
  let isWhole = false;
  try {
    if (plan.opening !== undefined) await output.write(plan.opening);
    const isAtEnd = await carryOut(parts, writing);
    plan.mustAllowOutput?.(ledger.statistics.invalidByReason);
    await writing.settle();
    for (const piece of format.end?.() ?? []) await output.write(piece);
    await ledger.end(plan.statistics, factsOf(parts), writer.selectedCount);
    isWhole = isAtEnd && diagnostics.status < TROUBLE;
    plan.conclude?.(ledger.statistics.counts, diagnostics, ledger.statistics.invalidCount);
  } finally {
    await work.close();
    await writing.settle().catch(() => undefined); // its error was thrown above, or another one was
    await output.end(isWhole);
  }
  if (isWhole) for (const selection of selections) await selection.commit?.();
}

function factsOf({ plan, selections, ledger }: Parts): Facts {
  const { validCount } = ledger.statistics;
  const expected = selections.flatMap((each) => each.expectedFalseMatches?.(validCount) ?? []);
  const expectedFalseMatches = expected.reduce((sum, count) => sum + count, 0);
  return { ...plan.facts(validCount), ...(expected.length > 0 && { expectedFalseMatches }) };
}

/** inputs → blocks → rows → stage → selection → format → output. Returns false if a bad row ends the run. */
async function carryOut({ plan, inputs, work, ledger, diagnostics }: Parts, writing: Writing): Promise<boolean> {
  for (const input of inputs) {
    let [firstRow, valueCount] = [1, 0];
    let lack: string | undefined;
    for await (const { report, output } of readable(work.of(input), diagnostics)) {
      await ledger.add(input.name, firstRow, report);
      await writing.begin(output);
      if (plan.onError === 'fail' && report.problems.length > 0) return false;
      firstRow += report.recordCount;
      valueCount += valueCountOf(report);
      lack ??= report.lack;
    }
    if (lack !== undefined && valueCount === 0) diagnostics.trouble(new InputError(input.name, new Error(lack)));
  }
  return true;
}

/** Writes the output of one block while the next is worked on; an error is thrown by the next call. */
class Writing {
  readonly #output: Output;
  #last: Promise<void> = Promise.resolve();

  constructor(output: Output) {
    this.#output = output;
  }

  async begin(bytes: Uint8Array): Promise<void> {
    await this.#last;
    this.#last = this.#output.write(bytes);
    this.#last.catch(() => undefined); // it is awaited above or in settle()
  }

  settle(): Promise<void> {
    return this.#last;
  }
}

/** Reports an input that cannot be read, and ends it there: the others are still worth reading. */
async function* readable<T>(blocks: AsyncIterable<T>, diagnostics: Diagnostics): AsyncGenerator<T> {
  try {
    yield* blocks;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    diagnostics.trouble(error);
  }
}

async function open(
  plan: Plan,
  operands: readonly string[],
  args: readonly string[],
  diagnostics: Diagnostics,
): Promise<Parts> {
  const format = await plan.openFormat();
  const selections = plan.openSelections?.() ?? [];
  if (plan.closedPipeStatus !== undefined) process.exitCode = plan.closedPipeStatus; // until the run has ended
  const writer = new ResultWriter(plan, format, selections);
  const commits = selections.some(({ commit }) => commit !== undefined);
  const output = await openOutput(plan.out, !commits);
  const standardInput = operands.length === 0 || operands.includes('-');
  const notices = [
    ...(process.stdin.isTTY && standardInput
      ? ['reading URLs from the terminal, one per line; Ctrl-D ends the input']
      : []),
    ...schemeNotices(operands),
  ];
  if (notices.length > 0) await diagnostics.tell(notices);
  const showsProgress = hasStatusLine(process, {
    standardInput,
    standardOutput: plan.out === undefined || plan.out === '-',
  });
  const needsTotal = showsProgress || plan.announce !== undefined;
  const ledger = new Ledger(diagnostics, {
    ...plan,
    endsAtBadRow: plan.onError === 'fail',
    totalBytes: needsTotal ? await totalBytes(operands) : undefined,
    hasStatusLine: showsProgress,
    announce: plan.announce,
  });
  const work =
    plan.threadCount === 1
      ? new WorkHere(plan, writer)
      : new (await import('./threads.ts')).Threads(plan, args, writer);
  return { plan, inputs: inputsOf(operands), work, writer, selections, format, output, ledger, diagnostics };
}
