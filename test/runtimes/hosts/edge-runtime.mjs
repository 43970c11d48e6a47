// Serves a script, a folder with index.js and the kernels beside it, in the edge runtime until it is killed; says
// where.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EdgeRuntime, runServer } from 'edge-runtime';

const folder = process.argv[2];
const wasmModule = (name) => new WebAssembly.Module(readFileSync(join(folder, `${name}.wasm`)));

const runtime = new EdgeRuntime({
  initialCode: readFileSync(join(folder, 'index.js'), 'utf8'),
  codeGeneration: { strings: false, wasm: false }, // as in production; locally it would be allowed
  extend: (context) => {
    for (const name of ['simd', 'expressions']) context[`wasm_${name}`] = wasmModule(name);
    return context;
  },
});
console.log((await runServer({ runtime, host: '127.0.0.1' })).url.replace(/\/$/, ''));
