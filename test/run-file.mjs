// Runs one built test file. By uvu's own runner, since a file that awaits between its suites would otherwise run twice.
import { resolve } from 'node:path';
import { run } from 'uvu/run';

const [path] = process.argv.slice(2);
await run([{ name: path, file: resolve(path) }]);
