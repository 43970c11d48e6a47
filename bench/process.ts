import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { temporaryFile } from './rivals/program.ts';

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

export interface LineFile {
  readonly path: string;
  readonly lineCount: number;
}

/** The built command with its options, for the shell. */
export function urlsum(options: string): string {
  return `'${process.execPath}' dist/esm/cli.js ${options}`;
}

/** A file of a text again and again. */
export function repeatedLines(text: Uint8Array, lineCount: number, repeats: number): LineFile {
  const path = temporaryFile();
  const file = openSync(path, 'w');
  for (let repeat = 0; repeat < repeats; repeat++) writeSync(file, text);
  closeSync(file);
  return { path, lineCount: lineCount * repeats };
}

/** One cost for each round of each use, all uses in turn, so that a machine whose speed drifts slows them alike. */
export function lineCosts(uses: readonly CommandUse[], roundCount: number): Cost[][] {
  const output = temporaryFile();
  const costs = uses.map((): Cost[] => []);
  for (let round = 0; round < roundCount; round++)
    uses.forEach((use, index) => costs[index]!.push(lineCost(use, output)));
  return costs;
}

/** What the long file takes more than the short one, per line; the rest of the short one is starting and warming up. */
function lineCost({ command, short, long }: CommandUse, output: string): Cost {
  const [start, whole] = [costOfRun(command, short.path, output), costOfRun(command, long.path, output)];
  const perLine = (key: keyof Cost) => (whole[key] - start[key]) / (long.lineCount - short.lineCount);
  return { elapsed: perLine('elapsed'), processor: perLine('processor') };
}

/** Of a command on a file, as Bash has it: to a millisecond, where `/usr/bin/time` counts hundredths. */
export function costOfRun(command: string, path: string, output: string): Cost {
  const script = `TIMEFORMAT='%3R %3U %3S'; time ${command} '${path}' > '${output}'`;
  const { status, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command}: ${stderr}`);
  const [elapsed, user, system] = stderr.trimEnd().split('\n').at(-1)!.split(' ').map(Number) as [
    number,
    number,
    number,
  ];
  return { elapsed: elapsed * 1e9, processor: (user + system) * 1e9 };
}

/** All do the same work. @throws {Error} where one writes other bytes than the first */
export function checkBytes(commands: readonly { name: string; command: string }[], { path }: LineFile): void {
  const output = temporaryFile();
  const written = commands.map(({ command }) => {
    costOfRun(command, path, output);
    return readFileSync(output);
  });
  for (const [index, bytes] of written.entries())
    if (!bytes.equals(written[0]!))
      throw new Error(`${commands[index]!.name} writes other bytes than ${commands[0]!.name}`);
}
