import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const ELSEWHERE = 'https://registry.npmjs.org';
/** Some installers refuse what was published within a day. */
const PUBLISHED = '2026-01-01T00:00:00.000Z';

export interface Registry {
  readonly url: string;
  /** How often the package was fetched: an installer with a copy from elsewhere fetches nothing. */
  fetchCount(): number;
  close(): void;
}

/** A registry that has one package, as npm's would have it after the release, and sends who asks for others to npm's. */
export async function startRegistry(tarball: string): Promise<Registry> {
  const bytes = readFileSync(tarball);
  const manifest = manifestOf(tarball);
  const { name, version } = manifest;
  let fetchCount = 0;
  const server = createServer(({ url = '/' }, response) => {
    const { origin, pathname } = new URL(url, `http://127.0.0.1:${port}`);
    if (pathname === `/${name}`) {
      const dist = { tarball: `${origin}/${name}/-/${name}-${version}.tgz`, ...sumsOf(bytes) };
      const versions = { [version]: { ...manifest, _id: `${name}@${version}`, dist } };
      const time = { created: PUBLISHED, modified: PUBLISHED, [version]: PUBLISHED };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions, time }));
    } else if (pathname.startsWith(`/${name}/-/`)) {
      fetchCount++;
      response.end(bytes);
    } else {
      response.writeHead(307, { location: ELSEWHERE + url }).end();
    }
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, fetchCount: () => fetchCount, close: () => server.close() };
}

interface Manifest {
  readonly name: string;
  readonly version: string;
}

export function manifestOf(tarball: string): Manifest {
  return JSON.parse(execFileSync('tar', ['-xzOf', tarball, 'package/package.json'], { encoding: 'utf8' })) as Manifest;
}

function sumsOf(bytes: Uint8Array): { integrity: string; shasum: string } {
  const sum = (algorithm: string) => createHash(algorithm).update(bytes);
  return { integrity: `sha512-${sum('sha512').digest('base64')}`, shasum: sum('sha1').digest('hex') };
}
