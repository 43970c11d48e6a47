import { preferKernel } from '../../core/kernel/open.ts';
import { FULL_FORM } from '../../core/url/options.ts';
import { PLACE_NAMES } from '../../specs/sites/site.ts';
import { StandardInput, SynchronousOutput } from '../../store/standard-streams.ts';
import { type Output, openOutput } from '../../tables/columns.ts';
import { serveFrames } from './frames.ts';
import type { ServeOptions } from './options.ts';
import { serveRowBinary } from './row-binary.ts';
import { selfTest } from './self-test.ts';

/**
 * Answers requests on standard input until it ends. Ends quietly if the parent no longer reads. `optionsOf` reads the
 * options that a request of `frames` may choose for those after it.
 *
 * @throws {Fault} on a request that cannot be answered, and where this Node does not hash as it must
 */
export function serve(options: ServeOptions, optionsOf: (args: readonly string[]) => ServeOptions): void {
  if (options.kernel !== undefined) preferKernel(options.kernel);
  const output = testedOutput(options);
  try {
    if (options.format === 'frames')
      serveFrames(new StandardInput(), new SynchronousOutput(), output, (args) =>
        testedOutput(optionsOf(['--format', 'frames', ...args])),
      );
    else serveRowBinary(new StandardInput(), new SynchronousOutput(), output, options.nullable);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
}

function testedOutput(options: ServeOptions): Output {
  const output = openOutput(options);
  // without the options of the form, which may change what is tested; a place is read off the canonical form
  const tested = PLACE_NAMES.some((name) => name === options.output) ? 'canonical' : options.output;
  selfTest(openOutput({ ...options, form: FULL_FORM, output: tested }));
  return output;
}
