// `urlsum list serve` for long: clients that send many requests at once, and programs that rewrite the file of a list.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { HASH_LIST } from '../../src/entries/safe-browsing/lists.ts';
import { ENVIRONMENT } from '../support/environment.ts';
import { random, SEED } from '../support/seed.ts';
import { COMMAND, FOLDER } from './command.ts';

const ENTRIES = 60_000;
/** The bytes of the requests that a client sends at once. */
const PIPELINED_BYTES = 104 << 10;
/** A file that stays as it is for this long is whole. */
const SETTLE_MS = 2000;

const lines = (count: number, version: number) =>
  Array.from({ length: count }, (_, row) => `h${row}.example/${version}\n`).join('');

/** `urlsum list serve` as a process of its own, with one list. */
class Serving {
  readonly path: string;
  readonly #process: ChildProcess;
  url = '';

  constructor(text: string) {
    this.path = join(mkdtempSync(join(FOLDER, 'served-')), 'list.txt');
    writeFileSync(this.path, text);
    const options = ['--listen', '127.0.0.1:0', '--shrink', '100', '--settle', String(SETTLE_MS / 1000)];
    const args = ['list', 'serve', ...options, `mw-4b=${this.path}`];
    this.#process = spawn(process.execPath, [COMMAND, ...args], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: ENVIRONMENT,
    });
  }

  async start(): Promise<this> {
    [this.url] = (await once(createInterface(this.#process.stdout!), 'line')) as [string];
    return this;
  }

  /** Entries of the list that a new client is given. */
  async size(): Promise<number> {
    const response = await fetch(`${this.url}hashList/mw-4b`);
    assert.is(response.status, 200);
    const { additions } = HASH_LIST.decode(new Uint8Array(await response.arrayBuffer()));
    return additions.reduce((sum, { prefixes }) => sum + prefixes.length / 4, 0);
  }

  /** Resident memory in MiB, on Linux. */
  memory(): number {
    const [, kib] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${this.#process.pid}/status`, 'utf8'))!;
    return Number(kib) / 1024;
  }

  async stop(): Promise<void> {
    const closed = once(this.#process, 'close');
    this.#process.kill();
    await closed;
  }
}

/** Clients that ask for a list a thousand times at once, and do not read the answers: others are answered meanwhile. */
export async function pipelining(clientCount: number): Promise<string> {
  const serving = await new Serving(lines(ENTRIES, 0)).start();
  await serving.size();
  const before = serving.memory();
  const request = 'GET /v5/hashList/mw-4b HTTP/1.1\r\nHost: localhost\r\n\r\n';
  const requests = request.repeat(PIPELINED_BYTES / request.length);
  const sockets: Socket[] = [];
  for (let count = 0; count < clientCount; count++) {
    const socket = connect(Number(new URL(serving.url).port), '127.0.0.1', () => socket.write(requests));
    sockets.push(socket.on('error', () => undefined).pause());
    await once(socket, 'connect');
    assert.is(await serving.size(), ENTRIES);
  }
  // an answer has 0.2 MB; with all of them made at once, a client would take 300
  const most = Math.max(serving.memory(), before);
  assert.ok(most < before + 64 + 4 * clientCount, `${Math.round(most)} MiB, and ${Math.round(before)} before`);
  for (const socket of sockets) socket.destroy();
  assert.is(await serving.size(), ENTRIES);
  await serving.stop();
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
  const serving = await new Serving(lines(1000, 0)).start();
  const served = new Set<number>();
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const size = await serving.size();
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
    if (way === 'anew') rmSync(serving.path);
    const path = way === 'renamed' ? `${serving.path}.new` : serving.path;
    await written(path, parts, next, (count) => sizes.add((count * size) / 5));
    if (way === 'renamed') renameSync(path, serving.path);
    await pause(next(4000));
  }
  const last = 1000 + 10 * count;
  for (const deadline = Date.now() + 60_000; !served.has(last); await pause(50))
    assert.ok(Date.now() < deadline, 'the last list was not served');
  isOver = true;
  await watching;
  await serving.stop();
  return `seed ${SEED}, ${count} versions written, ${served.size} served, each whole`;
}
