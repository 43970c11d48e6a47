// Serves a Worker, a folder with index.js and what it imports, in workerd until it is killed; says where. What the
// Worker fetches comes from the second argument, the URL of an origin.
import { Miniflare, Response } from 'miniflare';

const [folder, origin] = process.argv.slice(2);
process.chdir(folder); // the names of modules begin here

/** Node's fetch adds a header of its own to a request that reloads, so the method and headers go as they are. */
async function fromOrigin({ url, method, headers }) {
  const { pathname, search } = new URL(url);
  const answer = await fetch(origin + pathname + search, { method, headers });
  return new Response(await answer.arrayBuffer(), answer);
}

const worker = new Miniflare({
  scriptPath: 'index.js',
  modules: true,
  modulesRules: [
    { type: 'ESModule', include: ['**/*.js'] },
    { type: 'CompiledWasm', include: ['**/*.wasm'] },
  ],
  compatibilityDate: '2026-04-01',
  ...(origin && { outboundService: fromOrigin }),
});
console.log((await worker.ready).origin);
