/** One line of the run: a runtime, or something else that must hold. */
export interface Row {
  readonly name: string;
  /** Gives what is to be said beside 'ok'. @throws {Skipped}, or any error where it does not hold */
  run(): Promise<string>;
}

/** The row cannot run, since it needs what cannot be had here. */
export class Skipped extends Error {}

export interface Verdict {
  readonly name: string;
  readonly state: 'ok' | 'failed' | 'skipped';
  readonly note: string;
}

async function judge({ name, ...row }: Row): Promise<Verdict> {
  try {
    return { name, state: 'ok', note: await row.run() };
  } catch (error) {
    return { name, state: error instanceof Skipped ? 'skipped' : 'failed', note: sentenceOf(error) };
  }
}

/** Judges rows, so many at a time, and prints their verdicts in the order of the rows. */
export async function judgeAll(rows: readonly Row[], atOnce: number): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  const queue = rows.entries();
  let printed = 0;
  const lane = async () => {
    for (const [index, row] of queue) {
      verdicts[index] = await judge(row);
      for (; verdicts[printed] !== undefined; printed++) print(verdicts[printed]!);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return verdicts;
}

/** Prints what was not ok, once more: of a long log often only the end is kept. */
export function printUnmet(verdicts: readonly Verdict[]): void {
  for (const verdict of verdicts) if (verdict.state !== 'ok') print(verdict);
}

/** With its cause: `fetch` says nothing else of what went wrong. */
function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${sentenceOf(error.cause)}`;
}

function print({ name, state, note }: Verdict): void {
  console.log(state === 'ok' ? `${name.padEnd(64)} ${note} ok` : `!!! ${name} ${state}: ${note}`);
}
