import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { RECORDER } from './example.ts';
import type { Shell } from './shell.ts';

/** Optional packages that examples import. */
const PACKAGES = ['@types/node', '@duckdb/node-api', 'rdfxml-streaming-parser'];

const made: string[] = [];
process.on('exit', () => {
  for (const root of made) rmSync(root, { recursive: true });
});

export interface Consumer extends Shell {
  /** Modules here find the package. */
  readonly root: string;
}

/** A consumer of the built package, and a folder for its examples in which nothing lies yet. */
export function consumer(): Consumer {
  const root = mkdtempSync(join(tmpdir(), 'urlsum-docs-'));
  made.push(root);
  const [work, path, npmPrefix] = [join(root, 'work'), join(root, 'bin'), join(root, 'global')];
  const globalModules = join(npmPrefix, 'lib/node_modules');
  for (const folder of [
    work,
    path,
    globalModules,
    join(root, 'node_modules/@types'),
    join(root, 'node_modules/@duckdb'),
  ])
    mkdirSync(folder, { recursive: true });
  for (const modules of [globalModules, join(root, 'node_modules')]) symlinkSync(resolve('.'), join(modules, 'urlsum'));
  for (const each of PACKAGES) symlinkSync(resolve('node_modules', each), join(root, 'node_modules', each));
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(root, 'recorder.mjs'), RECORDER);
  const command = join(path, 'urlsum');
  writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${resolve('dist/esm/cli.js')}' "$@"\n`);
  chmodSync(command, 0o755);
  return { root, work, path, npmPrefix, logs: '' };
}
