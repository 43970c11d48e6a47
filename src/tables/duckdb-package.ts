import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DuckDB } from './functions.ts';
import type { Bindings } from './vectors.ts';

/** @internal The package with what it stands on. */
export interface DuckDBPackage {
  readonly api: DuckDB;
  readonly bindings: Bindings;
}

const NAME = '@duckdb/node-api';

/** The first version of which everything here was tried: 1.5.0. */
const OLDEST = [1, 5] as const;

/** A missing package, or one that is too old. */
class DuckDBPackageError extends Error {}

/**
 * Loads DuckDB when it is asked for: it is optional, and takes 70 ms and 88 MB. `require` does so at once, and the
 * bindings are found from where the package lies: pnpm puts them beside that alone.
 *
 * @internal
 * @param from the file that asks, as a URL
 * @throws {DuckDBPackageError} where it is not installed, or too old
 */
export function openDuckDB(from: string = import.meta.url): DuckDBPackage {
  const require = createRequire(from);
  const path = resolved(require, from);
  const api = require(path) as DuckDB;
  mustBeNewEnough(api.version());
  return { api, bindings: createRequire(path)('@duckdb/node-bindings') as Bindings };
}

function resolved(require: NodeJS.Require, from: string): string {
  try {
    return require.resolve(NAME);
  } catch (cause) {
    throw new DuckDBPackageError(`this needs the package ${NAME}: ${installLine(from)}`, { cause });
  }
}

/**
 * Returns the line that installs the package: global packages lie in a folder `node_modules` that belongs to no
 * project.
 */
function installLine(from: string): string {
  const [project, ...rest] = fileURLToPath(from).split(/[\\/]node_modules[\\/]/);
  const isGlobal = rest.length > 0 && !existsSync(join(project!, 'package.json'));
  return `npm install ${isGlobal ? '--global ' : ''}${NAME}`;
}

function mustBeNewEnough(version: string): void {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  throw new DuckDBPackageError(`${NAME} ${version} is too old: ${OLDEST.join('.')} or later is needed`);
}
