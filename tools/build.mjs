// `npm run build`, from nothing. `node tools/build.mjs test` builds the tests as well. What needs nothing of each other
// is made at the same time, and no step is an npm script: npm takes 0.3 s of the processor to start one.
import './installed.mjs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';

/** Runs scripts at the same time. If one fails, it ends when all have ended: none goes on alone. */
async function run(...scripts) {
  const children = scripts.map((script) => spawn(process.execPath, script, { stdio: 'inherit' }));
  const ended = await Promise.all(children.map((child) => once(child, 'close')));
  if (ended.some(([status]) => status !== 0)) process.exit(1);
}

for (const folder of ['dist', 'build']) rmSync(folder, { recursive: true, force: true });
await run(['tools/kernels.mjs'], ['node_modules/typescript/bin/tsc', '-p', 'src']);
await run(['build.mjs', 'dist', ...process.argv.slice(2)]);
