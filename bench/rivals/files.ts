import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { costOfRun, type LineFile, lineCosts, processorMeasure, repeatedLines, urlsum } from '../command-cost.ts';
import type { Measure } from '../measure.ts';

/** What writes the 32 bytes of each line of a file to standard output. */
export interface BytesCommand {
  readonly name: string;
  /** For the shell, before the file. */
  readonly command: string;
}

export const OURS: BytesCommand = { name: 'urlsum --format bin', command: urlsum('--format bin') };

/** What else the command writes, which no rival does. */
const FORMATS: readonly BytesCommand[] = [
  { name: 'urlsum canon', command: urlsum('canon') },
  { name: 'urlsum, as text', command: urlsum('') },
  ...['u64', 'tsv', 'ndjson'].map((format) => ({
    name: `urlsum --format ${format}`,
    command: urlsum(`--format ${format}`),
  })),
];

/** Times that the lines stand in the longer of the two files. */
const REPEATS = 5;

/** Processor time of a line from file to file, without what a process takes to start. */
export function fileMeasures(
  lines: readonly string[],
  rivals: readonly BytesCommand[],
  roundCount: number,
  folder: string,
): Measure[] {
  const text = Buffer.from(`${lines.join('\n')}\n`);
  const output = join(folder, 'bytes');
  const [short, long] = [1, REPEATS].map((repeats) =>
    repeatedLines(join(folder, `lines-${repeats}`), text, lines.length, repeats),
  ) as [LineFile, LineFile];
  checkBytes([OURS, ...rivals], short, output);
  const commands = [OURS, ...FORMATS, ...rivals];
  const costs = lineCosts(
    commands.map(({ command }) => ({ command, short, long })),
    roundCount,
    output,
  );
  return commands.map(({ name }, index) => processorMeasure(name, costs[index]!));
}

/** All do the same work: the lines are those on which all programs agree. @throws {Error} where one does not */
function checkBytes(commands: readonly BytesCommand[], { path }: LineFile, output: string): void {
  const written = commands.map(({ command }) => {
    costOfRun(command, path, output);
    return readFileSync(output);
  });
  for (const [index, bytes] of written.entries())
    if (!bytes.equals(written[0]!)) throw new Error(`${commands[index]!.name} writes other bytes than ${OURS.name}`);
}
