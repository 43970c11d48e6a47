import { type Diagnostics, TROUBLE } from './arguments/diagnostics.ts';
import { isFault } from './fault.ts';
import { type Input, type ReadFiles, totalOf } from './read/inputs.ts';
import { hasStatusLine } from './work/progress.ts';
import type { Selection } from './work/results.ts';
import { RunReport } from './work/run-report.ts';
import { type Facts, type Plan, type ResultWriter, resultWriter, type Work, workHere } from './work/work.ts';
import { openOutput } from './write/output.ts';

/** A command line, from which threads make the plan anew, and the files that it names. */
interface LineCall {
  readonly args: readonly string[];
  readonly inputs: readonly Input[];
  /** The files of options, as far as the plan has read them. */
  readonly files: ReadFiles;
}

/** inputs → blocks → rows → stage → selection → format → output: carries out a plan on files or on standard input. */
export async function runPipeline(plan: Plan, call: LineCall, diagnostics: Diagnostics): Promise<void> {
  const { inputs } = call;
  const format = await plan.openFormat();
  const selections = plan.openSelections?.() ?? [];
  if (plan.closedPipeStatus !== undefined) process.exitCode = plan.closedPipeStatus; // until the run has ended
  const writer = resultWriter(plan, format, selections);
  const commits = selections.some(({ commit }) => commit !== undefined);
  const output = await openOutput(plan.out, { mayBeLost: !commits });
  await tellThatItWaits(inputs, diagnostics);
  const runReport = await openRunReport(plan, inputs, diagnostics);
  const work = await openWork(plan, call, writer);
  let writing = Promise.resolve();
  let isWhole = false;
  try {
    if (plan.opening !== undefined) await output.write(plan.opening);
    for await (const bytes of outputsOf(inputs, work, runReport, diagnostics)) {
      await writing;
      writing = output.write(bytes); // while the next block is worked on
      writing.catch(() => undefined); // it is awaited above or below
    }
    await writing;
    await plan.mustAllowOutput?.(runReport.statistics.counts, diagnostics);
    for (const piece of format.end?.() ?? []) await output.write(piece);
    await runReport.end(factsOf(plan, selections, runReport.statistics.validCount), writer.selectedCount);
    isWhole = !runReport.isAtBadRow && diagnostics.status < TROUBLE;
    const { counts, invalidCount, validCount } = runReport.statistics;
    plan.conclude?.(counts, diagnostics, invalidCount, validCount);
  } finally {
    await work.close();
    await writing.catch(() => undefined); // its error was thrown above, or another one was
    await output.end(isWhole);
  }
  if (isWhole) for (const selection of selections) await selection.commit?.();
}

/** Yields the output of each block, up to the first bad row if that ends the run. */
async function* outputsOf(
  inputs: readonly Input[],
  work: Work,
  runReport: RunReport,
  diagnostics: Diagnostics,
): AsyncGenerator<Uint8Array> {
  for (const input of inputs) {
    for await (const { report, output } of readable(work.of(input), diagnostics)) {
      await runReport.add(input.name, report);
      yield output;
      if (runReport.isAtBadRow) return;
    }
    runReport.endInput(input.name);
  }
}

function factsOf(plan: Plan, selections: readonly Selection[], validCount: number): Facts {
  const expected = selections.flatMap((each) => each.expectedFalseMatches?.(validCount) ?? []);
  const expectedFalseMatches = expected.reduce((sum, count) => sum + count, 0);
  return { ...plan.facts?.(validCount), ...(expected.length > 0 && { expectedFalseMatches }) };
}

/** Reports an input that cannot be read, and ends it there: the others are still worth reading. */
async function* readable<T>(blocks: AsyncIterable<T>, diagnostics: Diagnostics): AsyncGenerator<T> {
  try {
    yield* blocks;
  } catch (error) {
    if (!isFault(error, 'input')) throw error;
    diagnostics.trouble(error.message);
  }
}

function readsStandardInput(inputs: readonly Input[]): boolean {
  return inputs.some(({ name }) => name === '-');
}

async function tellThatItWaits(inputs: readonly Input[], diagnostics: Diagnostics): Promise<void> {
  if (process.stdin.isTTY && readsStandardInput(inputs))
    await diagnostics.tell(['reading URLs from the terminal, one per line; Ctrl-D ends the input']);
}

async function openRunReport(plan: Plan, inputs: readonly Input[], diagnostics: Diagnostics): Promise<RunReport> {
  const showsProgress = hasStatusLine(process, {
    standardInput: readsStandardInput(inputs),
    standardOutput: plan.out === undefined || plan.out === '-',
  });
  return new RunReport(plan, diagnostics, {
    totalBytes: showsProgress ? await totalOf(inputs) : undefined,
    readBytes: () => inputs.reduce((sum, each) => sum + each.readBytes, 0),
    hasStatusLine: showsProgress,
  });
}

async function openWork(plan: Plan, { args, inputs, files }: LineCall, writer: ResultWriter): Promise<Work> {
  if (plan.threadCount === 1) {
    files.clear(); // the plan has what it needs of them
    return workHere(plan, writer);
  }
  const { Threads } = await import('./threads.ts');
  return new Threads(plan, { args, files, starts: inputs.map(({ start }) => start) }, writer);
}
