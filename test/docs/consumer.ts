import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { RECORDER } from './example.ts';
import type { Shell } from './shell.ts';

/** Optional packages that examples import. */
const PACKAGES = ['@types/node', 'apache-arrow', 'hyparquet-writer'];

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
  const [work, path] = [join(root, 'work'), join(root, 'bin')];
  for (const folder of [work, path, join(root, 'node_modules/@types')]) mkdirSync(folder, { recursive: true });
  symlinkSync(resolve('.'), join(root, 'node_modules/urlsum'));
  for (const each of PACKAGES) symlinkSync(resolve('node_modules', each), join(root, 'node_modules', each));
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(root, 'recorder.mjs'), RECORDER);
  writeFileSync(join(path, 'urlsum'), `#!/bin/sh\nexec '${process.execPath}' '${resolve('dist/esm/cli.js')}' "$@"\n`);
  chmodSync(join(path, 'urlsum'), 0o755);
  return { root, work, path, logs: '' };
}
