import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/**
 * A script before the benchmark's worker: a clock that is ten times as fast, so that rounds, which are as long as a
 * clock needs, take a tenth of the time. What is computed in them is the same.
 */
const FAST_CLOCK = '{ const now = performance.now.bind(performance); performance.now = () => 10 * now(); }';

export interface FileServer {
  readonly origin: string;
  close(): void;
}

/** The files of a folder at a port of this machine, each with these headers. */
export async function serve(folder: string, headers: Readonly<Record<string, string>> = {}): Promise<FileServer> {
  const server: Server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const file = join(folder, pathname === '/' ? 'index.html' : pathname);
    if (!existsSync(file)) return void response.writeHead(404).end();
    response
      // a page that is loaded again has its scripts compiled
      .writeHead(200, {
        ...headers,
        'cache-control': 'max-age=3600',
        'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
      })
      .end(file.endsWith('/benchmark-worker.js') ? `${FAST_CLOCK}${readFileSync(file, 'utf8')}` : readFileSync(file));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => void server.close() };
}
