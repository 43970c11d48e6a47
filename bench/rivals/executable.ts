import { spawn } from 'node:child_process';
import type { Connection, Start } from './program.ts';

/** A program that is a process: it is given the path of the lines after `args`, and `environment` besides its own. */
export function executable(
  command: string,
  args: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Start {
  return { name: command, connect: (path) => connect(command, [...args, path], environment) };
}

async function connect(
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Connection> {
  const env = { ...process.env, ...environment };
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'], env });
  await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject));
  return { requests: child.stdin, answers: child.stdout };
}
