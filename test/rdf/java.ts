import { join } from 'node:path';
import { FOLDER, outputOf } from './folder.ts';

const LIBRARIES = join(FOLDER, 'libraries');
let isFetched = false;

/** Runs a class of the trusty URI library, or a source file that uses it. */
export function java(args: readonly string[], input = ''): string {
  fetchLibraries();
  return outputOf('java', ['-Dfile.encoding=UTF-8', '-cp', join(LIBRARIES, '*'), ...args], { input });
}

export function fetchLibraries(): void {
  if (!isFetched)
    outputOf('mvn', ['-q', '-f', 'test/rdf/pom.xml', 'dependency:copy-dependencies', `-DoutputDirectory=${LIBRARIES}`]);
  isFetched = true;
}
