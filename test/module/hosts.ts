import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { reportAbsent } from '../absent.ts';
import type { Answer, Question } from './answers.ts';

/** The library that `node tools/native.mjs` builds. */
export const LIBRARY = ['so', 'dylib'].map((ending) => `build/native/liburlsum.${ending}`).find(existsSync);
if (LIBRARY === undefined) reportAbsent('build/native (node tools/native.mjs)');

/** Asks a program, which answers each line of its input. */
export function answersOf(command: readonly string[], questions: readonly Question[]): Answer[] {
  const [program, ...args] = command;
  const input = questions.map((question) => `${JSON.stringify(question)}\n`).join('');
  const { stdout, stderr, status, error } = spawnSync(program!, args, { input, maxBuffer: 1 << 30 });
  if (status !== 0) throw error ?? new Error(`${command.join(' ')} ended with ${status}: ${stderr}`);
  return stdout
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}
