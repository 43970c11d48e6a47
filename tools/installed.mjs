// Before a build: says what to do where nothing is installed yet.
import { existsSync } from 'node:fs';

if (!existsSync('node_modules/assemblyscript')) {
  console.error('What builds urlsum is not installed: run `npm ci`, and then this again.');
  process.exit(1);
}
