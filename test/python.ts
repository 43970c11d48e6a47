import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { reportAbsent } from './absent.ts';

/** Where `test/engines/run --install` puts the packages that read and write Parquet, among others. */
const FOLDER =
  process.env['URLSUM_ENGINES'] ?? join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'urlsum-engines');

/** A Python with pyarrow, DuckDB and polars, or undefined, which the end of the run says. */
export const PYTHON = installedPython();

function installedPython(): string | undefined {
  // Written last: CI installs beside the first tests.
  const installed = join(FOLDER, 'requirements.txt');
  const isWhole =
    existsSync(installed) && readFileSync(installed, 'utf8') === readFileSync('test/engines/requirements.txt', 'utf8');
  if (isWhole) return join(FOLDER, 'venv/bin/python');
  reportAbsent("the engines' Python");
  return undefined;
}
