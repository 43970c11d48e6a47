import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.json': 'application/json',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

export function send(response: ServerResponse, extension: string, content: string | Buffer): void {
  response.writeHead(200, { 'content-type': TYPES[extension] ?? 'application/octet-stream' }).end(content);
}

/** Sends the file that a path names in a folder; of a folder's path, its index. */
export function sendFile(response: ServerResponse, folder: string, path: string): void {
  try {
    const file = path.endsWith('/') ? `${path}index.html` : path;
    send(response, extname(file), readFileSync(join(folder, normalize(file))));
  } catch {
    response.writeHead(404).end(); // as a server does; the page that needed it says what it missed
  }
}

export interface FileServer {
  readonly origin: string;
  close(): void;
}

/** Serves the files of a folder at a port of this machine, each with these headers; a page loaded again is compiled. */
export async function serve(folder: string, headers: Readonly<Record<string, string>> = {}): Promise<FileServer> {
  const server = createServer(({ url }, response) => {
    response.setHeaders(new Map(Object.entries({ ...headers, 'cache-control': 'max-age=3600' })));
    sendFile(response, folder, new URL(url!, 'http://localhost').pathname);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => void server.close() };
}
