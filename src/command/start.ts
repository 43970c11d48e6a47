#!/usr/bin/env node
// A small file of its own: --version needs little, and everything else is loaded with main.ts.
import { exiting } from './arguments/diagnostics.ts';

if (['--version', '-V'].includes(process.argv[2] ?? '')) {
  const { printVersion } = await import('./arguments/version.ts');
  await exiting(printVersion);
} else {
  const { run } = await import('./main.ts');
  await run(process.argv.slice(2));
}
