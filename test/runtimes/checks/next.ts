import { deepEqual, equal } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Consumers } from '../consumer.ts';
import { run, serve } from '../process.ts';
import type { Row } from '../row.ts';
import { installed, script, versionOf } from '../tool.ts';

const KERNEL_ROUTE = `import { kernelName } from 'urlsum';
export const runtime = 'edge';
export const GET = () => Response.json(kernelName());
`;

/** The example in a project that Next itself builds and serves. */
export function nextProject(consumers: Consumers): Row {
  return { name: `examples/next-edge, built by Next ${versionOf('next')}`, run: () => built(consumers) };
}

async function built({ module }: Consumers): Promise<string> {
  const next = installed('next/dist/bin/next');
  // beside the matrix's packages: Turbopack takes none from outside of the project's root
  const folder = script('.next-project');
  rmSync(folder, { recursive: true, force: true });
  try {
    makeProject(folder, module);
    await run(process.execPath, [next, 'build', '--turbopack'], {
      cwd: folder,
      env: { NEXT_TELEMETRY_DISABLED: '1' },
    });
    return await asked(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function makeProject(folder: string, module: string): void {
  cpSync(join(module, 'examples/next-edge'), folder, { recursive: true });
  cpSync(join(module, 'node_modules/urlsum'), join(folder, 'node_modules/urlsum'), { recursive: true });
  mkdirSync(join(folder, 'app/kernel'));
  writeFileSync(join(folder, 'app/kernel/route.js'), KERNEL_ROUTE);
  writeFileSync(join(folder, 'app/layout.js'), 'export default ({ children }) => children;\n');
  const root = JSON.stringify({ turbopack: { root: script('.') } });
  writeFileSync(join(folder, 'next.config.mjs'), `export default ${root};\n`);
  writeFileSync(join(folder, 'jsconfig.json'), '{}\n'); // not the tsconfig.json above
  writeFileSync(join(folder, 'package.json'), '{ "name": "next-consumer", "private": true, "type": "module" }\n');
}

async function asked(folder: string): Promise<string> {
  const server = await serve(process.execPath, [script('hosts/next.mjs'), folder]);
  try {
    const answer = async (path: string): Promise<unknown> => (await fetch(server.url + path)).json();
    const kernel = await answer('/kernel');
    equal(kernel, 'simd');
    const canonical = 'https://example.com/';
    const sha256 = createHash('sha256').update(canonical).digest('hex');
    deepEqual(await answer('/hash?url=HTTPS://Example.com'), { canonical, sha256 });
    equal((await fetch(`${server.url}/hash?url=nothing`)).status, 400);
    return `${kernel}, 3 requests`;
  } finally {
    await server.stop();
  }
}
