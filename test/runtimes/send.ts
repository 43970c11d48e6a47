import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { extname, join, normalize } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.json': 'application/json',
};

export function send(response: ServerResponse, extension: string, content: string | Buffer): void {
  response.writeHead(200, { 'content-type': TYPES[extension] ?? 'application/octet-stream' }).end(content);
}

/** The file that a path names in a folder; of a folder's path, its index. */
export function sendFile(response: ServerResponse, folder: string, path: string): void {
  try {
    const file = path.endsWith('/') ? `${path}index.html` : path;
    send(response, extname(file), readFileSync(join(folder, normalize(file))));
  } catch {
    response.writeHead(404).end(); // as a server does; the page that needed it says what it missed
  }
}
