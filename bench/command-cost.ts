import { spawnSync } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { type Measure, median } from './measure.ts';

/** Of a process from its start to its end, in nanoseconds. */
export interface Cost {
  /** As time passed. */
  readonly elapsed: number;
  /** Of all its processors: less moved by what else the machine does. */
  readonly processor: number;
}

/** One use of a command, on two files of the same lines again and again. */
export interface CommandUse {
  /** For the shell, before the file. */
  readonly command: string;
  readonly short: LineFile;
  readonly long: LineFile;
}

/** The built command with its options, for the shell. */
export function urlsum(options: string): string {
  return `'${process.execPath}' dist/esm/cli.js ${options}`;
}

export interface LineFile {
  readonly path: string;
  readonly lineCount: number;
}

/** A file of a text again and again. */
export function repeatedLines(path: string, text: Uint8Array, lineCount: number, repeats: number): LineFile {
  const file = openSync(path, 'w');
  for (let repeat = 0; repeat < repeats; repeat++) writeSync(file, text);
  closeSync(file);
  return { path, lineCount: lineCount * repeats };
}

/** What the long file takes more than the short one, per line; the rest of the short one is starting and warming up. */
export interface LineCost extends Cost {
  /** Processor nanoseconds before the lines. */
  readonly startUp: number;
}

/** One cost for each round of each use, all uses in turn, so that a machine whose speed drifts slows them alike. */
export function lineCosts(uses: readonly CommandUse[], roundCount: number, output: string): LineCost[][] {
  const costs = uses.map((): LineCost[] => []);
  for (let round = 0; round < roundCount; round++)
    uses.forEach((use, index) => costs[index]!.push(lineCost(use, output)));
  return costs;
}

function lineCost({ command, short, long }: CommandUse, output: string): LineCost {
  const [start, whole] = [costOfRun(command, short.path, output), costOfRun(command, long.path, output)];
  const perLine = (key: keyof Cost) => (whole[key] - start[key]) / (long.lineCount - short.lineCount);
  const processor = perLine('processor');
  return { elapsed: perLine('elapsed'), processor, startUp: start.processor - processor * short.lineCount };
}

/** Of a command on a file, as Bash has it: to a millisecond, where `/usr/bin/time` counts hundredths. */
export function costOfRun(command: string, path: string, output: string): Cost {
  const script = `TIMEFORMAT='%3R %3U %3S'; time ${command} '${path}' > '${output}'`;
  const { status, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command}: ${stderr}`);
  const seconds = stderr.trimEnd().split('\n').at(-1)!.split(' ').map(Number);
  const [elapsed, user, system] = seconds as [number, number, number];
  return { elapsed: elapsed * 1e9, processor: (user + system) * 1e9 };
}

/** Of a processor: the time that passes differs too much from run to run for one to be taken off the other. */
export function processorMeasure(name: string, costs: readonly LineCost[]): Measure {
  const rounds = costs.map(({ processor }) => processor);
  return { name, value: median(rounds), rounds };
}
