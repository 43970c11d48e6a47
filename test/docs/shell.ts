import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { ENVIRONMENT } from '../support/environment.ts';
import { areLines } from './expected.ts';

/** `$ command`, gone on with in lines after `> `, and what it prints. */
interface Command {
  readonly text: string;
  readonly expected: readonly string[];
}

/** A folder's environment: `urlsum` is on its path. */
export interface Shell {
  /** Where commands run. */
  readonly work: string;
  /** Where what they print is kept: examples may list their own folder. */
  readonly logs: string;
  readonly path: string;
  /** Where `npm install --global` would have put the package. */
  readonly npmPrefix: string;
  /** Instead of that of the tests, with a path and a prefix of its own. */
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * Runs the commands of a transcript one after another in one shell and compares standard output, then standard error,
 * with the lines below each. A command whose status is not 0 is followed by `$ echo $?`. Returns the count of commands.
 */
export function runTranscript(text: string, shell: Shell): number {
  const commands = commandsOf(atFreePorts(text));
  if (commands.length === 0) throw new Error('the block has no line that begins with `$ `');
  mkdirSync(shell.logs, { recursive: true });
  bash(commands.map((command, index) => step(command, index, shell.logs)).join('\n'), shell);
  commands.forEach((command, index) => {
    compare(command, index, shell.logs);
    const status = log(shell.logs, index, 'status').trim();
    const isSaid = commands[index + 1]?.text === 'echo $?';
    if (status !== '0' && !isSaid) throw new Error(`$ ${command.text}\nends with status ${status}, which is not said`);
  });
  return commands.length;
}

/** Runs a script to its end; each of its commands must succeed. Its standard output is compared where it is `printed`. */
export function runScript(text: string, shell: Shell, printed?: string): void {
  const { status, stdout, stderr } = bash(`set -euo pipefail\n${text}`, shell);
  if (status !== 0) throw new Error(`ends with status ${status}\n${stderr}`);
  if (printed !== undefined && !areLines(printed.trimEnd().split('\n'), stdout.trimEnd().split('\n')))
    throw new Error(`prints\n${stdout}`);
}

/** Replaces the ports of this machine that a block names: other tests may be using them. */
function atFreePorts(text: string): string {
  const ports = new Map<string, string>();
  return text.replace(/(?<=127\.0\.0\.1:)\d{4,5}/g, (named) => {
    ports.set(named, ports.get(named) ?? freePort());
    return ports.get(named)!;
  });
}

/** Without a host, a server listens at once. */
function freePort(): string {
  const server = createServer().listen(0);
  const { port } = server.address() as AddressInfo;
  server.close();
  return String(port);
}

/** Ends what runs in the background when a script fails. */
const ENDING_JOBS = "trap 'kill $(jobs -p) 2>/dev/null && wait || true' EXIT";

function bash(script: string, { work, path, npmPrefix, environment }: Shell) {
  return spawnSync('bash', ['--noprofile', '--norc'], {
    cwd: work,
    input: `${ENDING_JOBS}\n${script}`,
    encoding: 'utf8',
    env: {
      ...(environment ?? {
        ...ENVIRONMENT,
        PATH: `${path}:${ENVIRONMENT['PATH']}`,
        npm_config_prefix: npmPrefix,
      }),
      LC_ALL: 'C.UTF-8',
      COLUMNS: '80',
      npm_config_loglevel: 'error',
    },
  });
}

function commandsOf(text: string): Command[] {
  const commands: { text: string; expected: string[] }[] = [];
  for (const line of text.trimEnd().split('\n')) {
    const last = commands.at(-1);
    if (line.startsWith('$ ')) commands.push({ text: line.slice(2), expected: [] });
    else if (last === undefined) throw new Error(`a transcript begins with a command, not with ${line}`);
    else if (line.startsWith('> ') && last.expected.length === 0) last.text += `\n${line.slice(2)}`;
    else last.expected.push(line);
  }
  return commands;
}

/** `$?` is what the command before ended with, as in a terminal. */
function step({ text }: Command, index: number, logs: string): string {
  const at = join(logs, String(index));
  return `{ (exit \${status:-0})\n${text}\n} >'${at}.stdout' 2>'${at}.stderr' </dev/null; status=$?; echo $status >'${at}.status'`;
}

function compare({ text, expected }: Command, index: number, logs: string): void {
  const printed = log(logs, index, 'stdout') + log(logs, index, 'stderr');
  const actual = printed === '' ? [] : printed.replace(/\n$/, '').split('\n');
  if (!areLines(expected, actual)) throw new Error(`$ ${text}\nprints\n${actual.join('\n')}`);
}

function log(logs: string, index: number, name: string): string {
  return readFileSync(join(logs, `${index}.${name}`), 'utf8');
}
