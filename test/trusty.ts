import { existsSync, readdirSync } from 'node:fs';
import { reportAbsent } from './absent.ts';

const TRUSTY = '../shared/data/trusty/';

/**
 * The paths of the published files in a folder, or undefined, reported as absent, where they are not beside the
 * project.
 */
export function trustyFiles(folder: string): string[] | undefined {
  const path = TRUSTY + folder;
  if (existsSync(path)) return readdirSync(path).map((name) => `${path}/${name}`);
  reportAbsent(TRUSTY.replace(/\/$/, ''));
  return undefined;
}
