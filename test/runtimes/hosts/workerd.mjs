// Serves a Worker, a folder with index.js and what it imports, in workerd until it is killed; says where.
import { Miniflare } from 'miniflare';

process.chdir(process.argv[2]); // the names of modules begin here

const worker = new Miniflare({
  scriptPath: 'index.js',
  modules: true,
  modulesRules: [
    { type: 'ESModule', include: ['**/*.js'] },
    { type: 'CompiledWasm', include: ['**/*.wasm'] },
  ],
  compatibilityDate: '2026-04-01',
});
console.log((await worker.ready).origin);
