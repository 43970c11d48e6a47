// The command `urlsum serve` in one file: what engines run on machines where the package is not installed.

import { TROUBLE } from '../arguments/diagnostics.ts';
import { isFault } from '../fault.ts';
import { optionsOfArguments, serve } from './serve.ts';

try {
  serve(optionsOfArguments(process.argv.slice(2)));
} catch (error) {
  const message = isFault(error, 'usage') || isFault(error, 'request') ? error.message : (error as Error).stack;
  process.stderr.write(`urlsum serve: ${message}\n`);
  process.exitCode = TROUBLE;
}
