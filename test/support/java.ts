import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { outputOf } from './programs.ts';
import { FOLDER } from './scratch.ts';

/** Runs a source file that uses the libraries of the pom.xml beside it. */
export function java(source: string, input: string): string {
  return outputOf('java', ['-Dfile.encoding=UTF-8', ...classPath(dirname(source)), source], { input });
}

/** Returns the options of `java` that find the libraries of a folder's pom.xml, which are fetched first. */
export function classPath(folder: string): string[] {
  const libraries = join(FOLDER, folder);
  if (!existsSync(libraries))
    outputOf('mvn', [
      '-q',
      '-f',
      `${folder}/pom.xml`,
      'dependency:copy-dependencies',
      `-DoutputDirectory=${libraries}`,
    ]);
  return ['-cp', join(libraries, '*')];
}
