import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Block, documents } from '../docs/document.ts';
import { runScript, runTranscript, type Shell } from '../docs/shell.ts';
import type { Machine } from './machine.ts';

/** The blocks of a document that are run by whoever reads it. */
export function blocksOf(path: string, isRun: (block: Block) => boolean): readonly Block[] {
  return documents()
    .find((document) => document.path === path)!
    .blocks.filter(isRun);
}

/** Fails where a document does not tell its reader to run this. */
export function mustName(path: string, ...commands: readonly string[]): void {
  const text = readFileSync(path, 'utf8').replace(/\s+/g, ' ');
  for (const command of commands) if (!text.includes(command)) throw new Error(`${path} does not name '${command}'`);
}

/** Runs the console and shell blocks of a document one after another, in the machine's folder. */
export function follow(machine: Machine, blocks: readonly Block[]): number {
  const shell: Shell = { work: machine.folder, logs: '', path: '', npmPrefix: '', environment: machine.environment };
  for (const { path, line, language, text, printed } of blocks) {
    try {
      if (language === 'console') runTranscript(text, { ...shell, logs: join(machine.home, `said-${line}`) });
      else runScript(text, shell, printed);
    } catch (error) {
      throw new Error(`${path}:${line}: ${(error as Error).message}`);
    }
  }
  return blocks.length;
}

/** The README's doors, by whoever has the command, the library and an empty folder. */
export async function openDoors(machine: Machine): Promise<string> {
  const shown = blocksOf('README.md', ({ language }) => ['console', 'sh'].includes(language));
  const [program, ...others] = blocksOf('README.md', ({ language }) => language === 'js');
  if (program === undefined || others.length > 0) throw new Error('README.md has not one program');
  mustName('README.md', 'Save this as `key.mjs` and run `node key.mjs`', 'It prints `true`');
  const count = follow(machine, shown);
  writeFileSync(join(machine.folder, 'key.mjs'), program.text);
  const said = await machine.run('node key.mjs');
  if (!/^true [0-9a-f]{32}\n$/.test(said)) throw new Error(`key.mjs prints ${said}`);
  return `${count} blocks, and key.mjs prints ${said.trim()}`;
}
