import { existsSync, readdirSync } from 'node:fs';

const TRUSTY = '../shared/data/trusty/';

/** The paths of the published files in a folder, or undefined, said loudly, where they do not lie beside the project. */
export function trustyFiles(folder: string): string[] | undefined {
  const path = TRUSTY + folder;
  if (existsSync(path)) return readdirSync(path).map((name) => `${path}/${name}`);
  console.log(`\n!!! ${path} is not there: the tests that need it did not run\n`);
  return undefined;
}
