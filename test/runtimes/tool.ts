import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { Skipped } from './row.ts';

const FOLDER = resolve('test/runtimes');

/** A file of the matrix's own packages. */
export function installed(path: string): string {
  const file = join(FOLDER, 'node_modules', path);
  if (!existsSync(file)) throw new Skipped(`${path} is not installed: npm has none for this system`);
  return file;
}

/** Returns the version that package.json beside this file pins, with or without an alias in front. */
export function versionOf(name: string): string {
  const { dependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(FOLDER, 'package.json'), 'utf8'),
  ) as Manifest;
  return { ...dependencies, ...optionalDependencies }[name]!.split('@').at(-1)!;
}

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

/** A script beside this one that finds the matrix's packages. */
export function script(path: string): string {
  return join(FOLDER, path);
}

/** The first of the commands that is on the path. */
export function found(names: readonly string[]): string {
  const paths = names.flatMap((name) => process.env['PATH']!.split(delimiter).map((folder) => join(folder, name)));
  const path = paths.find(isExecutable);
  if (path === undefined) throw new Skipped(`${names.join(', ')}: not on the path`);
  return path;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
