// `urlsum list serve` for long: clients that send many requests at once, and programs that rewrite the file of a list.
import { once } from 'node:events';
import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { HASH_LIST } from '../../src/entries/safe-browsing/lists.ts';
import { file } from '../support/scratch.ts';
import { random, SEED } from '../support/seed.ts';
import { ServerProcess } from './command.ts';

const ENTRIES = 60_000;
/** The bytes of the requests that a client sends at once. */
const PIPELINED_BYTES = 104 << 10;
/** A file that stays as it is for this long is whole. */
const SETTLE_MS = 2000;

const lines = (count: number, version: number) =>
  Array.from({ length: count }, (_, row) => `h${row}.example/${version}\n`).join('');

/** Starts `urlsum list serve` with one list; returns it and the path of the list's file. */
async function serving(text: string): Promise<readonly [server: ServerProcess, path: string]> {
  const path = file('list.txt', text);
  const options = ['--shrink', '100', '--settle', String(SETTLE_MS / 1000)];
  return [await ServerProcess.start(['list', 'serve', ...options, `mw-4b=${path}`]), path];
}

/** Entries of the list that a new client is given. */
async function sizeAt({ url }: ServerProcess): Promise<number> {
  const response = await fetch(`${url}hashList/mw-4b`);
  assert.is(response.status, 200);
  const { additions } = HASH_LIST.decode(new Uint8Array(await response.arrayBuffer()));
  return additions.reduce((sum, { prefixes }) => sum + prefixes.length / 4, 0);
}

/** Clients that ask for a list a thousand times at once, and do not read the answers: others are answered meanwhile. */
export async function pipelining(clientCount: number): Promise<string> {
  const [server] = await serving(lines(ENTRIES, 0));
  await sizeAt(server);
  const before = server.memory();
  const request = 'GET /v5/hashList/mw-4b HTTP/1.1\r\nHost: localhost\r\n\r\n';
  const requests = request.repeat(PIPELINED_BYTES / request.length);
  const sockets: Socket[] = [];
  for (let count = 0; count < clientCount; count++) {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1', () => socket.write(requests));
    sockets.push(socket.on('error', () => undefined).pause());
    await once(socket, 'connect');
    assert.is(await sizeAt(server), ENTRIES);
  }
  // an answer has 0.2 MB; with all of them made at once, a client would take 300
  const most = Math.max(server.memory(), before);
  assert.ok(most < before + 64 + 4 * clientCount, `${Math.round(most)} MiB, and ${Math.round(before)} before`);
  for (const socket of sockets) socket.destroy();
  assert.is(await sizeAt(server), ENTRIES);
  await server.end();
  return `${clientCount} clients with ${PIPELINED_BYTES >> 10} KiB of requests each: ${Math.round(before)} MiB, then ${Math.round(most)}`;
}

/** Writes a part after another, and says how many are written where the machine took so long that they look whole. */
async function written(
  path: string,
  parts: readonly string[],
  next: (below: number) => number,
  late: (count: number) => void,
) {
  const file = openSync(path, 'w');
  for (const [index, part] of parts.entries()) {
    writeSync(file, part);
    const start = performance.now();
    await pause(next(700));
    if (performance.now() - start > SETTLE_MS / 2) late(index + 1);
  }
  closeSync(file);
}

/** A file that is rewritten in parts, so many times: each list that is served is a whole one. */
export async function replacedFiles(count: number): Promise<string> {
  const next = random();
  const sizes = new Set([1000]);
  const [server, path] = await serving(lines(1000, 0));
  const served = new Set<number>();
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const size = await sizeAt(server);
      assert.ok(sizes.has(size), `${size} entries, which no whole list has (seed ${SEED})`);
      served.add(size);
    }
  })();
  for (let version = 1; version <= count; version++) {
    const size = 1000 + 10 * version;
    const all = lines(size, version).split(/(?<=\n)/);
    const parts = Array.from({ length: 5 }, (_, part) =>
      all.slice((part * size) / 5, ((part + 1) * size) / 5).join(''),
    );
    sizes.add(size);
    const way = ['in place', 'anew', 'renamed'][next(3)];
    if (way === 'anew') rmSync(path);
    const target = way === 'renamed' ? `${path}.new` : path;
    await written(target, parts, next, (count) => sizes.add((count * size) / 5));
    if (way === 'renamed') renameSync(target, path);
    await pause(next(4000));
  }
  const last = 1000 + 10 * count;
  for (const deadline = Date.now() + 60_000; !served.has(last); await pause(50))
    assert.ok(Date.now() < deadline, 'the last list was not served');
  isOver = true;
  await watching;
  await server.end();
  return `seed ${SEED}, ${count} versions written, ${served.size} served, each whole`;
}
