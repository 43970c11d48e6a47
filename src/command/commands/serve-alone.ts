// The command `urlsum serve` in one file: what engines run on machines where the package is not installed.

import { TROUBLE } from '../arguments/diagnostics.ts';
import { UsageError } from '../arguments/usage-error.ts';
import { ServeError } from '../serve/options.ts';
import { serve } from '../serve/serve.ts';
import { optionsOfArguments } from './serve.ts';

try {
  serve(optionsOfArguments(process.argv.slice(2)), optionsOfArguments);
} catch (error) {
  const message = error instanceof UsageError || error instanceof ServeError ? error.message : (error as Error).stack;
  process.stderr.write(`urlsum serve: ${message}\n`);
  process.exitCode = TROUBLE;
}
