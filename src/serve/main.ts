import { givenOptions } from './arguments.ts';
import { ServeError, serveOptions } from './options.ts';
import { serve } from './serve.ts';

const TROUBLE = 2;

try {
  serve(serveOptions(givenOptions(process.argv.slice(2))));
} catch (error) {
  const message = error instanceof ServeError ? error.message : (error as Error).stack;
  process.stderr.write(`urlsum serve: ${message}\n`);
  process.exitCode = TROUBLE;
}
