#!/usr/bin/env node
// Built to a small file of its own: what --version needs is little, and all else is loaded with main.ts.
import { exiting } from './terminal/exiting.ts';

if (process.argv[2] === '--version') {
  const { printVersion } = await import('./terminal/version.ts');
  await exiting(printVersion);
} else {
  await import('./main.ts');
}
