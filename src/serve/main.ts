import { ServeError } from './error.ts';
import { serve } from './serve.ts';

const TROUBLE = 2;

try {
  serve(process.argv.slice(2));
} catch (error) {
  const message = error instanceof ServeError ? error.message : (error as Error).stack;
  process.stderr.write(`urlsum serve: ${message}\n`);
  process.exitCode = TROUBLE;
}
