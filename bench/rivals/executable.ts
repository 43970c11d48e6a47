import { spawn } from 'node:child_process';
import type { Connection, Start } from './program.ts';

/** A program that is a process: it is given the path of the lines after `args`. */
export function executable(command: string, args: readonly string[] = []): Start {
  return { name: command, connect: (path) => connect(command, [...args, path]) };
}

async function connect(command: string, args: readonly string[]): Promise<Connection> {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject));
  return { requests: child.stdin, answers: child.stdout };
}
