import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { reportAbsent } from './absent.ts';
import { ENGINES } from './programs.ts';

/** The Python of `test/engines/run --install`, or undefined, which the end of the run says. */
export const PYTHON = installedPython();

function installedPython(): string | undefined {
  // Written last: CI installs beside the first tests.
  const installed = join(ENGINES, 'requirements.txt');
  const isWhole =
    existsSync(installed) && readFileSync(installed, 'utf8') === readFileSync('test/engines/requirements.txt', 'utf8');
  if (isWhole) return join(ENGINES, 'venv/bin/python');
  reportAbsent("the engines' Python");
  return undefined;
}
