// `npm run build`, from nothing. `node tools/build.mjs test` builds the tests as well. What needs nothing of each other
// is made at the same time, and no step is an npm script: npm takes 0.3 s of the processor to start one.
import './installed.mjs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';

async function run(...args) {
  const [status] = await once(spawn(process.execPath, args, { stdio: 'inherit' }), 'close');
  if (status !== 0) process.exit(1);
}

for (const folder of ['dist', 'build']) rmSync(folder, { recursive: true, force: true });
await Promise.all([run('tools/kernels.mjs'), run('node_modules/typescript/bin/tsc', '-p', 'src')]);
await run('build.mjs', 'dist', ...process.argv.slice(2));
