// Clients that begin requests, and neither end them nor close their side: the servers hold each of them for no longer
// than SECURITY.md says.
import { readdirSync, readlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { onBothServers, type ServerProcess } from './command.ts';

/** How long a request has, by SECURITY.md. */
const REQUEST_MS = 30_000;
const STARTS = [
  '',
  'GET /status HTTP/1.1\r\nHost: local',
  'GET /status HTTP/1.1\r\nHost: localhost\r\n\r\nGET /',
  'POST /status HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
  'POST /status HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99999999\r\n\r\n{',
  'this is not HTTP\r\n\r\n',
];

/** @param count how many clients come at once */
export function halfOpen(count: number): Promise<string> {
  return onBothServers((server) => heldBy(server, count));
}

async function heldBy({ name, url, pid }: ServerProcess, count: number): Promise<string> {
  const port = Number(new URL(url).port);
  const before = socketsOf(pid);
  const sockets = Array.from({ length: count }, (_, index) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => undefined).resume();
    socket.write(STARTS[index % STARTS.length]!);
    return socket;
  });
  let [most, seconds] = [0, 0];
  for (let [held, since] = [0, Date.now()]; seconds < REQUEST_MS / 1000; await pause(100)) {
    held = socketsOf(pid) - before;
    if (held > most) [most, since] = [held, Date.now()]; // a busy machine takes its time to accept them
    seconds = (Date.now() - since) / 1000;
    if (most > count / 2 && held <= 0) break;
  }
  const left = socketsOf(pid) - before;
  const { status } = await fetch(new URL('/status', url));
  for (const socket of sockets) socket.destroy();
  assert.is(status, 200);
  assert.ok(left <= 0, `${name} holds ${left} of ${count} connections after ${seconds} s`);
  return `${name}: ${most} connections at once, none after ${seconds.toFixed(1)} s`;
}

/** How many sockets a process has, on Linux. */
function socketsOf(pid: number): number {
  const folder = `/proc/${pid}/fd`;
  const targetOf = (name: string) => {
    try {
      return readlinkSync(join(folder, name));
    } catch {
      return ''; // it was closed meanwhile
    }
  };
  return readdirSync(folder).filter((name) => targetOf(name).startsWith('socket:')).length;
}
