import { join } from 'node:path';
import { FOLDER, outputOf } from './folder.ts';

const LIBRARIES = join(FOLDER, 'libraries');
let isFetched = false;

/** Runs a source file that uses the trusty URI library. */
export function java(source: string, input: string): string {
  return outputOf('java', ['-Dfile.encoding=UTF-8', ...classPath(), source], { input });
}

/** Options of `java` to find the library, which is fetched first. */
export function classPath(): string[] {
  if (!isFetched)
    outputOf('mvn', ['-q', '-f', 'test/rdf/pom.xml', 'dependency:copy-dependencies', `-DoutputDirectory=${LIBRARIES}`]);
  isFetched = true;
  return ['-cp', join(LIBRARIES, '*')];
}
