// Compiles the WebAssembly modules: every target of asconfig.json in one process, since starting the compiler costs
// more than a target (41 s of processor time for seven processes, 10 s for one; the modules are the same bytes).
import { readFileSync } from 'node:fs';
import asc from 'assemblyscript/asc';

const { targets } = JSON.parse(readFileSync('asconfig.json', 'utf8'));

const sourceOf = (target) => (target === 'simd' ? 'assembly' : `assembly/${target}`);

for (const target of Object.keys(targets)) {
  const { error } = await asc.main([`${sourceOf(target)}/index.ts`, '--target', target], {
    stdout: process.stdout,
    stderr: process.stderr,
  });
  if (error) throw error;
}
