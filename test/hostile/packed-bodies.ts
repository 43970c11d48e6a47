// Packed bodies that unpack to a thousand times their size, are damaged, or are many streams in one: each costs no more
// than the limit of a body, and no request adds a label to the metrics.
import { gzipSync } from 'node:zlib';
import * as assert from 'uvu/assert';
import { random } from '../support/seed.ts';
import { onBothServers, type ServerProcess } from './command.ts';

/** Bodies of which this many are unpacked at once cost some 2 MiB each. */
const CLIENTS = 16;
const MEMORY_MIB = 250;
/** Statuses of answers to what is wrong with a body. */
const STATUSES = new Set([200, 400, 404, 405, 413, 415]);

const next = random();
const json = Buffer.from('{"threatInfo":{"threatTypes":["MALWARE"],"platformTypes":["ANY_PLATFORM"]}}');
const bomb = gzipSync(Buffer.alloc(200 << 20));
const BODIES: readonly (() => Buffer)[] = [
  () => bomb,
  () => Buffer.concat(Array.from({ length: 2000 }, () => gzipSync(Buffer.alloc(1 << 10)))),
  () => gzipSync(json).subarray(0, next(80)),
  () => {
    const damaged = gzipSync(json);
    damaged[next(damaged.length)]! ^= 1 << next(8);
    return damaged;
  },
  () => Buffer.concat([gzipSync(json), Buffer.from('after it')]),
  () => Buffer.alloc(next(1000), 0x1f),
  () => gzipSync(gzipSync(json)),
];

/** @param count how many bodies each of both servers gets */
export function packedBodies(count: number): Promise<string> {
  return onBothServers((server) => sentTo(server, count));
}

async function sentTo(server: ServerProcess, count: number): Promise<string> {
  const { name, url } = server;
  let [left, most] = [count, 0];
  const client = async () => {
    for (; left-- > 0; most = Math.max(most, server.memory())) {
      const isForm = next(2) === 0;
      const headers = {
        'content-encoding': next(8) === 0 ? 'x-gzip' : 'gzip',
        'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
        ...(isForm && { 'x-http-method-override': 'GET' }),
      };
      const path = isForm ? 'v5/urls:search' : 'v4/threatMatches:find';
      const body = new Uint8Array(BODIES[next(BODIES.length)]!());
      const { status } = await fetch(new URL(`/${path}`, url), { method: 'POST', headers, body });
      assert.ok(STATUSES.has(status), `status ${status}`);
    }
  };
  const before = await labelsOf(url);
  await Promise.all(Array.from({ length: CLIENTS }, client));
  const after = await labelsOf(url);
  assert.ok(most < MEMORY_MIB, `${name} took ${most.toFixed(0)} MiB`);
  assert.ok(after - before <= 2 * STATUSES.size, `${after - before} more samples`);
  return `${name}: ${most.toFixed(0)} MiB at the most, ${after - before} more samples`;
}

/** How many samples a server's metrics have. */
async function labelsOf(url: string): Promise<number> {
  return (await (await fetch(new URL('/metrics', url))).text()).split('\n').filter((line) => /^\w/.test(line)).length;
}
