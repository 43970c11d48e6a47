import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Turn } from './measure.ts';
import { temporaryFile } from './rivals/program.ts';

/** The time of a process from its start to its end, in nanoseconds. */
export interface Cost {
  /** The time that passed. */
  readonly elapsed: number;
  /** The time of all its processors: less moved by what else the machine does. */
  readonly processor: number;
}

/** Lines that a command is given, after its other arguments. */
export interface LineFile {
  readonly path: string;
  readonly lineCount: number;
}

/** The built command with its options, for the shell. */
export function urlsum(options: string): string {
  return `'${process.execPath}' '${resolve('dist/esm/cli.js')}' ${options}`;
}

/** A file of a text again and again. */
export function repeatedLines(text: Uint8Array, lineCount: number, repeats = 1): LineFile {
  const path = temporaryFile();
  const file = openSync(path, 'w');
  for (let repeat = 0; repeat < repeats; repeat++) writeSync(file, text);
  closeSync(file);
  return { path, lineCount: lineCount * repeats };
}

/** A command from its start to its end, per line of its file. */
export function processTurn(
  name: string,
  command: string,
  { path, lineCount }: LineFile,
  clock: keyof Cost = 'processor',
): Turn {
  return { name, round: () => ({ elapsed: costOfRun(`${command} '${path}'`)[clock] / lineCount }) };
}

/**
 * Returns what the longer of two files takes more, per line; the rest of the shorter one is starting and warming up.
 */
export function lineTurn(
  name: string,
  command: string,
  [short, long]: readonly [LineFile, LineFile],
  clock: keyof Cost = 'processor',
): Turn {
  const cost = ({ path }: LineFile) => costOfRun(`${command} '${path}'`)[clock];
  const round = () => ({ elapsed: (cost(long) - cost(short)) / (long.lineCount - short.lineCount) });
  return { name, round };
}

let lastOutput: string | undefined;

/** Returns the time of a script, as Bash has it: to a millisecond, where `/usr/bin/time` counts hundredths. */
export function costOfRun(script: string, output = (lastOutput ??= temporaryFile())): Cost {
  const timed = `TIMEFORMAT='%3R %3U %3S'; time { ${script}; } > '${output}'`;
  const { status, stderr } = spawnSync('bash', ['-o', 'pipefail', '-c', timed], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${script}: ${stderr}`);
  const [elapsed, user, system] = stderr.trimEnd().split('\n').at(-1)!.split(' ').map(Number) as [
    number,
    number,
    number,
  ];
  return { elapsed: elapsed * 1e9, processor: (user + system) * 1e9 };
}

/** All do the same work. @throws {Error} where one writes other bytes than the first */
export function checkBytes(commands: Readonly<Record<string, string>>, { path }: LineFile): void {
  const output = temporaryFile();
  const written = Object.entries(commands).map(([name, command]) => {
    costOfRun(`${command} '${path}'`, output);
    return { name, bytes: readFileSync(output) };
  });
  const [first] = written;
  const other = written.find(({ bytes }) => !bytes.equals(first!.bytes));
  if (other !== undefined) throw new Error(`${other.name} writes other bytes than ${first!.name}`);
}
