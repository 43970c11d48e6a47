import { spawnSync } from 'node:child_process';
import { reportAbsent } from '../absent.ts';
import { Skipped } from '../runtimes/row.ts';
import { installed } from '../runtimes/tool.ts';

/** The Node whose V8 packs vectors: this one, or that of `npm run install:runtimes`. */
export const NODE_26 = nodeOf(26);
/** Its V8 takes the flags too, and compiles neighbours wrong. */
export const NODE_24 = nodeOf(24);

function nodeOf(line: number): string | undefined {
  if (process.versions.node.startsWith(`${line}.`)) return process.execPath;
  try {
    return installed(`node-${line}/bin/node`);
  } catch (error) {
    if (!(error instanceof Skipped)) throw error;
    reportAbsent(`Node ${line}, of \`npm run install:runtimes\``);
    return undefined;
  }
}

export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function spawned(
  node: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  input: string | Uint8Array = '',
): Ended {
  const { NODE_OPTIONS: _, URLSUM_KERNEL: __, ...usual } = process.env;
  const { status, stdout, stderr } = spawnSync(node, args, { env: { ...usual, ...env }, encoding: 'utf8', input });
  return { status, stdout, stderr };
}
