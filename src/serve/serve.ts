import { serveFrames } from './frames.ts';
import { serveOptions } from './options.ts';
import { openOutput } from './outputs.ts';
import { serveRowBinary } from './row-binary.ts';
import { selfTest } from './self-test.ts';
import { StandardInput } from './standard-input.ts';
import { StandardOutput } from './standard-output.ts';

/**
 * `urlsum serve`: answers requests on standard input until it ends. A parent that reads no more ends it quietly.
 *
 * @throws {ServeError} on wrong options, on a request that cannot be answered, and where this Node cannot hash
 */
export function serve(args: readonly string[]): void {
  const options = serveOptions(args);
  const output = openOutput(options);
  selfTest(output);
  try {
    if (options.format === 'frames') serveFrames(new StandardInput(), new StandardOutput(), output);
    else serveRowBinary(new StandardInput(), new StandardOutput(), output, options.nullable);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
}
